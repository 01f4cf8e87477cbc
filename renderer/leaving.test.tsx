// @vitest-environment happy-dom
// Leaving a branch (T11), from every place a move is made: nothing, the question, or a digest at once; and the digest in the talk.
import { fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId, MessageId } from '../shared/model/ids';
import type { Preferences } from '../shared/model/settings';
import { Navigator } from './features/navigator/Navigator';
import { General } from './features/settings/General';
import { Talk } from './features/talk/Talk';
import { goToHit } from './state/searchSlice';
import { createFakeMain } from './testing/fakeBridge';
import { finishCarry } from './testing/fakeCarries';
import { addConversation, addMessage, conversationOf, type FakeMain, moveTip } from './testing/fakeMain';
import { installLayout } from './testing/layout';
import { closeWindow, openWindow, settle } from './testing/openWindow';

let main: FakeMain;
let conversationId: ConversationId;
let layout: ReturnType<typeof installLayout>;
/** Alpha; under it Beta with its answer, and Gamma with its own, which has the tip. */
let beta: MessageId;
let gamma: MessageId;

beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  layout = installLayout(() => 100);
  const root = ask('alpha');
  beta = ask('beta');
  moveTip(main, conversationId, root);
  gamma = ask('gamma');
});
afterEach(() => {
  closeWindow();
  layout.restore();
});

function ask(text: string): MessageId {
  addMessage(main, { conversationId, role: 'user', text });
  return addMessage(main, { conversationId, role: 'assistant', text: `re ${text}` }).id;
}
async function open(leavingBranch: Preferences['leavingBranch'] = 'nothing') {
  main.settings.preferences.leavingBranch = leavingBranch;
  await openWindow(
    main,
    <main>
      <Navigator />
      <Talk />
    </main>,
    conversationId,
  );
}
const carried = () => main.calls.filter(({ name }) => name === 'tree.carry').map(({ input }) => input);
const tip = () => conversationOf(main, conversationId).tipId;
const click = async (element: HTMLElement) => {
  fireEvent.click(element);
  await settle();
};
const row = (name: RegExp) => screen.getByRole('treeitem', { name });
const question = () => screen.getByRole('dialog', { name: 'Carry a digest' });
const inQuestion = () => within(question());
/** From Gamma to Beta by the version switcher. */
const switchBack = () => click(screen.getByRole('button', { name: 'Previous version' }));
async function goWithDigest(name: RegExp) {
  fireEvent.contextMenu(row(name), { clientX: 5, clientY: 5 });
  await settle();
  await click(screen.getByRole('menuitem', { name: /Go there with a digest/ }));
}

describe('by the settings', () => {
  it('T11: by default a move is a move', async () => {
    await open();
    await switchBack();
    expect(tip()).toBe(beta);
    expect(carried()).toEqual([]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it.each([
    ['the version switcher', switchBack],
    ['the navigator', () => click(row(/beta/))],
    ['a hit of the search', () => goToHit({ conversationId, messageId: beta }).then(settle)],
  ])('T11: by %s a digest is carried along where the settings say so', async (_, move) => {
    await open('digest');
    await move();
    expect(tip()).toBe(beta);
    expect(carried()).toEqual([{ conversationId, leftId: gamma, targetId: beta }]);
    expect(screen.queryByRole('dialog')).toBeNull();
  });

  it('T11: asked after the move, with how much was left; Cancel carries nothing', async () => {
    await open('ask');
    await switchBack();
    expect(tip()).toBe(beta);
    expect(question().textContent).toContain('2 messages stay on the branch you left');
    await click(inQuestion().getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(carried()).toEqual([]);
  });

  it('T11: nothing is asked where nothing is left', async () => {
    moveTip(main, conversationId, beta);
    const root = main.messages.get(main.messages.get(beta)?.parentId as MessageId)?.parentId as MessageId;
    moveTip(main, conversationId, root);
    await open('ask');
    await click(screen.getByRole('button', { name: 'Forward' }));
    expect(tip()).not.toBe(root);
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

it('T11: what happens is chosen in the settings and holds at once', async () => {
  main.settings.preferences.leavingBranch = 'nothing';
  await openWindow(
    main,
    <main>
      <General />
      <Talk />
    </main>,
    conversationId,
  );
  await click(within(screen.getByRole('radiogroup', { name: 'When leaving a branch' })).getByRole('radio', { name: 'Carry a digest' }));
  expect(main.settings.preferences.leavingBranch).toBe('digest');
  await switchBack();
  expect(carried()).toHaveLength(1);
});

describe('from a row of the navigator', () => {
  it('T11: goes there with a digest about the focus words, asked before the move', async () => {
    await open();
    await goWithDigest(/beta/);
    expect(tip()).toBe(gamma);
    await click(inQuestion().getByRole('radio', { name: 'A digest about…' }));
    await click(inQuestion().getByRole('button', { name: 'Go there' }));
    const words = inQuestion().getByRole('textbox', { name: 'Focus words' });
    expect(inQuestion().getByText('Say what it should be about.')).toBeTruthy();
    expect(document.activeElement).toBe(words);
    expect(tip()).toBe(gamma);
    fireEvent.change(words, { target: { value: ' the oak ' } });
    await click(inQuestion().getByRole('button', { name: 'Go there' }));
    expect(tip()).toBe(beta);
    expect(carried()).toEqual([{ conversationId, leftId: gamma, targetId: beta, focus: 'the oak' }]);
  });

  it('T11: Nothing only goes there; Cancel stays; asked once, whatever the settings say', async () => {
    await open('ask');
    await goWithDigest(/beta/);
    await click(inQuestion().getByRole('button', { name: 'Cancel' }));
    expect(tip()).toBe(gamma);
    await goWithDigest(/beta/);
    await click(inQuestion().getByRole('radio', { name: 'Nothing' }));
    await click(inQuestion().getByRole('button', { name: 'Go there' }));
    expect(tip()).toBe(beta);
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(carried()).toEqual([]);
  });

  it('T11, U5: by its key, too; a row on the path only shows', async () => {
    await open();
    row(/gamma/).focus();
    fireEvent.keyDown(row(/gamma/), { key: 'Enter', shiftKey: true });
    await settle();
    expect(screen.queryByRole('dialog')).toBeNull();
    row(/beta/).focus();
    fireEvent.keyDown(row(/beta/), { key: 'Enter', shiftKey: true });
    await settle();
    expect(question()).toBeTruthy();
  });

  it('T11: a move that main refuses carries nothing', async () => {
    await open();
    await goWithDigest(/beta/);
    main.failNext.set('tree.show', { code: 'notFound', message: 'x', retryable: false });
    await click(inQuestion().getByRole('button', { name: 'Go there' }));
    expect(carried()).toEqual([]);
  });
});

describe('the digest in the talk', () => {
  it('T11, R4: it is said while it is made, and can be stopped', async () => {
    await open('digest');
    await switchBack();
    expect(screen.getByText('A digest of the branch you left is being written.')).toBeTruthy();
    await click(screen.getByRole('button', { name: 'Stop the digest' }));
    expect(screen.queryByText('A digest of the branch you left is being written.')).toBeNull();
    expect(main.calls).toContainEqual({ name: 'tree.stopCarry', input: { conversationId, targetId: beta } });
  });

  it('T11: it says where it comes from, what it is about, that no model made it, and leads there', async () => {
    await open('digest');
    await switchBack();
    finishCarry(main, conversationId, { text: 'The oak is old.', digest: { focus: 'the oak', plain: true } });
    await settle();
    const digest = screen.getByRole('article', { name: 'Digest' });
    expect(digest.textContent).toContain('The oak is old.');
    expect(digest.textContent).toContain('carried over from another branch · put together without a model · about “the oak”');
    await click(within(digest).getByRole('button', { name: 'Show that branch' }));
    expect(tip()).toBe(gamma);
    expect(carried()).toHaveLength(1);
  });
});
