// Answers to the window's shortcuts, unless what has focus took the keys or a dialog is open, and to the native menu.
import { useEffect } from 'react';
import { keysPressed } from '../../../shared/keys';
import { commandOfKeys, type WindowCommandId, windowCommandOf } from '../../../shared/windowCommands';
import { isMac } from '../../platform';
import { chosenKeys } from '../../state/shortcutKeys';
import { watchTyping } from '../../state/typing';
import { dispatch } from '../../state/windowActs';

const isCommand = (value: unknown): value is WindowCommandId => typeof value === 'string' && windowCommandOf(value) !== undefined;
/** Answered by the controls they belong to, which know more than the window. */
const ofControls = new Set<WindowCommandId>(['stop', 'send', 'steer', 'newline', 'rename']);

/** Keys of this window, and what the application menu asks of it. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const keys = keysPressed(event, isMac);
      const pressed = keys === null ? null : commandOfKeys(keys, chosenKeys(), isMac);
      if (pressed && !ofControls.has(pressed.id) && dispatch(pressed.id, pressed.nth)) event.preventDefault();
    };
    const onCommand = (event: Event) => {
      if (event instanceof CustomEvent && isCommand(event.detail)) dispatch(event.detail, 0);
    };
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('bough:command', onCommand);
    const endWatch = watchTyping();
    return () => {
      endWatch();
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('bough:command', onCommand);
    };
  }, []);
}
