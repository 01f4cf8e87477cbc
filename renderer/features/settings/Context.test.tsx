// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import { openSettings, type SettingsSection, usePanel } from '../../state/appSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import type { FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { numberFields } from './compactionDraft';
import { Settings } from './Settings';

let main: FakeMain;
const user = userEvent.setup({ delay: null });
const calls = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const dialog = () => within(screen.getByRole('dialog', { name: 'Settings' }));
const field = (label: string) => dialog().getByLabelText<HTMLInputElement>(label);
const click = async (role: string, name: string | RegExp) => {
  await user.click(dialog().getByRole(role, { name }));
  await settle();
};
async function fill(label: string, text: string) {
  await user.clear(field(label));
  if (text !== '') await user.type(field(label), text);
  await settle();
}
const hintOf = (element: HTMLElement) =>
  (element.getAttribute('aria-describedby') ?? '')
    .split(' ')
    .map((id) => document.getElementById(id)?.textContent ?? '')
    .join(' ');
const Panel = () => (usePanel() === 'settings' ? <Settings /> : null);
async function show(section: SettingsSection = 'context') {
  openSettings(section);
  await openWindow(main, <Panel />);
}
const setWindow = (contextWindow: number) => {
  main.models = main.models.map((model) => ({ ...model, contextWindow }));
};

beforeEach(() => {
  main = createFakeMain();
  setWindow(1_000_000);
});
afterEach(() => {
  closeWindow();
  resetWindow();
});

describe('the numbers of the ladder', () => {
  it('L21: every number is shown with its unit, one sentence and what was set first', async () => {
    await show();
    expect(field('Least saving, tokens').placeholder).toBe('4,000');
    expect(hintOf(field('Least saving, tokens'))).toContain('Default: 4,000 tokens.');
    expect(field('Largest request, kB').placeholder).toBe('8,192');
    expect(field('Before a turn, percent of the window').placeholder).toBe('70');
    const modes = dialog().getByRole('radiogroup', { name: 'How a card is made' });
    expect(within(modes).getByRole('radio', { name: 'Automatic' }).getAttribute('aria-checked')).toBe('true');
    const shown = dialog().getAllByRole('textbox').length + 2;
    expect(shown).toBe(numberFields.length);
  });

  it('L6, L21: what is typed is saved as a whole: a line as percent, as tokens or off', async () => {
    await show();
    await fill('Before a turn, percent of the window', '60');
    await fill('Least saving, tokens', '2 000');
    await click('radio', 'One call');
    const between = within(dialog().getByRole('radiogroup', { name: 'Between steps' }));
    await user.click(between.getByRole('radio', { name: 'Off' }));
    expect(hintOf(dialog().getByRole('radiogroup', { name: 'Between steps' }))).toContain('refused as too large still makes room');
    await click('button', 'Save');
    await user.click(between.getByRole('radio', { name: 'Tokens' }));
    await settle();
    expect(dialog().getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await fill('Between steps, tokens', '120000');
    await click('button', 'Save');
    expect(calls('settings.saveCompaction')).toEqual([
      { threshold: 0.6, requestThreshold: null, minSavings: 2000, summaryMode: 'simple' },
      { threshold: 0.6, requestThreshold: 120_000, minSavings: 2000, summaryMode: 'simple' },
    ]);
  });

  it('S, L21: pages are switched off for everybody, and on for one agent', async () => {
    await show();
    const pages = () => within(dialog().getByRole('radiogroup', { name: 'History as pictures' }));
    expect(pages().getByRole('radio', { name: 'Automatic' }).getAttribute('aria-checked')).toBe('true');
    await user.click(pages().getByRole('radio', { name: 'Off' }));
    await settle();
    await click('button', 'Save');
    expect(calls('settings.saveCompaction')).toEqual([{ snapshotMode: 'off' }]);
    await click('tab', 'Agents');
    await click('button', 'Edit Helper');
    await click('button', 'Show the numbers');
    expect(pages().getByRole('radio', { name: 'Off' }).getAttribute('aria-checked')).toBe('true');
    expect(hintOf(dialog().getByRole('radiogroup', { name: 'History as pictures' }))).toContain('In the settings: Off.');
    await user.click(pages().getByRole('radio', { name: 'Automatic' }));
    await click('button', 'Save');
    expect(calls('settings.saveAgent')).toMatchObject([{ agent: { compaction: { snapshotMode: 'auto' } } }]);
  });

  it('L21: a bad value is an error in place; it is not saved, and nothing typed is lost', async () => {
    await show();
    await fill('Newest steps', '0');
    expect(dialog().getByRole('alert').textContent).toBe('A whole number.');
    expect(dialog().getByRole('button', { name: 'Save' })).toHaveProperty('disabled', true);
    await fill('Newest steps', '12');
    main.failNext.set('settings.saveCompaction', makeFailure('diskFull', 'full'));
    await click('button', 'Save');
    expect(dialog().getByRole('alert').textContent).toContain('The disk is full');
    expect(field('Newest steps').value).toBe('12');
  });

  it('L21: one number is put back, or all of them', async () => {
    main.settings = { ...main.settings, compaction: { minSavings: 900, keepImages: 5 } };
    await show();
    await click('button', 'Reset “Least saving”');
    await click('button', 'Save');
    await click('button', 'Reset all');
    expect(field('Newest images').value).toBe('');
    await click('button', 'Save');
    expect(calls('settings.saveCompaction')).toEqual([{ keepImages: 5 }, {}]);
  });

  it('L21: the number in force for the present agent is said where its window caps it', async () => {
    setWindow(40_000);
    await show();
    expect(hintOf(field('Protected suffix, tokens'))).toContain('In force for Helper: 6,000 tokens, as its window is 40,000 tokens.');
    expect(hintOf(field('Before a turn, percent of the window'))).toContain('For Helper: at 28,000 tokens of 40,000.');
    expect(hintOf(field('Small results, tokens'))).not.toContain('Helper');
    await fill('Protected suffix, tokens', '5000');
    expect(hintOf(field('Protected suffix, tokens'))).not.toContain('In force');
  });

  it('W2, L21: what the workspace says is a line that cannot be changed here', async () => {
    main.settings.workspace = { ...main.settings.workspace, compaction: { minSavings: 700, keepImages: 3, threshold: null } };
    await show();
    expect(hintOf(field('Least saving, tokens'))).toContain('This workspace says 700 tokens.');
    expect(hintOf(field('Before a turn, percent of the window'))).toContain('This workspace says off.');
    expect(hintOf(field('Newest images'))).not.toContain('workspace');
    await user.click(within(dialog().getByRole('radiogroup', { name: 'Before a turn' })).getByRole('radio', { name: 'Off' }));
    await settle();
    expect(hintOf(dialog().getByRole('radiogroup', { name: 'Before a turn' }))).not.toContain('workspace');
  });

  it('M4: who summarizes is chosen here too', async () => {
    await show();
    await click('button', /^Compaction: /);
    await user.click(screen.getByRole('option', { name: /^m2/ }));
    await settle();
    expect(calls('settings.saveRoles')).toEqual([{ compaction: 'local/m2' }]);
  });

  it('L21, A1: an agent keeps only the numbers that differ, and none again', async () => {
    main.settings = { ...main.settings, compaction: { minSavings: 900 } };
    await show('agents');
    await click('button', 'Edit Helper');
    expect(dialog().queryByLabelText('Least saving, tokens')).toBeNull();
    await click('button', 'Show the numbers');
    expect(field('Least saving, tokens').placeholder).toBe('900');
    expect(hintOf(field('Least saving, tokens'))).toContain('In the settings: 900 tokens.');
    await fill('Newest images', '1');
    await click('button', 'Save');
    await click('button', 'Edit Helper');
    expect(field('Newest images').value).toBe('1');
    await fill('Newest images', '');
    await click('button', 'Save');
    expect(calls('settings.saveAgent').map((input) => (input as { agent: { compaction?: unknown } }).agent.compaction)).toEqual([
      { keepImages: 1 },
      undefined,
    ]);
  });
});
