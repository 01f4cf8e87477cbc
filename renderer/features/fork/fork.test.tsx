// @vitest-environment happy-dom
// Forking in the whole window: the question, the copy, and both of its sides (T9).
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId } from '../../../shared/model/ids';
import { App } from '../../App';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain } from '../../testing/fakeMain';
import { installLayout } from '../../testing/layout';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';

let main: FakeMain;
let conversationId: ConversationId;
let layout: ReturnType<typeof installLayout>;
beforeEach(async () => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  layout = installLayout(() => 100);
  const first = addMessage(main, { conversationId, role: 'user', text: 'first' });
  addMessage(main, { conversationId, role: 'assistant', text: 'another answer' });
  addMessage(main, { conversationId, role: 'assistant', text: 'the answer', parentId: first.id });
  addMessage(main, { conversationId, role: 'user', text: 'goes on' });
  await openWindow(main, <App />, conversationId);
});
afterEach(() => {
  closeWindow();
  resetWindow();
  layout.restore();
});

const texts = () => screen.queryAllByRole('article').map((each) => each.textContent ?? '');
async function press(button: HTMLElement) {
  fireEvent.click(button);
  await settle();
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Fork conversation' }));
const askAt = (at: number) => press(within(screen.getAllByRole('article')[at]!).getByRole('button', { name: 'Fork from here' }));
const header = () => within(screen.getByRole('main'));

describe('the question', () => {
  it('T9: explains three scopes, each with its number of messages; Cancel copies nothing', async () => {
    await askAt(1);
    const choices = dialog().getAllByRole('radio');
    expect(choices.map((each) => (each as HTMLInputElement).value)).toEqual(['path', 'siblings', 'all']);
    expect(dialog().getByRole('radio', { name: 'This path', description: /From the first message to this one\. 2 messages/ })).toBeTruthy();
    expect(dialog().getByRole('radio', { name: 'Path with siblings', description: /3 messages/ })).toBeTruthy();
    expect(dialog().getByRole('radio', { name: 'Whole tree', description: /4 messages/ })).toBeTruthy();
    expect(screen.getByRole('dialog').querySelectorAll('svg').length).toBe(3);
    await press(dialog().getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(main.conversations.size).toBe(1);
  });

  it('T9: the choice is remembered, in the workspace, too', async () => {
    await askAt(1);
    await press(dialog().getByRole('radio', { name: 'Whole tree' }));
    await press(dialog().getByRole('button', { name: 'Fork' }));
    expect(main.settings.workspace.interface.forkScope).toBe('all');
    await askAt(0);
    expect((dialog().getByRole('radio', { name: 'Whole tree' }) as HTMLInputElement).checked).toBe(true);
  });

  it('T9, U6: what main refuses is said in the dialog, which stays for another try', async () => {
    await askAt(1);
    main.failNext.set('conversations.fork', makeFailure('diskFull', 'The disk is full.'));
    await press(dialog().getByRole('button', { name: 'Fork' }));
    expect(dialog().getByText(/disk/i)).toBeTruthy();
    await press(dialog().getByRole('button', { name: 'Fork' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(main.conversations.size).toBe(2);
  });

  it('R4: a fork that takes a while shows how far it is, and Stop takes it back', async () => {
    await askAt(1);
    let ended: () => void = () => undefined;
    main.answers['conversations.fork'] = () =>
      new Promise((resolve) => {
        ended = () => resolve(main.conversations.get(conversationId));
      });
    await press(dialog().getByRole('button', { name: 'Fork' }));
    act(() => main.emit({ type: 'forkProgress', conversationId, done: 1200, total: 100_000 }));
    await settle();
    expect(dialog().getByRole('progressbar', { name: 'Copied so far' }).getAttribute('value')).toBe('1200');
    expect(dialog().getByText('1,200 of 100,000 messages are copied.')).toBeTruthy();
    await press(dialog().getByRole('button', { name: 'Stop' }));
    ended();
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(texts()).toHaveLength(3);
  });
});

describe('the copy', () => {
  it('T9: is opened, goes on from the chosen message, and both sides lead to each other', async () => {
    await askAt(1);
    await press(dialog().getByRole('button', { name: 'Fork' }));
    expect(texts()).toHaveLength(2);
    expect(texts()[1]).toContain('the answer');
    await press(header().getByRole('button', { name: 'Forked from A talk' }));
    expect(texts()).toHaveLength(3);
    expect(header().queryByRole('button', { name: /Forked from/ })).toBeNull();
    await press(within(screen.getAllByRole('article')[1]!).getByRole('button', { name: '1 fork' }));
    expect(texts()).toHaveLength(2);
    await press(header().getByRole('button', { name: 'Forked from A talk' }));
    await askAt(1);
    await press(dialog().getByRole('button', { name: 'Fork' }));
    await press(header().getByRole('button', { name: 'Forked from A talk' }));
    await press(within(screen.getAllByRole('article')[1]!).getByRole('button', { name: '2 forks' }));
    expect(screen.getAllByRole('menuitem')).toHaveLength(2);
  });

  it('T9: says so where the source is gone', async () => {
    await askAt(1);
    await press(dialog().getByRole('button', { name: 'Fork' }));
    main.conversations.delete(conversationId);
    act(() => main.emit({ type: 'conversationRemoved', conversationId }));
    await settle();
    expect(screen.getByText('Forked from a conversation that is gone')).toBeTruthy();
  });

  it('K1, T9: /fork with a scope copies at once, without one it asks; the command stays in neither box', async () => {
    const box = () => screen.getByRole('textbox', { name: 'Message' }) as HTMLTextAreaElement;
    const run = async (text: string) => {
      fireEvent.change(box(), { target: { value: text } });
      await settle();
      fireEvent.keyDown(box(), { key: 'Escape' });
      fireEvent.keyDown(box(), { key: 'Enter' });
      await settle();
    };
    await run('/fork all');
    expect(main.conversations.size).toBe(2);
    expect(box().value).toBe('');
    await press(header().getByRole('button', { name: 'Forked from A talk' }));
    expect(box().value).toBe('');
    await run('/fork');
    expect(dialog().getAllByRole('radio')).toHaveLength(3);
    await press(dialog().getByRole('button', { name: 'Cancel' }));
    await run('/fork everything');
    expect(screen.getByText(/\/fork \[path\|siblings\|all\]/)).toBeTruthy();
  });
});
