// @vitest-environment happy-dom
// Slash commands in the message box: completion, what they do, what is said of them (K1, U4).
import { act, fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { AgentId, ConversationId } from '../../../shared/model/ids';
import { clearOutcome, closeCommandHelp } from '../../state/commandSlice';
import { startNewConversation } from '../../state/talkSlice';
import { talkState } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, failStep, helperAgent, startStep } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Composer } from './Composer';

let main: FakeMain;
let conversationId: ConversationId;
const user = userEvent.setup({ delay: null });
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message', hidden: true });
const inputsOf = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const list = () => screen.queryByRole('listbox');
const options = () => within(screen.getByRole('listbox')).getAllByRole('option');
const active = () => document.getElementById(box().getAttribute('aria-activedescendant') ?? '')?.textContent ?? null;
async function type(keys: string): Promise<void> {
  await user.click(box());
  await user.keyboard(keys);
  await settle();
}
async function run(text: string): Promise<void> {
  fireEvent.input(box(), { target: { value: text } });
  fireEvent.keyDown(box(), { key: 'Escape' });
  fireEvent.keyDown(box(), { key: 'Enter' });
  await settle();
}
const said = () => screen.getByRole('status').textContent;
const refusal = () => screen.getByRole('alert').textContent;

beforeEach(() => {
  main = createFakeMain();
  main.settings = { ...main.settings, agents: [helperAgent, { ...helperAgent, id: 'reviewer' as AgentId, name: 'Reviewer' }] };
  conversationId = addConversation(main, { title: 'A talk' }).id;
});
afterEach(() => {
  closeWindow();
  clearOutcome();
  closeCommandHelp();
});

describe('completion', () => {
  it('U4, U7: / lists the commands with their help; arrows move, Tab takes, and the box keeps the focus', async () => {
    await openWindow(main, <Composer />, conversationId);
    await type('/');
    expect(options()[0]?.textContent).toContain('/checkpoint LABEL');
    expect(options()[0]?.textContent).toContain('Names this place');
    expect(box().getAttribute('aria-controls')).toBe(list()?.id);
    expect(active()).toContain('/checkpoint');
    await type('{ArrowDown}{ArrowDown}{ArrowDown}');
    expect(active()).toContain('/fork');
    await type('{ArrowUp}{ArrowUp}{ArrowUp}{ArrowUp}');
    expect(active()).toContain('/help');
    await type('ti{Tab}');
    expect(box().value).toBe('/title ');
    expect(list()).toBeNull();
    expect(box().getAttribute('aria-activedescendant')).toBeNull();
    expect(document.activeElement).toBe(box());
  });

  it('U4: Enter takes what is begun, and sends what is whole', async () => {
    await openWindow(main, <Composer />, conversationId);
    await type('/age{Enter}');
    expect(box().value).toBe('/agent ');
    expect(active()).toBeNull();
    await type('rev{Enter}');
    expect(box().value).toBe('/agent Reviewer');
    await type('{Enter}');
    expect(inputsOf('conversations.setAgent')).toEqual([{ conversationId, agentId: 'reviewer' }]);
    expect(said()).toBe('Reviewer answers next.');
  });

  it('U4: @ completes a name in the middle of a text, and a click does the same', async () => {
    await openWindow(main, <Composer />, conversationId);
    await type('ask @re{Enter}now');
    expect(box().value).toBe('ask @Reviewer now');
    await user.clear(box());
    await type('@');
    await user.click(options()[0]!);
    await settle();
    expect(box().value).toBe('@Helper ');
    expect(document.activeElement).toBe(box());
    expect(inputsOf('turn.start')).toEqual([]);
  });

  it('U4, U6: Escape closes the list alone, until another word is begun; the answer that runs goes on', async () => {
    const prompt = addMessage(main, { conversationId, role: 'user', text: 'go' });
    startStep(main, conversationId, prompt.id);
    await openWindow(main, <Composer />, conversationId);
    await type('@h');
    await type('{Escape}');
    expect(list()).toBeNull();
    expect(inputsOf('turn.stop')).toEqual([]);
    await type('e');
    expect(list()).toBeNull();
    await type(' @');
    expect(options()).toHaveLength(2);
    await type('{Escape}{Escape}');
    expect(inputsOf('turn.stop')).toHaveLength(1);
  });

  it('U4: an input method keeps its keys and its letters: nothing is listed until it is done', async () => {
    await openWindow(main, <Composer />, conversationId);
    fireEvent.compositionStart(box());
    fireEvent.input(box(), { target: { value: '@h' }, isComposing: true });
    expect(list()).toBeNull();
    expect(fireEvent.keyDown(box(), { key: 'Enter', isComposing: true, keyCode: 229 })).toBe(true);
    fireEvent.compositionEnd(box());
    await settle();
    expect(box().value).toBe('@h');
    expect(options()).toHaveLength(1);
  });

  it('U4: letters that no event told of are not lost when a name is taken', async () => {
    await openWindow(main, <Composer />, conversationId);
    await type('안녕 @h');
    box().value = '안녕하세요 @he';
    box().setSelectionRange(9, 9);
    fireEvent.keyDown(box(), { key: 'Enter' });
    await settle();
    // The place moved: the key is not for the list, and the whole text is what is sent.
    expect(inputsOf('turn.start')).toMatchObject([{ text: '안녕하세요 @he' }]);
    await type('@h');
    box().value = '@hel';
    box().setSelectionRange(4, 4);
    fireEvent.keyDown(box(), { key: 'Tab' });
    await settle();
    expect(box().value).toBe('@Helper ');
  });

  it('U7: going back by Shift+Tab closes the list and passes over it', async () => {
    await openWindow(
      main,
      <>
        <button type="button">Before</button>
        <Composer />
      </>,
      conversationId,
    );
    await type('/');
    expect(list()).toBeTruthy();
    await user.tab({ shift: true });
    await settle();
    expect(list()).toBeNull();
    expect(document.activeElement?.textContent).toBe('Before');
  });

  it('U4: every letter typed while a list is open is in the box and in the draft', async () => {
    await openWindow(main, <Composer />, conversationId);
    const text = '@helper and @reviewer look at /this @ once';
    await type(text);
    expect(box().value).toBe(text);
    closeWindow();
    await settle();
    expect(main.drafts.get(conversationId)?.text).toBe(text);
  });

  it('C1, U4: /rewind offers the live labels, the newest first, and models are offered by name', async () => {
    const first = addMessage(main, { conversationId, role: 'user', text: 'go' });
    for (const label of ['start', 'before tests'])
      main.checkpoints.push({ conversationId, messageId: first.id, label, by: 'user', createdAt: 1 });
    await openWindow(main, <Composer />, conversationId);
    await type('/rewind ');
    expect(options().map((option) => option.textContent)).toEqual(['before tests', 'start']);
    await type('{Enter}');
    expect(box().value).toBe('/rewind "before tests" ');
    await user.clear(box());
    await type('/model m');
    expect(options().map((option) => option.textContent)).toEqual(['m1Local', 'm2Local']);
    await type('{ArrowDown}{Enter}');
    expect(box().value).toBe('/model local/m2');
    await type('{Enter}');
    expect(inputsOf('agents.setModel')).toEqual([{ agentId: 'helper', model: 'local/m2' }]);
  });
});

describe('commands', () => {
  it('K1: no command reaches the model; what it did is said until the next keystroke', async () => {
    await openWindow(main, <Composer />, conversationId);
    await run('/title Notes on trees');
    expect(inputsOf('conversations.rename')).toEqual([{ conversationId, title: 'Notes on trees' }]);
    expect(box().value).toBe('');
    expect(said()).toBe('The title is now “Notes on trees”.');
    await type('x');
    expect(screen.queryByRole('status')).toBeNull();
    expect(inputsOf('turn.start')).toEqual([]);
  });

  it.each(['/tree', '/export', '/fork', '/search oak'])('K1, U6: what %s opens says enough; no line is said over the box', async (line) => {
    addMessage(main, { conversationId, role: 'user', text: 'go' });
    await openWindow(main, <Composer />, conversationId);
    await run(line);
    expect(box().value).toBe('');
    expect(screen.queryByRole('status')).toBeNull();
  });

  it('U2: what a command did goes away with the next key or click anywhere, not with a modifier alone', async () => {
    await openWindow(main, <Composer />, conversationId);
    const line = () => screen.queryByText('The title is now “Oaks”.');
    await run('/title Oaks');
    fireEvent.keyDown(document.body, { key: 'Control' });
    fireEvent.pointerDown(line() ?? document.body);
    expect(line()).not.toBeNull();
    fireEvent.keyDown(document.body, { key: 'b', ctrlKey: true });
    expect(line()).toBeNull();
    await run('/title Oaks');
    fireEvent.pointerDown(document.body);
    expect(line()).toBeNull();
  });

  it.each([
    ['/retyr', 'There is no command /retyr. Did you mean /retry?'],
    ['/xyzzy', 'There is no command /xyzzy. /help lists them all.'],
    ['/checkpoint', 'Something is missing: /checkpoint LABEL'],
    ['/retry now', 'Too much is given: /retry'],
    ['/rewind nowhere', 'There is no checkpoint “nowhere” on this path. There are none yet.'],
    ['/agent reveiwer', 'No agent is named “reveiwer”. Did you mean Reviewer? There are: Helper, Reviewer.'],
    ['/model local', 'Several models fit “local”.'],
    ['/model gpt', 'No model is named “gpt”.'],
    ['/retry', 'Nothing to retry'],
  ])('K1: %s is refused in place, and the text stays', async (text, words) => {
    await openWindow(main, <Composer />, conversationId);
    await run(text);
    expect(refusal()).toContain(words);
    expect(box().value).toBe(text);
    expect(inputsOf('turn.start')).toEqual([]);
  });

  it.each(['//help', ' /help', '/usr/bin is a path'])('K1: %j is a message', async (text) => {
    await openWindow(main, <Composer />, conversationId);
    await run(text);
    expect(inputsOf('turn.start')).toMatchObject([{ text }]);
  });

  it('C1, C5: a checkpoint is set at the tip and gone back to with the words as its digest; a used label lists the live ones', async () => {
    const first = addMessage(main, { conversationId, role: 'user', text: 'go' });
    await openWindow(main, <Composer />, conversationId);
    await run('/checkpoint before tests');
    expect(main.checkpoints).toMatchObject([{ messageId: first.id, label: 'before tests' }]);
    await run('/checkpoint before tests');
    expect(refusal()).toContain('“before tests” is taken on this path. Choose another label. There are: before tests.');
    addMessage(main, { conversationId, role: 'assistant', text: 'explored' });
    await run('/rewind before tests nothing was found');
    expect(inputsOf('checkpoints.rewind')).toEqual([{ conversationId, label: 'before tests', digest: 'nothing was found' }]);
    expect(said()).toContain('Back at “before tests”, with your digest.');
    const tip = talkState().path.tipId;
    expect(main.messages.get(tip!)).toMatchObject({ role: 'digest', parentId: first.id });
  });

  it('X8: Retry tries the failed turn; nothing that failed and nothing loaded are told apart', async () => {
    const prompt = addMessage(main, { conversationId, role: 'user', text: 'go' });
    const step = startStep(main, conversationId, prompt.id);
    const turn = failStep(main, step.id, makeFailure('serverError', 'It broke.', { retryable: true }));
    await openWindow(main, <Composer />, conversationId);
    await run('/retry');
    expect(inputsOf('turn.retry')).toEqual([{ conversationId, failedTurnId: turn?.id }]);
    await run('/retry');
    expect(refusal()).toContain('Nothing to retry: the last turn here has not failed.');
    act(() => startNewConversation());
    await settle();
    await run('/retry');
    expect(refusal()).toContain('Nothing is loaded');
    expect(inputsOf('turn.retry')).toHaveLength(1);
  });

  it('K1: what main refuses is said in place, and the text stays', async () => {
    main.failNext.set('conversations.rename', makeFailure('diskFull', 'full', { retryable: true }));
    await openWindow(main, <Composer />, conversationId);
    await run('/title Trees');
    expect(refusal()).toContain('disk');
    expect(box().value).toBe('/title Trees');
  });

  it('K1, U4: what is typed while a command runs stays', async () => {
    await openWindow(main, <Composer />, conversationId);
    fireEvent.input(box(), { target: { value: '/title Trees' } });
    fireEvent.keyDown(box(), { key: 'Enter' });
    fireEvent.input(box(), { target: { value: '/title Trees and a thought' } });
    await settle();
    expect(inputsOf('conversations.rename')).toMatchObject([{ title: 'Trees' }]);
    expect(box().value).toBe('and a thought');
  });

  it('A1, K1: before the first message a command chooses the agent, and the ones about a conversation say that there is none', async () => {
    await openWindow(main, <Composer />);
    await run('/agent reviewer');
    expect(screen.getByRole('button', { name: 'Reviewer answers next' })).toBeTruthy();
    await run('/agent');
    expect(said()).toBe('Reviewer answers next. Agents: Helper, Reviewer.');
    await run('/checkpoint here');
    expect(refusal()).toContain('There is no conversation yet');
  });

  it('K1, U7: /help lists every command in a dialog, with the rule for lines that are none; focus comes back', async () => {
    await openWindow(main, <Composer />, conversationId);
    await type('/help{Enter}');
    const help = screen.getByRole('dialog', { name: 'Slash commands' });
    expect(
      within(help)
        .getAllByRole('term')
        .map((term) => term.textContent?.trim()),
    ).toContain('/rewind LABEL [digest words]');
    expect(help.textContent).toContain('put a space before it');
    expect(box().value).toBe('');
    await user.keyboard('{Escape}');
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(document.activeElement).toBe(box());
  });

  it('A1: who will answer is said while the text addresses agents', async () => {
    await openWindow(main, <Composer />, conversationId);
    await type('@reviewer and then @helper');
    expect(screen.getByText('Answered by Reviewer, then Helper')).toBeTruthy();
  });
});
