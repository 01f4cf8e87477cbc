// Answers to the window's shortcuts, unless what has focus took the keys or a dialog is open.
import { useEffect } from 'react';
import { assertNever } from '../../../shared/model/assertNever';
import type { WindowCommand } from '../../../shared/model/events';
import { focusComposerEvent, focusFindEvent, focusSearchEvent, type ShortcutId, shortcutOf, tellWindow } from '../../shortcuts';
import { appState, closePanel, openSettings } from '../../state/appSlice';
import { listedConversations } from '../../state/conversationsSlice';
import { openFind } from '../../state/findSlice';
import { setAreaOpen, toggleArea, uncoverTalk } from '../../state/layoutSlice';
import { openSearch } from '../../state/searchSlice';
import { openConversation, startNewConversation } from '../../state/talkSlice';
import { undoNewest } from '../../state/trashSlice';
import { isMac } from '../../ui/keys';

/** Once the area that listens is on the page. */
function soon(act: () => void): void {
  requestAnimationFrame(act);
}

export function newConversation(): void {
  startNewConversation();
  uncoverTalk();
  soon(() => tellWindow(focusComposerEvent));
}

/** Fields have an undo of their own. */
function isTyping(element: Element | null): boolean {
  return element instanceof HTMLElement && (element.isContentEditable || element.matches('input, textarea'));
}

function run(id: ShortcutId, nth: number): boolean {
  switch (id) {
    case 'newConversation':
      newConversation();
      return true;
    case 'search':
      setAreaOpen('sidebar', true);
      soon(() => tellWindow(focusSearchEvent));
      return true;
    case 'searchAll':
      setAreaOpen('sidebar', true);
      openSearch();
      soon(() => tellWindow(focusSearchEvent));
      return true;
    case 'find':
      if (!openFind()) return false;
      uncoverTalk();
      soon(() => tellWindow(focusFindEvent));
      return true;
    case 'settings':
      openSettings();
      return true;
    case 'shortcuts':
      openSettings('shortcuts');
      return true;
    case 'sidebar':
      toggleArea('sidebar');
      return true;
    case 'panel':
      toggleArea('panel');
      return true;
    case 'openNth': {
      const conversation = listedConversations()[nth];
      if (conversation) {
        uncoverTalk();
        void openConversation(conversation.id);
        soon(() => tellWindow(focusComposerEvent));
      }
      return true;
    }
    case 'composer':
      uncoverTalk();
      soon(() => tellWindow(focusComposerEvent));
      return true;
    case 'undoDelete':
      return !isTyping(document.activeElement) && undoNewest();
    case 'rename':
    case 'send':
    case 'steer':
    case 'newline':
    case 'stop':
      return false;
    default:
      return assertNever(id);
  }
}

/** False where the keys are left to whoever else wants them. */
function dispatch(id: ShortcutId, nth: number): boolean {
  const { panel, workspace } = appState();
  if (panel === 'onboarding' || workspace?.status === 'failed') return false;
  if (panel !== 'settings') return run(id, nth);
  if (id === 'settings') closePanel();
  if (id === 'shortcuts') openSettings('shortcuts');
  return true;
}

const commands: Record<WindowCommand, ShortcutId> = {
  newConversation: 'newConversation',
  settings: 'settings',
  search: 'search',
  toggleSidebar: 'sidebar',
  togglePanel: 'panel',
  shortcuts: 'shortcuts',
};
const isCommand = (value: unknown): value is WindowCommand => typeof value === 'string' && value in commands;

/** Keys of this window, and what the application menu asks of it. */
export function useShortcuts(): void {
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented) return;
      const pressed = shortcutOf(event, isMac);
      if (pressed && dispatch(pressed.id, pressed.nth)) event.preventDefault();
    };
    const onCommand = (event: Event) => {
      if (event instanceof CustomEvent && isCommand(event.detail)) dispatch(commands[event.detail], 0);
    };
    window.addEventListener('keydown', onKeyDown);
    window.addEventListener('bough:command', onCommand);
    return () => {
      window.removeEventListener('keydown', onKeyDown);
      window.removeEventListener('bough:command', onCommand);
    };
  }, []);
}
