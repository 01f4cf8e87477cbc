// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import { createFakeMain } from '../../testing/fakeBridge';
import type { FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { Shortcuts } from './Shortcuts';

let main: FakeMain;
const user = userEvent.setup({ delay: null });
const chosen = () => main.settings.preferences.shortcuts;
const row = (what: string) => {
  const found = screen.getAllByRole('listitem').find((item) => item.textContent?.startsWith(what));
  if (!found) throw new Error(`no row ${what}`);
  return within(found);
};
const click = async (what: string, button: RegExp | string) => {
  await user.click(row(what).getByRole('button', { name: button }));
  await settle();
};
const press = async (code: string, more: Partial<KeyboardEventInit> = {}) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { code, ...more });
  await settle();
};
const ctrl = { ctrlKey: true };

beforeEach(async () => {
  main = createFakeMain();
  await openWindow(main, <Shortcuts />);
});
afterEach(() => {
  closeWindow();
  resetWindow();
});

describe('Shortcuts', () => {
  it('U6: new keys are pressed, kept by their place, and taken back one by one or all at once', async () => {
    await click('Find in this conversation', /Ctrl\+F. Change$/);
    await press('ControlLeft', ctrl);
    await press('KeyJ', ctrl);
    expect(chosen()).toEqual({ find: 'Mod+KeyJ' });
    expect(row('Find in this conversation').getByText('Ctrl+J')).toBeTruthy();
    await click('Show files', /Choose$/);
    await press('F6');
    expect(chosen()).toEqual({ find: 'Mod+KeyJ', files: 'F6' });
    await click('Find in this conversation', /^Reset/);
    expect(chosen()).toEqual({ files: 'F6' });
    await user.click(screen.getByRole('button', { name: 'Reset all' }));
    await settle();
    expect(chosen()).toEqual({});
  });

  it('U6: keys that another command has are said in place, and change hands with Replace', async () => {
    await click('Find in this conversation', /Change$/);
    await press('KeyK', ctrl);
    expect(row('Find in this conversation').getByRole('alert').textContent).toContain('Ctrl+K belongs to “Commands”');
    expect(chosen()).toEqual({});
    await click('Find in this conversation', 'Replace');
    expect(chosen()).toEqual({ find: 'Mod+KeyK', palette: null });
    await click('Commands', /^Reset/);
    expect(row('Commands').getByRole('alert').textContent).toContain('belongs to “Find in this conversation”');
    await click('Commands', 'Replace');
    expect(chosen()).toEqual({ find: null });
  });

  it('U6: what is needed to write, or belongs to others, is refused; Escape keeps what was there', async () => {
    await click('Find in this conversation', /Change$/);
    const said = () => row('Find in this conversation').queryByRole('alert')?.textContent ?? '';
    await press('KeyJ');
    expect(said()).toContain('needed for writing');
    await press('KeyC', ctrl);
    expect(said()).toContain('kept for editing');
    await press('Digit3', ctrl);
    expect(said()).toContain('always belongs to “Open the first to ninth conversation”');
    await press('KeyJ', { ...ctrl, isComposing: true });
    expect(said()).toContain('always belongs');
    await press('Escape');
    expect(said()).toBe('');
    expect(chosen()).toEqual({});
  });

  it('U6: keys are removed; ids that are not known stay through it all', async () => {
    main.settings.preferences.shortcuts = { future: 'Mod+KeyJ' };
    main.emit({ type: 'settingsChanged', settings: { ...main.settings } });
    await settle();
    await click('Find in this conversation', /^Remove/);
    expect(chosen()).toEqual({ future: 'Mod+KeyJ', find: null });
    expect(row('Find in this conversation').getByText('None')).toBeTruthy();
    await user.click(screen.getByRole('button', { name: 'Reset all' }));
    await settle();
    expect(chosen()).toEqual({ future: 'Mod+KeyJ' });
  });

  it('U6, R3: what cannot be kept is said, and the keys stay as they were', async () => {
    main.failNext.set('settings.savePreferences', makeFailure('settingsInvalid', 'Line 3: unexpected comma'));
    await click('Find in this conversation', /^Remove/);
    expect(screen.getByRole('alert').textContent).toContain('Line 3: unexpected comma');
    expect(row('Find in this conversation').getByText('Ctrl+F')).toBeTruthy();
  });
});
