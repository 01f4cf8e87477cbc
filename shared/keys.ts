// Keys of a shortcut as they are kept: modifiers, then the place of the key on the keyboard (`KeyboardEvent.code`), like `Mod+Shift+KeyF`.
// `Mod` is Cmd on a Mac and Ctrl elsewhere; `Ctrl` is a Mac's own Ctrl.

type Pressed = Pick<KeyboardEvent, 'code' | 'ctrlKey' | 'metaKey' | 'altKey' | 'shiftKey' | 'isComposing' | 'keyCode'> & {
  getModifierState?: ((key: string) => boolean) | undefined;
};

const modifierCode = /^(Control|Shift|Alt|Meta|OS|CapsLock|NumLock|Fn)/;
const form = /^(Mod\+)?(Ctrl\+)?(Alt\+)?(Shift\+)?([A-Z][A-Za-z0-9]{0,30})$/;

/** Null: a modifier alone, an input method at work, or keys that write a sign. */
export function keysPressed(event: Pressed, mac: boolean): string | null {
  if (event.isComposing || event.keyCode === 229 || event.code === '' || modifierCode.test(event.code)) return null;
  if (event.getModifierState?.('AltGraph') === true) return null;
  if (!mac && event.metaKey) return null;
  const mod = mac ? event.metaKey : event.ctrlKey;
  const held = [mod && 'Mod', mac && event.ctrlKey && 'Ctrl', event.altKey && 'Alt', event.shiftKey && 'Shift', event.code];
  return held.filter(Boolean).join('+');
}

/** Places that write something, or move and change what is written. */
const writes = /^(Key[A-Z]|Digit\d|Numpad\w+|Minus|Equal|Bracket\w+|Semicolon|Quote|Backquote|Backslash|Comma|Period|Slash|Space|Intl\w+)$/;
const functionKey = /^F([1-9]|1\d|2[0-4])$/;
const moves = /^(Arrow\w+|Home|End|Page\w+|Enter|NumpadEnter|Backspace|Delete|Insert|Tab|Escape)$/;

/** Taken by text fields, by the window itself or by the system. */
const reserved = new Set([
  ...['KeyA', 'KeyC', 'KeyV', 'KeyX', 'KeyZ', 'KeyY', 'KeyQ', 'KeyW', 'KeyH', 'KeyM'].map((code) => `Mod+${code}`),
  ...['Mod+Shift+KeyZ', 'Mod+Shift+KeyV', 'Mod+Backquote', 'Mod+Space', 'F2', 'F10', 'F11', 'Alt+F4', 'Shift+F10'],
  ...['Equal', 'Minus', 'Digit0', 'NumpadAdd', 'NumpadSubtract', 'Numpad0'].map((code) => `Mod+${code}`),
  ...['Mod+Shift+Equal', 'Mod+Enter', 'Mod+Shift+Enter'],
]);

/** Why keys cannot be a shortcut: `form`, they are none; `typing`, a person needs them to write; `reserved`, something else has them. */
export type KeysProblem = 'form' | 'typing' | 'reserved';
export function problemWithKeys(keys: string, mac: boolean): KeysProblem | null {
  const [, mod, ctrl, alt, , code] = form.exec(keys) ?? [];
  if (code === undefined || modifierCode.test(code)) return 'form';
  if (reserved.has(keys)) return 'reserved';
  if (functionKey.test(code)) return null;
  if (!mod && !ctrl) return 'typing';
  // Alt writes signs on a Mac, and with Ctrl in many layouts elsewhere.
  if (alt && (writes.test(code) || !mac) && !(mac && mod)) return 'typing';
  // Ctrl and a letter is how a Mac's text fields move.
  if (mac && !mod && writes.test(code)) return 'typing';
  // Word by word, line by line: only what no text field does is free.
  if (moves.test(code) && !/^(Page\w+|Tab)$/.test(code) && !/^Mod\+(Alt\+)?Shift\+(Backspace|Delete)$/.test(keys)) return 'reserved';
  return writes.test(code) || moves.test(code) ? null : 'form';
}

const signs: Record<string, string> = {
  Minus: '-',
  Equal: '=',
  BracketLeft: '[',
  BracketRight: ']',
  Semicolon: ';',
  Quote: "'",
  Backquote: '`',
  Backslash: '\\',
  Comma: ',',
  Period: '.',
  Slash: '/',
};
/** The name of a place on a keyboard of the usual layout. */
export function nameOfCode(code: string): string {
  return signs[code] ?? code.replace(/^(Key|Digit|Numpad|Arrow)(?=.)/, '');
}

/** As the native menu writes them. */
export function acceleratorOf(keys: string): string {
  const names: Record<string, string> = { Mod: 'CmdOrCtrl', Ctrl: 'Ctrl', Alt: 'Alt', Shift: 'Shift' };
  return keys
    .split('+')
    .map((part) => names[part] ?? nameOfCode(part))
    .join('+');
}
