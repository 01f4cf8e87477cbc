// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { LocalServer, ProviderTest } from '../../../shared/contract';
import { makeFailure } from '../../../shared/model/failure';
import type { OfferedModel } from '../../../shared/model/provider';
import { focusComposerEvent } from '../../focusEvents';
import { appState } from '../../state/appSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import type { FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { Onboarding } from './Onboarding';

let main: FakeMain;
let tests: ProviderTest[];
let servers: LocalServer[];
const user = userEvent.setup({ delay: null });
const focused = vi.fn();
const model = (id: string) => ({ id, ref: `x/${id}`, providerId: 'x', providerName: 'X', demo: false }) as OfferedModel;
const calls = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const way = (name: string) => within(screen.getByRole('region', { name }));
const withKey = () => way('A provider, with a key');
const click = async (name: string, within = screen as Pick<typeof screen, 'getByRole'>) => {
  await user.click(within.getByRole('button', { name }));
  await settle();
};

beforeEach(() => {
  main = createFakeMain();
  main.settings = { ...main.settings, onboarded: false, providers: [], agents: [] };
  tests = [];
  servers = [];
  main.answers = { 'settings.testProvider': () => tests.shift(), 'settings.discoverLocal': () => servers };
  focused.mockClear();
  window.addEventListener(focusComposerEvent, focused);
});
afterEach(() => {
  window.removeEventListener(focusComposerEvent, focused);
  closeWindow();
  resetWindow();
});

describe('the first run', () => {
  it('U8: shows itself while no choice was made', async () => {
    await openWindow(main, <Onboarding />);
    expect(appState().panel).toBe('onboarding');
  });

  it('U8, P1: the demo needs no key, says what it is, and leads to the composer', async () => {
    await openWindow(main, <Onboarding />);
    expect(way('The demo, without a key').getByText(/no real AI/)).toBeTruthy();
    await click('Try the demo');
    expect(calls('settings.finishOnboarding')).toEqual([{ model: 'demo/demo' }]);
    expect(appState().panel).toBeNull();
    expect(focused).toHaveBeenCalledOnce();
  });

  it('U8, P1: a server found on this computer is taken with one click and the chosen model', async () => {
    servers = [{ name: 'Ollama', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1', models: [model('qwen3'), model('llama')] }];
    await openWindow(main, <Onboarding />);
    await user.click(screen.getByRole('button', { name: /^Model of Ollama/ }));
    await user.click(screen.getByRole('option', { name: /llama/ }));
    await click('Use Ollama');
    expect(calls('settings.saveProvider')).toEqual([
      {
        provider: { id: 'ollama', name: 'Ollama', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:11434/v1', models: [] },
        key: { action: 'keep' },
      },
    ]);
    expect(calls('settings.finishOnboarding')).toEqual([{ model: 'ollama/llama' }]);
  });

  it('U8, W3: the hint about the key names the variable of the provider that is chosen', async () => {
    await openWindow(main, <Onboarding />);
    expect(withKey().getByText(/\$\{OPENAI_API_KEY\}/)).toBeTruthy();
    await user.click(withKey().getByRole('radio', { name: 'Gemini' }));
    expect(withKey().getByText(/\$\{GEMINI_API_KEY\}/)).toBeTruthy();
    await user.click(withKey().getByRole('radio', { name: 'Other' }));
    expect(withKey().getByText(/\$\{OPENROUTER_API_KEY\}/)).toBeTruthy();
  });

  it('U8: says that no local server runs, and looks again when asked', async () => {
    await openWindow(main, <Onboarding />);
    expect(screen.getByText(/No model server runs on this computer/)).toBeTruthy();
    servers = [{ name: 'LM Studio', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:1234/v1', models: [model('gemma')] }];
    await click('Look again');
    expect(screen.getByRole('button', { name: 'Use LM Studio' })).toBeTruthy();
  });

  it('U8: a wrong key shows the provider’s own words; the right one leads on with a model', async () => {
    const failure = makeFailure('badKey', 'm', {
      detail: { provider: 'OpenAI', status: 401, providerText: 'Incorrect API key provided: sk-…' },
    });
    tests = [
      { ok: false, models: [], failure },
      { ok: true, models: [model('gpt-5.5'), model('gpt-mini')] },
    ];
    await openWindow(main, <Onboarding />);
    await user.type(withKey().getByLabelText('API key'), 'sk-wrong');
    await click('Test', withKey());
    expect(withKey().getByRole('alert').textContent).toContain('OpenAI did not accept the API key');
    expect(withKey().getByRole('alert').textContent).toContain('Incorrect API key provided: sk-…');
    expect(withKey().getByLabelText('API key')).toHaveProperty('value', 'sk-wrong');
    await user.type(withKey().getByLabelText('API key'), '-right');
    expect(withKey().queryByRole('alert')).toBeNull();
    await click('Test', withKey());
    expect(withKey().getByRole('status').textContent).toBe('It works: 2 models');
    await click('Start chatting');
    expect(calls('settings.saveProvider')).toMatchObject([
      { provider: { id: 'openai' }, key: { action: 'set', value: 'sk-wrong-right', storage: 'keychain' } },
    ]);
    expect(calls('settings.finishOnboarding')).toEqual([{ model: 'openai/gpt-5.5' }]);
  });

  it('U8, W3: without a keychain it asks how to keep the key before anything is saved', async () => {
    main.keychain = false;
    tests = [{ ok: true, models: [model('gpt-5.5')] }];
    await openWindow(main, <Onboarding />);
    await user.type(withKey().getByLabelText('API key'), 'sk-1');
    await settle();
    await click('Test', withKey());
    await click('Start chatting');
    expect(calls('settings.saveProvider')).toEqual([]);
    expect(withKey().getByText('Choose how the key is kept.')).toBeTruthy();
    await user.click(withKey().getByRole('radio', { name: /For this run only/ }));
    await click('Start chatting');
    expect(calls('settings.saveProvider')).toMatchObject([{ key: { action: 'set', value: 'sk-1', storage: 'session' } }]);
    expect(calls('settings.finishOnboarding')).toEqual([{ model: 'openai/gpt-5.5' }]);
  });

  it('U8, P1: any OpenAI-compatible server by its address, with no key', async () => {
    tests = [{ ok: true, models: [model('m')] }];
    await openWindow(main, <Onboarding />);
    await user.click(withKey().getByRole('radio', { name: 'Other' }));
    await user.click(withKey().getByRole('combobox', { name: 'Which one' }));
    await user.click(screen.getByRole('option', { name: 'Any OpenAI-compatible server' }));
    await settle();
    expect(withKey().getByRole('button', { name: 'Test' })).toHaveProperty('disabled', true);
    await user.type(withKey().getByLabelText('Base URL'), 'localhost:9999/v1');
    await click('Test', withKey());
    await click('Start chatting');
    expect(calls('settings.saveProvider')).toMatchObject([
      { provider: { kind: 'openai-chat', baseUrl: 'localhost:9999/v1' }, key: { action: 'keep' } },
    ]);
  });

  it('U6, U8: when it can’t be finished, it says why and nothing typed is lost', async () => {
    await openWindow(main, <Onboarding />);
    main.failNext.set('settings.finishOnboarding', makeFailure('diskFull', 'full'));
    await click('Try the demo');
    expect(screen.getByText('The disk is full')).toBeTruthy();
    expect(appState().panel).toBe('onboarding');
    await click('Try the demo');
    expect(appState().panel).toBeNull();
  });
});
