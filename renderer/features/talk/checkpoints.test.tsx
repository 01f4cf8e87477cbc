// @vitest-environment happy-dom
// Checkpoints on messages (C1–C5), another agent's answer (A1), what is retold (X7), and turns that ended on a call.
import { fireEvent, screen, within } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ConversationId } from '../../../shared/model/ids';
import { addMessage, demoAgent, type FakeMain, failStep, startStep } from '../../testing/fakeMain';
import { openWindow, settle } from '../../testing/openWindow';
import { withTalk } from '../../testing/withTalk';
import { Talk } from './Talk';

let main: FakeMain;
let conversationId: ConversationId;

withTalk((fake, id) => {
  [main, conversationId] = [fake, id];
});

const say = (role: 'user' | 'assistant', text: string) => addMessage(main, { conversationId, role, text });
const articles = () => screen.getAllByRole('article');
const open = () =>
  openWindow(
    main,
    <main>
      <Talk />
    </main>,
    conversationId,
  );
const inputOf = (name: string) => main.calls.find((call) => call.name === name)?.input;
async function choose(opener: HTMLElement, item: string) {
  fireEvent.click(opener);
  await settle();
  fireEvent.click(screen.getByRole('menuitem', { name: item }));
  await settle();
}

describe('checkpoints', () => {
  it('C1: a message gets a name by its menu, shown as a mark; a used one is refused in place', async () => {
    const first = say('user', 'one');
    const second = say('assistant', 'two');
    main.checkpoints.push({ conversationId, messageId: first.id, label: 'start', by: 'agent', createdAt: 1 });
    await open();
    expect(within(articles()[0]!).getByRole('button', { name: 'Named start' })).toBeTruthy();
    fireEvent.click(within(articles()[1]!).getByRole('button', { name: 'Checkpoint' }));
    await settle();
    const form = within(screen.getByRole('dialog', { name: 'New checkpoint' }));
    const set = form.getByRole<HTMLButtonElement>('button', { name: 'Set checkpoint' });
    expect(set.disabled).toBe(true);
    const label = form.getByRole('textbox', { name: 'Label' });
    fireEvent.change(label, { target: { value: 'start' } });
    fireEvent.click(set);
    await settle();
    expect(form.getByRole('alert').textContent).not.toBe('');
    fireEvent.change(label, { target: { value: ' before the fix ' } });
    fireEvent.click(set);
    await settle();
    expect(main.checkpoints.at(-1)).toMatchObject({ messageId: second.id, label: 'before the fix', by: 'user' });
    expect(screen.queryByRole('dialog', { name: 'New checkpoint' })).toBeNull();
    expect(within(articles()[1]!).getByRole('button', { name: 'Named before the fix' })).toBeTruthy();
  });

  it('C3: rewind from a mark goes back with the words as a digest; what came after stays a branch', async () => {
    const first = say('assistant', 'clean');
    say('user', 'explore');
    say('assistant', 'explored');
    main.checkpoints.push({ conversationId, messageId: first.id, label: 'clean', by: 'user', createdAt: 1 });
    await open();
    await choose(screen.getByRole('button', { name: 'Named clean' }), 'Rewind to here…');
    const dialog = within(screen.getByRole('dialog', { name: /Rewind to “clean”/ }));
    fireEvent.change(dialog.getByRole('textbox'), { target: { value: 'It was the cache.' } });
    fireEvent.click(dialog.getByRole('button', { name: 'Rewind' }));
    await settle();
    expect(inputOf('checkpoints.rewind')).toEqual({ conversationId, label: 'clean', digest: 'It was the cache.' });
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(articles().map((article) => article.getAttribute('aria-label'))).toEqual(['Helper', 'Digest']);
    expect(articles()[1]!.textContent).toContain('It was the cache.');
    expect(within(articles()[1]!).getByText('2 / 2')).toBeTruthy();
  });

  it('C4, C5: a label that is gone by now is said in the dialog; a checkpoint can be removed', async () => {
    const first = say('assistant', 'clean');
    main.checkpoints.push({ conversationId, messageId: first.id, label: 'clean', by: 'user', createdAt: 1 });
    await open();
    await choose(screen.getByRole('button', { name: 'Named clean' }), 'Rewind to here…');
    main.failNext.set('checkpoints.rewind', { code: 'labelUnknown', message: 'x', retryable: false });
    fireEvent.click(screen.getByRole('button', { name: 'Rewind' }));
    await settle();
    expect(within(screen.getByRole('dialog')).getByRole('alert').textContent).not.toBe('');
    fireEvent.click(screen.getByRole('button', { name: 'Cancel' }));
    await settle();
    await choose(screen.getByRole('button', { name: 'Named clean' }), 'Remove checkpoint');
    expect(main.checkpoints).toEqual([]);
    expect(screen.queryByRole('button', { name: 'Named clean' })).toBeNull();
  });
});

describe('answers of several agents', () => {
  it('A1: another agent is asked for a version of its own', async () => {
    say('user', 'go');
    const answer = say('assistant', 'mine');
    await open();
    fireEvent.click(screen.getByRole('button', { name: 'Ask another agent' }));
    await settle();
    expect(screen.getAllByRole('menuitem').map((item) => item.textContent)).toEqual([expect.stringContaining('Demo')]);
    fireEvent.click(screen.getByRole('menuitem'));
    await settle();
    expect(inputOf('turn.regenerate')).toEqual({ conversationId, messageId: answer.id, agentId: demoAgent.id });
  });

  it('A1: with one agent there is nobody else to ask', async () => {
    main.settings = { ...main.settings, agents: main.settings.agents.slice(0, 1) };
    say('user', 'go');
    say('assistant', 'mine');
    await open();
    expect(screen.queryByRole('button', { name: 'Ask another agent' })).toBeNull();
  });
});

describe('how a message stands', () => {
  it('X7: what the agent’s transcript lacks is marked as retold, with the reason', async () => {
    say('user', 'go');
    addMessage(main, { conversationId, role: 'assistant', text: 'from elsewhere', retold: true });
    await open();
    expect(screen.getByText('Retold').dataset.tooltip).toMatch(/transcript lacks this message/);
  });

  it('X9: an answer at the tip that ends with a call can be continued, one above it cannot', async () => {
    const parts = [{ type: 'toolCall' as const, callId: '1', name: 'read_file', arguments: '{"path":"a"}', summary: 'Read a' }];
    say('user', 'go');
    const turnId = main.newId('trn');
    addMessage(main, { conversationId, role: 'assistant', turnId, parts });
    const last = addMessage(main, { conversationId, role: 'assistant', turnId, parts });
    await open();
    const buttons = screen.getAllByRole('button', { name: 'Continue' });
    expect(buttons).toHaveLength(1);
    fireEvent.click(buttons[0]!);
    await settle();
    expect(inputOf('turn.continue')).toEqual({ conversationId, messageId: last.id });
  });

  it('A5, X8: an agent that went in circles is a failed turn with Retry', async () => {
    const step = startStep(main, conversationId, say('user', 'go').id);
    failStep(main, step.id, { code: 'agentLoop', message: 'The agent went in circles: 7 of its calls were refused.', retryable: true });
    await open();
    const group = screen.getByRole('group', { name: 'Failed turn' });
    expect(within(group).getByRole('button', { name: 'Retry' })).toBeTruthy();
  });
});
