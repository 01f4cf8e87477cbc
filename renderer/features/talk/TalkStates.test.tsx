// @vitest-environment happy-dom
// What stands in the place of an answer that failed, broke off or waits (X8, X9, P3, P5).
import { act, fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../shared/model/ids';
import { addMessage, type FakeMain, failStep, setPhase, startStep } from '../../testing/fakeMain';
import { openWindow, settle } from '../../testing/openWindow';
import { withTalk } from '../../testing/withTalk';
import { Talk } from './Talk';

let main: FakeMain;
let conversationId: ConversationId;
const articles = () => within(screen.getByRole('feed', { name: 'Messages' })).getAllByRole('article');
const say = (role: 'user' | 'assistant', text: string) => addMessage(main, { conversationId, role, text });

withTalk((fake, id) => {
  [main, conversationId] = [fake, id];
});

describe('Talk, in the place of an answer', () => {
  it('X8: a failed turn is a group that says the cause in the provider’s words, and Retry asks main for this turn', async () => {
    const last = say('user', 'go');
    const step = startStep(main, conversationId, last.id);
    const turn = failStep(main, step.id, {
      code: 'rateLimited',
      message: 'x',
      retryable: true,
      detail: { status: 429, provider: 'Local', providerText: 'slow down, please' },
    })!;
    await openWindow(main, <Talk />, conversationId);
    const group = screen.getByRole('group', { name: 'Failed turn' });
    expect(group.textContent).toContain('slow down, please');
    expect(within(group).getByRole('button', { name: 'Change model' })).toBeTruthy();
    fireEvent.click(within(group).getByRole('button', { name: 'Retry' }));
    await settle();
    expect(main.calls.find((call) => call.name === 'turn.retry')?.input).toEqual({ conversationId, failedTurnId: turn.id });
    expect(screen.queryByRole('group', { name: 'Failed turn' })).toBeNull();
  });

  it('W4: in a read-only workspace a failed turn says its cause and offers neither Retry nor another model', async () => {
    const last = say('user', 'go');
    failStep(main, startStep(main, conversationId, last.id).id, { code: 'noKey', message: 'x', retryable: false });
    main.workspace = { ...main.workspace, status: 'readOnly' };
    await openWindow(main, <Talk />, conversationId);
    const group = screen.getByRole('group', { name: 'Failed turn' });
    expect(group.textContent).toContain('needs an API key');
    expect(
      within(group)
        .getAllByRole('button')
        .map((one) => one.textContent),
    ).toEqual(['Open settings']);
  });

  it('X8: a refused key leads to the settings that mend it', async () => {
    const last = say('user', 'go');
    failStep(main, startStep(main, conversationId, last.id).id, { code: 'noKey', message: 'x', retryable: false });
    await openWindow(main, <Talk />, conversationId);
    const { appState, closePanel } = await import('../../state/appSlice');
    fireEvent.click(screen.getByRole('button', { name: 'Open settings' }));
    expect(appState()).toMatchObject({ panel: 'settings', section: 'providers' });
    act(closePanel);
  });

  it('X9: an interrupted answer says so with its cause, keeps its text, and can be continued', async () => {
    say('user', 'go');
    const cut = addMessage(main, {
      conversationId,
      role: 'assistant',
      text: 'half an ans',
      status: 'interrupted',
      failure: { code: 'connectionLost', message: 'x', retryable: true, detail: { provider: 'Local' } },
    });
    await openWindow(main, <Talk />, conversationId);
    const article = articles().at(-1)!;
    expect(within(article).getByText('Interrupted', { exact: true })).toBeTruthy();
    expect(article.textContent).toContain('half an ans');
    expect(article.textContent).toContain('Local');
    fireEvent.click(within(article).getByRole('button', { name: 'Continue' }));
    await settle();
    expect(main.calls.find((call) => call.name === 'turn.continue')?.input).toEqual({ conversationId, messageId: cut.id });
  });

  it('P5, X9: an answer that the provider broke off says its words; those of the network are not repeated', async () => {
    say('user', 'go');
    for (const [code, providerText] of [
      ['serverError', 'upstream died\n at once'],
      ['connectionLost', 'terminated'],
    ] as const) {
      const failure = { code, message: 'x', retryable: true, detail: { provider: 'Local', providerText } };
      addMessage(main, { conversationId, role: 'assistant', text: 'half an ans', status: 'interrupted', failure });
    }
    await openWindow(main, <Talk />, conversationId);
    expect(articles().at(-2)!.textContent).toContain('upstream died at once');
    expect(articles().at(-1)!.textContent).not.toContain('terminated');
  });

  it('P3: a local server that reads the prompt is said to, with the time and a way out', async () => {
    const last = say('user', 'go');
    startStep(main, conversationId, last.id, { phase: 'waiting', local: true, startedAt: Date.now() - 65_000 });
    await openWindow(main, <Talk />, conversationId);
    const live = articles().at(-1)!;
    expect(live.textContent).toContain('Reading the prompt');
    expect(live.textContent).toMatch(/1 min \d s/);
    fireEvent.click(within(live).getByRole('button', { name: 'End the wait' }));
    await settle();
    expect(main.calls.some((call) => call.name === 'turn.stop')).toBe(true);
  });

  it('P5: a retry says what failed, when the next try is, and which it is', async () => {
    const last = say('user', 'go');
    const failure = { code: 'rateLimited', message: 'x', retryable: true, detail: { provider: 'Local' } } as const;
    startStep(main, conversationId, last.id, { phase: 'retrying', retry: { attempt: 1, at: Date.now() + 8000, failure } });
    await openWindow(main, <Talk />, conversationId);
    const live = articles().at(-1)!;
    expect(live.textContent).toContain('Local');
    expect(live.textContent).toMatch(/Trying again in [78] seconds · try 2/);
    act(() => setPhase(main, [...main.live.keys()][0]!, 'waiting'));
    await settle();
    expect(live.textContent).toContain('Waiting for the first words');
    expect(live.textContent).not.toContain('Trying again');
  });

  it('U6: a conversation that cannot be opened says why, and is tried again', async () => {
    say('user', 'go');
    say('assistant', 'went');
    main.failNext.set('talk.open', { code: 'databaseBusy', message: 'busy', retryable: true });
    await openWindow(main, <Talk />, conversationId);
    expect(screen.getByRole('alert').textContent).toContain('could not be opened');
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(articles()).toHaveLength(2);
  });
});
