import { describe, expect, it } from 'vitest';
import { acceleratorOf, keysPressed, problemWithKeys } from './keys';

const press = (code: string, more: Partial<Parameters<typeof keysPressed>[0]> = {}) => ({
  code,
  ctrlKey: false,
  metaKey: false,
  altKey: false,
  shiftKey: false,
  isComposing: false,
  keyCode: 0,
  ...more,
});

describe('keysPressed', () => {
  it('U6: tells keys by their place, whatever they write', () => {
    expect(keysPressed({ ...press('KeyN', { ctrlKey: true }), key: 'т' } as Parameters<typeof keysPressed>[0], false)).toBe('Mod+KeyN');
    expect(keysPressed(press('KeyB', { ctrlKey: true, shiftKey: true }), false)).toBe('Mod+Shift+KeyB');
    expect(keysPressed(press('F6'), false)).toBe('F6');
  });

  it('U6: Mod is Cmd on a Mac, where Ctrl is another key, and Ctrl elsewhere, where the system has Meta', () => {
    expect(keysPressed(press('KeyN', { metaKey: true }), true)).toBe('Mod+KeyN');
    expect(keysPressed(press('KeyN', { ctrlKey: true }), true)).toBe('Ctrl+KeyN');
    expect(keysPressed(press('KeyN', { metaKey: true }), false)).toBeNull();
  });

  it('U4, U6: nothing while an input method composes, and nothing for keys that write a sign', () => {
    expect(keysPressed(press('Enter', { isComposing: true }), false)).toBeNull();
    expect(keysPressed(press('KeyN', { ctrlKey: true, keyCode: 229 }), false)).toBeNull();
    expect(keysPressed(press('ShiftLeft', { shiftKey: true }), false)).toBeNull();
    const signs = { ...press('KeyQ', { ctrlKey: true, altKey: true }), getModifierState: (key: string) => key === 'AltGraph' };
    expect(keysPressed(signs, false)).toBeNull();
  });
});

describe('problemWithKeys', () => {
  it.each([
    ['KeyN', 'typing'],
    ['Shift+KeyN', 'typing'],
    ['Space', 'typing'],
    ['Enter', 'typing'],
    ['Alt+KeyN', 'typing'],
    ['Mod+Alt+KeyQ', 'typing'],
    ['Mod+KeyC', 'reserved'],
    ['Mod+Enter', 'reserved'],
    ['Mod+ArrowLeft', 'reserved'],
    ['Mod+Backspace', 'reserved'],
    ['F2', 'reserved'],
    ['Mod+ShiftLeft', 'form'],
    ['mod+k', 'form'],
    ['Shift+Mod+KeyK', 'form'],
    ['', 'form'],
  ])('U6: %s is refused: %s', (keys, problem) => {
    expect(problemWithKeys(keys, false)).toBe(problem);
  });

  it.each([
    'Mod+KeyK',
    'Mod+Shift+KeyF',
    'Mod+BracketLeft',
    'Mod+Tab',
    'Mod+Shift+Backspace',
    'F6',
    'Shift+F6',
    'Mod+Comma',
    'Mod+PageDown',
  ])('U6: %s can be chosen', (keys) => {
    expect(problemWithKeys(keys, false)).toBeNull();
  });

  it('U6: on a Mac ⌘⌥ and ⌃ Tab are free, ⌃ and a letter moves in text', () => {
    expect(problemWithKeys('Mod+Alt+KeyQ', true)).toBeNull();
    expect(problemWithKeys('Ctrl+Tab', true)).toBeNull();
    expect(problemWithKeys('Ctrl+KeyA', true)).toBe('typing');
  });
});

it('U6: the native menu writes keys by the names of the usual layout', () => {
  expect(acceleratorOf('Mod+Shift+KeyF')).toBe('CmdOrCtrl+Shift+F');
  expect(acceleratorOf('Mod+Comma')).toBe('CmdOrCtrl+,');
  expect(acceleratorOf('Mod+Shift+Backspace')).toBe('CmdOrCtrl+Shift+Backspace');
});
