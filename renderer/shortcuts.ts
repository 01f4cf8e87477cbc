// Every shortcut of the window in one list: what the dispatcher answers to and what the list in Settings shows.
// Keys are told by their place on the keyboard (`event.code`), so that they work on every layout.

export type ShortcutGroup = 'general' | 'conversations' | 'message';
export type Shortcut = {
  id: string;
  group: ShortcutGroup;
  /** As shown: `Mod` is Cmd on a Mac, Ctrl elsewhere. */
  keys: string;
  /** `event.code`s that trigger it; none for keys that belong to one control (the composer's own). */
  codes: readonly string[];
  shift?: boolean | undefined;
};

export const shortcuts = [
  { id: 'newConversation', group: 'general', keys: 'Mod+N', codes: ['KeyN'] },
  { id: 'search', group: 'general', keys: 'Mod+K', codes: ['KeyK'] },
  { id: 'searchAll', group: 'general', keys: 'Mod+Shift+F', codes: ['KeyF'], shift: true },
  { id: 'find', group: 'general', keys: 'Mod+F', codes: ['KeyF'] },
  { id: 'settings', group: 'general', keys: 'Mod+,', codes: ['Comma'] },
  { id: 'shortcuts', group: 'general', keys: 'Mod+/', codes: ['Slash'] },
  { id: 'sidebar', group: 'general', keys: 'Mod+B', codes: ['KeyB'] },
  { id: 'panel', group: 'general', keys: 'Mod+Shift+B', codes: ['KeyB'], shift: true },
  {
    id: 'openNth',
    group: 'conversations',
    keys: 'Mod+1…9',
    codes: ['Digit1', 'Digit2', 'Digit3', 'Digit4', 'Digit5', 'Digit6', 'Digit7', 'Digit8', 'Digit9'],
  },
  { id: 'rename', group: 'conversations', keys: 'F2', codes: [] },
  { id: 'composer', group: 'message', keys: 'Mod+L', codes: ['KeyL'] },
  { id: 'send', group: 'message', keys: 'Enter', codes: [] },
  { id: 'steer', group: 'message', keys: 'Mod+Enter', codes: [] },
  { id: 'newline', group: 'message', keys: 'Shift+Enter', codes: [] },
  { id: 'stop', group: 'message', keys: 'Escape', codes: [] },
  { id: 'undoDelete', group: 'message', keys: 'Mod+Z', codes: ['KeyZ'] },
] as const satisfies readonly Shortcut[];

export type ShortcutId = (typeof shortcuts)[number]['id'];
type Pressed = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'keyCode'>;

/** The shortcut these keys mean, if any; never while an input method composes. `nth` counts from 0. */
export function shortcutOf(event: Pressed, mac: boolean): { id: ShortcutId; nth: number } | null {
  const composing = event.isComposing || event.keyCode === 229;
  const mod = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  if (composing || !mod || event.altKey) return null;
  for (const shortcut of shortcuts) {
    const codes: readonly string[] = shortcut.codes;
    const nth = codes.indexOf(event.code);
    const shift = 'shift' in shortcut && shortcut.shift;
    if (nth >= 0 && shift === event.shiftKey) return { id: shortcut.id, nth };
  }
  return null;
}

/** Told to the composer, which takes the focus. */
export const focusComposerEvent = 'bough:focus-composer';
/** Told to the sidebar's search. */
export const focusSearchEvent = 'bough:focus-search';

/** Told to the find bar when its keys are pressed again. */
export const focusFindEvent = 'bough:focus-find';

export function tellWindow(name: typeof focusComposerEvent | typeof focusSearchEvent | typeof focusFindEvent): void {
  window.dispatchEvent(new CustomEvent(name));
}
