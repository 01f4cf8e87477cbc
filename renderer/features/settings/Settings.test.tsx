// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ProviderId } from '../../../shared/model/ids';
import type { SettingsView } from '../../../shared/model/settings';
import { openSettings, type SettingsSection, usePanel } from '../../state/appSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import type { FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { Settings } from './Settings';

let main: FakeMain;
const user = userEvent.setup({ delay: null });
const calls = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const dialog = () => screen.getByRole('dialog', { name: 'Settings' });
const button = (name: string | RegExp) => within(dialog()).getByRole('button', { name });
const click = async (element: HTMLElement) => {
  await user.click(element);
  await settle();
};
const Panel = () => (usePanel() === 'settings' ? <Settings /> : null);
async function show(section: SettingsSection) {
  openSettings(section);
  await openWindow(main, <Panel />);
}
async function fill(label: string, text: string) {
  const field = within(dialog()).getByLabelText(label);
  await user.clear(field);
  await user.type(field, text.replace(/[{[]/g, '$&$&'));
  await settle();
}
const provider = (change: Partial<SettingsView['providers'][number]>) => ({ ...main.settings.providers[1]!, ...change });

beforeEach(() => {
  main = createFakeMain();
});
afterEach(() => {
  closeWindow();
  resetWindow();
});

describe('Settings', () => {
  it('U7: is a dialog of that name with one tab a section, and Escape closes the nearest thing only', async () => {
    await show('general');
    expect(
      within(dialog())
        .getAllByRole('tab')
        .map((tab) => tab.textContent),
    ).toEqual(['General', 'Providers', 'Agents', 'Roles', 'Context', 'Workspace', 'Shortcuts']);
    expect(document.activeElement).toBe(within(dialog()).getByRole('tab', { name: 'General' }));
    await click(within(dialog()).getByRole('combobox', { name: 'Text size' }));
    await user.keyboard('{Escape}');
    await settle();
    expect(dialog()).toBeTruthy();
    await user.keyboard('{Escape}');
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('U1: theme, text size and motion are kept at once', async () => {
    await show('general');
    await click(within(dialog()).getByRole('radio', { name: 'Dark' }));
    await click(within(dialog()).getByRole('combobox', { name: 'Text size' }));
    await click(screen.getByRole('option', { name: '125 %' }));
    await click(within(dialog()).getByRole('switch', { name: 'Reduce motion' }));
    expect(calls('settings.savePreferences')).toEqual([{ theme: 'dark' }, { textSize: 125 }, { reducedMotion: 'on' }]);
    expect(main.settings.preferences).toMatchObject({ theme: 'dark', textSize: 125, reducedMotion: 'on' });
  });

  it('U6: a choice that can’t be kept says why beside it', async () => {
    await show('general');
    main.failNext.set('settings.savePreferences', makeFailure('settingsInvalid', 'Line 3: unexpected comma'));
    await click(within(dialog()).getByRole('radio', { name: 'Dark' }));
    expect(within(dialog()).getByRole('alert').textContent).toContain('Line 3: unexpected comma');
    expect(within(dialog()).getByRole('radio', { name: 'System' }).getAttribute('aria-checked')).toBe('true');
  });

  it('U6: lists the shortcuts, with the send key as chosen', async () => {
    main.settings.preferences.sendKey = 'modEnter';
    await show('shortcuts');
    const rows = within(dialog())
      .getAllByRole('listitem')
      .map((row) => row.textContent);
    expect(rows).toContain('New conversationCtrl+N');
    expect(rows).toContain('SendCtrl+Enter');
  });
});

describe('providers', () => {
  it('P1: adds one from a preset: test first, the real error in place, then save', async () => {
    await show('providers');
    await click(button('Add provider'));
    await click(screen.getByRole('menuitem', { name: 'OpenRouter' }));
    await fill('API key', 'sk-or-1');
    const failure = makeFailure('badKey', 'm', {
      detail: { provider: 'OpenRouter', status: 401, providerText: 'No auth credentials found' },
    });
    main.answers['settings.testProvider'] = () => ({ ok: false, models: [], failure });
    await click(button('Test'));
    expect(within(dialog()).getByRole('alert').textContent).toContain('No auth credentials found');
    expect(within(dialog()).getByLabelText('API key')).toHaveProperty('value', 'sk-or-1');
    await click(button('Save'));
    expect(calls('settings.saveProvider')).toEqual([
      {
        provider: { id: 'openrouter', name: 'OpenRouter', kind: 'openai-chat', baseUrl: 'https://openrouter.ai/api/v1', models: [] },
        key: { action: 'set', value: 'sk-or-1', storage: 'keychain' },
      },
    ]);
    expect(within(dialog()).getByText('A key is stored, encrypted with the system keychain.')).toBeTruthy();
  });

  it('W3: without a keychain it asks once, plainly, and stores nothing before the answer', async () => {
    main.keychain = false;
    await show('providers');
    await click(button('Edit Local'));
    await fill('API key', 'sk-1');
    const question = within(dialog()).getByRole('group', { name: /no keychain/ });
    await click(button('Save'));
    expect(calls('settings.saveProvider')).toEqual([]);
    expect(within(question).getByRole('alert').textContent).toBe('Choose how the key is kept.');
    await click(within(question).getByRole('radio', { name: /Store it unencrypted/ }));
    await click(button('Save'));
    expect(calls('settings.saveProvider')).toMatchObject([{ key: { action: 'set', value: 'sk-1', storage: 'plain' } }]);
  });

  it('W3: a variable’s name asks nothing; a stored key stays unless it is forgotten', async () => {
    main.keychain = false;
    main.settings.providers = [provider({ keySource: 'keychain' })];
    await show('providers');
    await click(button('Edit Local'));
    await fill('API key', '${MY_KEY}');
    expect(within(dialog()).getByText(/environment variable MY_KEY/)).toBeTruthy();
    expect(within(dialog()).queryByRole('group', { name: /no keychain/ })).toBeNull();
    await click(button('Save'));
    await click(button('Forget key'));
    await click(button('Save'));
    expect(calls('settings.saveProvider').map((input) => (input as { key: unknown }).key)).toEqual([
      { action: 'set', value: '${MY_KEY}', storage: 'plain' },
      { action: 'clear' },
    ]);
    expect(calls('settings.askKeychain')).toEqual([]);
  });

  it('W3, Z3: no key ever comes back into the window', async () => {
    await show('providers');
    await click(button('Edit Local'));
    await fill('API key', 'sk-secret');
    await click(button('Save'));
    expect(within(dialog()).getByLabelText('API key')).toHaveProperty('value', '');
    expect(dialog().innerHTML).not.toContain('sk-secret');
  });

  it('W3: offers to move keys out of settings.json', async () => {
    main.settings.providers = [provider({ keySource: 'settingsFile' })];
    await show('providers');
    await click(button('Move keys into the keychain'));
    expect(calls('settings.moveKeysToKeychain')).toHaveLength(1);
  });

  it('U6: says in place what is wrong with an address, and tests nothing', async () => {
    await show('providers');
    await click(button('Edit Local'));
    await fill('Base URL', 'not a url');
    await click(button('Test'));
    expect(within(dialog()).getByRole('alert').textContent).toContain('This is not a web address');
    expect(within(dialog()).getByLabelText('Base URL').getAttribute('aria-invalid')).toBe('true');
    expect(calls('settings.testProvider')).toEqual([]);
  });

  it('U6: unsaved changes are not dropped by a section, Back or Escape without asking', async () => {
    await show('providers');
    await click(button('Edit Local'));
    await fill('Name', 'Renamed');
    await click(within(dialog()).getByRole('tab', { name: 'Agents' }));
    const question = () => screen.getByRole('alertdialog', { name: 'Discard unsaved changes?' });
    await click(within(question()).getByRole('button', { name: 'Keep editing' }));
    expect(within(dialog()).getByLabelText('Name')).toHaveProperty('value', 'Renamed');
    await user.keyboard('{Escape}');
    await settle();
    await click(within(question()).getByRole('button', { name: 'Discard changes' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(calls('settings.saveProvider')).toEqual([]);
  });

  it('P1: removes a provider only after asking', async () => {
    await show('providers');
    await click(button('Edit Local'));
    await click(button('Remove'));
    expect(calls('settings.removeProvider')).toEqual([]);
    await click(within(screen.getByRole('alertdialog', { name: 'Remove Local?' })).getByRole('button', { name: 'Remove' }));
    expect(calls('settings.removeProvider')).toEqual([{ providerId: 'local' as ProviderId }]);
    expect(within(dialog()).queryByText('http://127.0.0.1:8080/v1')).toBeNull();
  });

  it('P2: an unknown window is said and can be typed', async () => {
    main.models = main.models.map(({ contextWindow, ...model }) => (model.id === 'm1' ? model : { ...model, contextWindow }));
    await show('providers');
    await click(button('Edit Local'));
    expect(within(dialog()).getByText(/Window unknown/)).toBeTruthy();
    await click(button('Change m1'));
    await fill('Context window, in tokens', 'lots');
    expect(within(dialog()).getByText('A whole number of tokens, like 128000.')).toBeTruthy();
    await fill('Context window, in tokens', '64,000');
    fireEvent.keyDown(within(dialog()).getByLabelText('Context window, in tokens'), { key: 'Enter' });
    await settle();
    expect(calls('settings.saveModel')).toEqual([{ providerId: 'local', model: { id: 'm1', contextWindow: 64_000 } }]);
  });

  it('L7: a window that a refusal named is shown with its date, and can be forgotten', async () => {
    main.models = main.models.map((model) =>
      model.id === 'm1' ? { ...model, contextWindow: 4096, learned: { window: { value: 4096, at: Date.UTC(2026, 2, 3, 12) } } } : model,
    );
    await show('providers');
    await click(button('Edit Local'));
    expect(within(dialog()).getByText('The server named 4,096 tokens on Mar 3, 2026.')).toBeTruthy();
    main.failNext.set('settings.forgetLimit', makeFailure('diskFull', 'No space left.'));
    await click(button('Forget what the server of m1 named'));
    expect(within(dialog()).getByRole('alert')).toBeTruthy();
    await click(button('Forget what the server of m1 named'));
    expect(calls('settings.forgetLimit').at(-1)).toEqual({ model: 'local/m1' });
    expect(within(dialog()).queryByText(/The server named/)).toBeNull();
  });

  it('S10, P7: that images are refused, and how many are taken, is shown with its date and can be forgotten', async () => {
    const at = Date.UTC(2026, 2, 3, 12);
    main.models = main.models.map((model) =>
      model.id === 'm1' ? { ...model, vision: false, learned: { noImages: { at }, maxImages: { value: 4, at } } } : model,
    );
    await show('providers');
    await click(button('Edit Local'));
    expect(within(dialog()).getByText('The server takes no images, learned on Mar 3, 2026.')).toBeTruthy();
    expect(within(dialog()).getByText('A request may hold 4 images, learned on Mar 3, 2026.')).toBeTruthy();
    await click(button('Forget what the server of m1 named'));
    expect(calls('settings.forgetLimit').at(-1)).toEqual({ model: 'local/m1' });
    expect(within(dialog()).queryByText(/takes no images/)).toBeNull();
  });

  it('P1: servers found on this computer are shown, with those already added marked', async () => {
    main.answers['settings.discoverLocal'] = () => [
      { name: 'llama.cpp', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:8080/v1', models: [] },
      { name: 'Ollama', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1', models: [] },
    ];
    await show('providers');
    const found = within(dialog()).getByRole('region', { name: 'Found on this computer' });
    expect(within(found).getAllByRole('listitem')[0]?.textContent).toContain('Added');
    await click(within(found).getByRole('button', { name: 'Add Ollama' }));
    expect(within(dialog()).getByLabelText('Base URL')).toHaveProperty('value', 'http://127.0.0.1:11434/v1');
  });
});

describe('agents and roles', () => {
  it('A1: edits an agent; a wrong number keeps it from being saved', async () => {
    await show('agents');
    await click(button('Edit Helper'));
    await fill('Temperature', '3');
    expect(button('Save')).toHaveProperty('disabled', true);
    await fill('Temperature', '0,7');
    await fill('System prompt', 'Be brief.');
    await click(within(dialog()).getByRole('radio', { name: 'Low' }));
    await click(button('Save'));
    expect(calls('settings.saveAgent')).toMatchObject([
      { agent: { id: 'helper', name: 'Helper', systemPrompt: 'Be brief.', parameters: { temperature: 0.7, reasoningEffort: 'low' } } },
    ]);
  });

  it('A1, U6: a new agent that was not touched is left without a question', async () => {
    await show('agents');
    await click(button('New agent'));
    await click(screen.getByRole('tab', { name: 'Providers' }));
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(screen.getByRole('tabpanel', { name: 'Providers' })).toBeTruthy();
  });

  it('A1, A2, A4: creates one that may only read, with a model typed by hand, duplicates, and removes after asking', async () => {
    await show('agents');
    await click(button('New agent'));
    await fill('Name', 'Рецензент');
    await click(button(/^Model: /));
    await user.type(screen.getByRole('combobox', { name: 'Search models' }), 'local/unlisted');
    await click(screen.getByRole('option', { name: 'Use local/unlisted' }));
    await click(button('Save'));
    expect(calls('settings.saveAgent')).toMatchObject([{ agent: { id: 'new-agent', name: 'Рецензент', model: 'local/unlisted' } }]);
    const reading = ['read_file', 'list_files', 'search_files', 'view_image'];
    expect(calls('settings.saveAgent')).toMatchObject([
      { agent: { tools: [...reading, 'checkpoint', 'rewind', 'tasks'], approval: 'ask' } },
    ]);
    await click(button('Duplicate Helper'));
    await click(button('Save'));
    expect(calls('settings.saveAgent')[1]).toMatchObject({
      agent: { id: 'helper-copy', name: 'Helper copy', model: 'local/m1', tools: [] },
    });
    await click(button('Remove Demo'));
    await click(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Remove' }));
    expect(calls('settings.removeAgent')).toEqual([{ agentId: 'demo' }]);
  });

  it('A2, A4: an agent’s tools are chosen one by one with its approvals, and tools of another version are kept', async () => {
    main.settings = { ...main.settings, agents: main.settings.agents.map((agent) => ({ ...agent, tools: ['later_tool', 'read_file'] })) };
    await show('agents');
    await click(button('Edit Helper'));
    const box = (name: string) => within(dialog()).getByRole<HTMLInputElement>('checkbox', { name });
    expect(within(dialog()).getAllByRole('checkbox')).toHaveLength(12);
    expect([box('read_file').checked, box('run_command').checked]).toEqual([true, false]);
    expect(within(dialog()).getByRole('group', { name: 'Change files in the workspace folder' }).textContent).toContain('edit_file');
    await click(box('tasks'));
    await click(box('edit_file'));
    await click(box('read_file'));
    await click(within(dialog()).getByRole('radio', { name: 'Edit without asking' }));
    await click(button('Save'));
    expect(calls('settings.saveAgent')).toMatchObject([
      { agent: { id: 'helper', tools: ['edit_file', 'tasks', 'later_tool'], approval: 'auto-edit' } },
    ]);
  });

  it('A2: where the model takes no tools, it is said that none are sent', async () => {
    main.models = main.models.map((model) => (model.ref === 'local/m1' ? { ...model, tools: false } : model));
    await show('agents');
    await click(button('Edit Helper'));
    expect(within(dialog()).getByRole('status').textContent).toContain('takes no tools');
    await click(button('Back'));
    await click(button('Edit Demo'));
    expect(within(dialog()).queryByRole('status')).toBeNull();
  });

  it('A1, U6: nothing typed is lost when an agent can’t be saved', async () => {
    await show('agents');
    await click(button('Edit Helper'));
    await fill('Name', 'Better');
    main.failNext.set('settings.saveAgent', makeFailure('diskFull', 'full'));
    await click(button('Save'));
    expect(within(dialog()).getByRole('alert').textContent).toContain('The disk is full');
    expect(within(dialog()).getByLabelText('Name')).toHaveProperty('value', 'Better');
  });

  it('U1: a role takes a model, or the agent’s own again', async () => {
    await show('roles');
    await click(button(/^Titles: /));
    await click(screen.getByRole('option', { name: /^m2/ }));
    await click(button(/^Titles: m2/));
    await click(screen.getByRole('option', { name: 'The agent’s own model' }));
    expect(calls('settings.saveRoles')).toEqual([{ title: 'local/m2' }, {}]);
  });
});
