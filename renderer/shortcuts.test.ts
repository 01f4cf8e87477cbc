import { describe, expect, it } from 'vitest';
import { shortcutOf, shortcuts } from './shortcuts';

const press = (code: string, more: Partial<Parameters<typeof shortcutOf>[0]> = {}) => ({
  code,
  ctrlKey: true,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});

describe('shortcutOf', () => {
  it('U6: tells keys by their place, so that a Cyrillic layout changes nothing', () => {
    expect(shortcutOf({ ...press('KeyN'), key: 'т' } as Parameters<typeof shortcutOf>[0], false)?.id).toBe('newConversation');
    expect(shortcutOf(press('Comma'), false)?.id).toBe('settings');
    expect(shortcutOf(press('KeyB'), false)?.id).toBe('sidebar');
    expect(shortcutOf(press('KeyB', { shiftKey: true }), false)?.id).toBe('panel');
    expect(shortcutOf(press('Digit3'), false)).toEqual({ id: 'openNth', nth: 2 });
  });

  it('U6: Mod is Cmd on a Mac and Ctrl elsewhere, never both', () => {
    const cmd = { ctrlKey: false, metaKey: true };
    expect(shortcutOf(press('KeyN', cmd), true)?.id).toBe('newConversation');
    expect(shortcutOf(press('KeyN', cmd), false)).toBeNull();
    expect(shortcutOf(press('KeyN'), true)).toBeNull();
    expect(shortcutOf(press('KeyN', { metaKey: true }), true)).toBeNull();
  });

  it('U4, U6: nothing fires while an input method composes, nor with Alt (AltGr writes characters)', () => {
    expect(shortcutOf(press('KeyN', { isComposing: true }), false)).toBeNull();
    expect(shortcutOf(press('KeyN', { keyCode: 229 }), false)).toBeNull();
    expect(shortcutOf(press('KeyN', { altKey: true }), false)).toBeNull();
    expect(shortcutOf(press('KeyN', { shiftKey: true }), false)).toBeNull();
  });

  it('U6: no two shortcuts answer to the same keys', () => {
    const taken = shortcuts.flatMap((shortcut) => shortcut.codes.map((code) => `${code} ${'shift' in shortcut && shortcut.shift}`));
    expect(new Set(taken).size).toBe(taken.length);
  });
});
