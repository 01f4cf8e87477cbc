// How shortcuts are written for a person: `Mod+Shift+B` is ⌘⇧B on a Mac and Ctrl+Shift+B elsewhere.
export const isMac = typeof navigator !== 'undefined' && /mac/i.test(navigator.platform);

const macNames: Record<string, string> = { Mod: '⌘', Shift: '⇧', Alt: '⌥', Enter: '↩', Escape: 'esc', Up: '↑', Down: '↓' };
const otherNames: Record<string, string> = { Mod: 'Ctrl', Escape: 'Esc', Up: '↑', Down: '↓' };

export function writeKeys(keys: string, mac = isMac): string {
  const parts = keys.split('+').map((key) => (mac ? macNames : otherNames)[key] ?? key);
  return parts.join(mac ? '' : '+');
}
