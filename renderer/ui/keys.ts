// How shortcuts are written for a person: `Mod+Shift+KeyB` is ⌘⇧B on a Mac and Ctrl+Shift+B elsewhere; the last part is a place on the keyboard or
// a name as it stands.
import { nameOfCode } from '../../shared/keys';
import { isMac } from '../platform';

const macNames: Record<string, string> = {
  ...{ Mod: '⌘', Ctrl: '⌃', Shift: '⇧', Alt: '⌥', Enter: '↩', Escape: 'esc', Backspace: '⌫' },
  ...{ Up: '↑', Down: '↓', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' },
};
const otherNames: Record<string, string> = {
  ...{ Mod: 'Ctrl', Escape: 'Esc', PageUp: 'Page Up', PageDown: 'Page Down' },
  ...{ Up: '↑', Down: '↓', ArrowUp: '↑', ArrowDown: '↓', ArrowLeft: '←', ArrowRight: '→' },
};

/** What stands on the keys of the present layout; empty where the system does not tell. */
let layout: ReadonlyMap<string, string> = new Map();

type KeyboardOfBrowser = { getLayoutMap?: () => Promise<ReadonlyMap<string, string>> };
/** Asks what stands on the keys; layouts change while a window is open. */
export async function learnLayout(): Promise<void> {
  const keyboard = 'keyboard' in navigator ? (navigator.keyboard as KeyboardOfBrowser | null) : null;
  try {
    layout = (await keyboard?.getLayoutMap?.()) ?? new Map();
  } catch {
    // Not told: the usual names stay.
    layout = new Map();
  }
}

export function writeKeys(keys: string, mac = isMac): string {
  const parts = keys.split('+').map((key) => (mac ? macNames : otherNames)[key] ?? nameOf(key));
  return parts.join(mac ? '' : '+');
}

function nameOf(key: string): string {
  const written = layout.get(key);
  return written === undefined || written.trim() === '' ? nameOfCode(key) : written.toLocaleUpperCase();
}
