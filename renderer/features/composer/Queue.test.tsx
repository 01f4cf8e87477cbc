// @vitest-environment happy-dom
// Messages written while an answer is written (A6).
import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId } from '../../../shared/model/ids';
import type { LiveStep } from '../../../shared/model/live';
import type { QueuedMessage } from '../../../shared/model/queue';
import { talkState } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, finishStep, makeAttachment, startStep } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Composer } from './Composer';

let main: FakeMain;
let conversationId: ConversationId;
let step: LiveStep;
const user = userEvent.setup({ delay: null });
const box = () => screen.getByRole<HTMLTextAreaElement>('textbox', { name: 'Message' });
const type = (text: string) => fireEvent.input(box(), { target: { value: text } });
const inputsOf = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const rows = () => within(screen.getByRole('list', { name: 'Queued messages' })).getAllByRole('listitem');
const press = async (init: KeyboardEventInit) => {
  fireEvent.keyDown(box(), init);
  await settle();
};
const click = async (element: HTMLElement) => {
  await user.click(element);
  await settle();
};
const rowButton = (row: number, name: string) => within(rows()[row]!).getByRole('button', { name });
function queue(change: Partial<QueuedMessage> = {}): QueuedMessage {
  const queued: QueuedMessage = {
    id: main.newId('que'),
    conversationId,
    turnId: step.turnId,
    mode: 'queue',
    text: 'then test it',
    attachments: [],
    held: false,
    createdAt: main.now(),
    ...change,
  };
  main.queue.push(queued);
  return queued;
}

beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  const prompt = addMessage(main, { conversationId, role: 'user', text: 'go' });
  step = startStep(main, conversationId, prompt.id);
});
afterEach(closeWindow);

describe('queue and steer', () => {
  it('A6, U4: while an answer is written Enter queues, Mod+Enter steers, and the box is empty for the next', async () => {
    await openWindow(main, <Composer />, conversationId);
    type('then test it');
    await press({ key: 'Enter' });
    type('in Python');
    await press({ key: 'Enter', ctrlKey: true });
    expect(inputsOf('queue.add')).toMatchObject([
      { text: 'then test it', mode: 'queue' },
      { text: 'in Python', mode: 'steer' },
    ]);
    expect(box().value).toBe('');
    expect(rows().map((row) => row.textContent)).toEqual(['After the answerthen test it', 'Before the next stepin Python']);
    expect(inputsOf('turn.start')).toEqual([]);
    expect(screen.getByRole('button', { name: 'Stop' })).toBeTruthy();
  });

  it('A6: with the other preference Enter is a line, Mod+Enter queues and Mod+Shift+Enter steers', async () => {
    main.settings = { ...main.settings, preferences: { ...main.settings.preferences, sendKey: 'modEnter' } };
    await openWindow(main, <Composer />, conversationId);
    for (const keys of [{}, { ctrlKey: true }, { ctrlKey: true, shiftKey: true }]) {
      type('words');
      await press({ key: 'Enter', ...keys });
    }
    expect(inputsOf('queue.add')).toMatchObject([{ mode: 'queue' }, { mode: 'steer' }]);
  });

  it('A6, U7: both can be done with buttons too, and neither with an empty box', async () => {
    await openWindow(main, <Composer />, conversationId);
    const button = (name: string) => screen.getByRole<HTMLButtonElement>('button', { name });
    expect([button('Queue message').disabled, button('Steer').disabled]).toEqual([true, true]);
    type('one');
    await click(button('Queue message'));
    type('two');
    await click(button('Steer'));
    expect(inputsOf('queue.add')).toMatchObject([{ mode: 'queue' }, { mode: 'steer' }]);
    expect(screen.queryByRole('button', { name: 'Send' })).toBeNull();
  });

  it('A6: a turn that ended on the way is no failure: the message is sent', async () => {
    await openWindow(main, <Composer />, conversationId);
    type('one more');
    main.failNext.set('queue.add', makeFailure('conflict', 'Nothing runs here any more.'));
    finishStep(main, step.id);
    await press({ key: 'Enter' });
    expect(inputsOf('turn.start')).toMatchObject([{ conversationId, text: 'one more' }]);
    expect(screen.queryByRole('alert')).toBeNull();
    expect(box().value).toBe('');
  });

  it('A6, U4: what main refuses stays in the box with the cause', async () => {
    main.failNext.set('queue.add', makeFailure('diskFull', 'full', { retryable: true }));
    await openWindow(main, <Composer />, conversationId);
    type('precious');
    await press({ key: 'Enter' });
    expect(box().value).toBe('precious');
    expect(screen.getByRole('alert').textContent).toContain('Your message is still here.');
  });

  it('A6: a queued message changes its mode and is removed', async () => {
    const queued = queue();
    await openWindow(main, <Composer />, conversationId);
    await click(rowButton(0, 'Steer instead'));
    expect(inputsOf('queue.change')).toEqual([{ queuedId: queued.id, text: 'then test it', attachments: [], mode: 'steer' }]);
    await click(rowButton(0, 'Queue instead'));
    expect(main.queue).toMatchObject([{ mode: 'queue' }]);
    await click(rowButton(0, 'Remove'));
    expect(main.queue).toEqual([]);
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('A6: editing takes it back into the box with its files, before what is written there', async () => {
    queue({ attachments: [makeAttachment('notes.txt', 'text/plain', 1)] });
    await openWindow(main, <Composer />, conversationId);
    type('a draft');
    expect(rows()[0]?.textContent).toContain('1 file');
    await click(rowButton(0, 'Edit'));
    expect(box().value).toBe('then test it\n\na draft');
    expect(document.activeElement).toBe(box());
    expect(within(screen.getByRole('list', { name: 'Attached files' })).getByText('notes.txt')).toBeTruthy();
    expect(main.queue).toEqual([]);
    const names = main.calls.map((call) => call.name);
    expect(names.lastIndexOf('drafts.save')).toBeLessThan(names.indexOf('queue.remove'));
  });

  it('A6: one that was sent meanwhile is not taken back: the box is as it was', async () => {
    queue();
    await openWindow(main, <Composer />, conversationId);
    type('a draft');
    main.queue = [];
    await click(rowButton(0, 'Edit'));
    expect(box().value).toBe('a draft');
    expect(screen.getByRole('alert')).toBeTruthy();
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('A6: one whose turn has ended says so and is sent or removed', async () => {
    finishStep(main, step.id);
    const held = queue({ held: true, mode: 'steer' });
    queue({ held: true, text: 'another' });
    await openWindow(main, <Composer />, conversationId);
    expect(rows()[0]?.textContent).toContain('Held: its turn has ended');
    expect(within(rows()[0]!).queryByRole('button', { name: /instead/ })).toBeNull();
    await click(rowButton(0, 'Send now'));
    expect(inputsOf('queue.send')).toEqual([{ queuedId: held.id }]);
    expect(talkState().ending?.type).toBe('live');
    await click(rowButton(0, 'Remove'));
    expect(screen.queryByRole('list')).toBeNull();
  });

  it('K1, A6: a command is run at once, never queued', async () => {
    await openWindow(main, <Composer />, conversationId);
    type('/title Trees');
    await press({ key: 'Enter' });
    expect(inputsOf('conversations.rename')).toHaveLength(1);
    expect(inputsOf('queue.add')).toEqual([]);
  });

  it('W4: in a read-only workspace what waits is shown and cannot be changed', async () => {
    queue({ held: true });
    main.workspace = { ...main.workspace, status: 'readOnly' };
    await openWindow(main, <Composer />, conversationId);
    expect(within(rows()[0]!).queryAllByRole('button')).toEqual([]);
  });
});
