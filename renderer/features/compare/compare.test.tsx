// @vitest-environment happy-dom
// Two branches beside each other in the whole window: the ways in, the marks, from difference to difference, and on from either side (T13).
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { App } from '../../App';
import { askToCompare, closeCompare } from '../../state/compareSlice';
import { setAreaOpen } from '../../state/layoutSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, conversationOf, type FakeMain } from '../../testing/fakeMain';
import { installLayout } from '../../testing/layout';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
// The window loads it on first use.
import './CompareDialog';

let main: FakeMain;
let conversationId: ConversationId;
let layout: ReturnType<typeof installLayout>;
beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  layout = installLayout(() => 100, 600);
});
afterEach(() => {
  closeCompare();
  closeWindow();
  resetWindow();
  layout.restore();
});

const user = (text: string, parentId?: MessageId) =>
  addMessage(main, { conversationId, role: 'user', text, ...(parentId ? { parentId } : {}) });
const answer = (text: string) => addMessage(main, { conversationId, role: 'assistant', text });

/** Two prompts under one answer, each with its answer; the second is the current branch. */
function plantTwo() {
  user('first');
  const shared = answer('the shared answer');
  user('tell me of the sea', shared.id);
  const left = answer('The sea is blue and wide. The sun is warm.');
  user('tell me of the sky', shared.id);
  const right = answer('The sea is green and wide. The sun is cold.');
  return { left: left.id, right: right.id };
}
const open = (ends: { left: MessageId; right: MessageId }) =>
  act(async () => {
    askToCompare({ conversationId, ...ends });
  });
const shown = async () => within(await screen.findByRole('dialog', { name: 'Compare branches' }));
const marks = (role: 'deletion' | 'insertion') =>
  [...document.querySelectorAll(role === 'deletion' ? 'article del' : 'article ins')].map((each) => each.textContent);
async function press(button: HTMLElement) {
  fireEvent.click(button);
  await settle();
}
async function key(name: string, more: KeyboardEventInit = {}) {
  fireEvent.keyDown(document.querySelector('[data-compare]')!, { key: name, ...more });
  await settle();
}

describe('two branches side by side', () => {
  it('T13: shows where they part, each branch by its name, and marks only the words that differ', async () => {
    const ends = plantTwo();
    await openWindow(main, <App />, conversationId);
    await open(ends);
    const dialog = await shown();
    await waitFor(() => expect(marks('deletion')).toEqual(['sea', 'blue', 'warm']));
    expect(marks('insertion')).toEqual(['sky', 'green', 'cold']);
    expect(dialog.getByText('Same up to the answer of Helper: the shared answer')).toBeTruthy();
    expect(within(dialog.getByRole('group', { name: 'Branch A' })).getByRole('heading', { name: 'tell me of the sea' })).toBeTruthy();
    const right = within(dialog.getByRole('group', { name: 'Branch B' }));
    expect(right.getByText('2 messages')).toBeTruthy();
    expect(right.getByText('Current branch')).toBeTruthy();
    expect(dialog.getByRole('article', { name: 'Helper, in A' }).textContent).toContain('The sea is blue and wide.');
  });

  it('T13, U7: N and P, or Alt with arrows, go from difference to difference and say where', async () => {
    const ends = plantTwo();
    await openWindow(main, <App />, conversationId);
    await open(ends);
    const dialog = await shown();
    const current = () => [...document.querySelectorAll('article [data-current]')].map((each) => each.textContent);
    await key('n');
    await waitFor(() => expect(current()).toEqual(['sea', 'sky']));
    await key('n');
    await key('ArrowDown', { altKey: true });
    expect(current()).toEqual(['warm', 'cold']);
    expect(dialog.getByText('Turn 1, change 2 of 2')).toBeTruthy();
    await key('n');
    expect(dialog.getByText('No difference after this')).toBeTruthy();
    await key('p');
    expect(current()).toEqual(['blue', 'green']);
    await press(dialog.getByRole('button', { name: 'Previous difference' }));
    await key('ArrowUp', { altKey: true });
    expect(dialog.getByText('No difference before this')).toBeTruthy();
  });

  it('T13: answers as shown are Markdown without marks, and say that they differ', async () => {
    const ends = plantTwo();
    await openWindow(main, <App />, conversationId);
    await open(ends);
    const dialog = await shown();
    await press(dialog.getByRole('radio', { name: 'As shown' }));
    expect(marks('deletion')).toEqual(['sea']);
    expect(dialog.getAllByText('Differs')).toHaveLength(2);
    await key('p');
    await waitFor(() => expect(dialog.getByText('Turn 1')).toBeTruthy());
  });

  it('T13: what is beyond the shorter branch stands alone and unmarked; equal messages say so', async () => {
    const shared = user('first');
    answer('same words');
    const left = conversationOf(main, conversationId).tipId!;
    addMessage(main, { conversationId, role: 'assistant', text: 'same words', parentId: shared.id });
    user('more');
    const right = answer('and more');
    await openWindow(main, <App />, conversationId);
    await open({ left, right: right.id });
    const dialog = await shown();
    await waitFor(() => expect(dialog.getAllByText('Same in both')).toHaveLength(2));
    expect(dialog.getByText('A ends here')).toBeTruthy();
    expect(marks('insertion')).toEqual([]);
    await key('n');
    expect(dialog.getByText('No difference in what both have')).toBeTruthy();
  });

  it('T13: a branch that is the start of the other has nothing of its own', async () => {
    const first = user('first');
    const right = answer('an answer');
    await openWindow(main, <App />, conversationId);
    await open({ left: first.id, right: right.id });
    const dialog = await shown();
    expect(dialog.getByText('Ends with the message both share')).toBeTruthy();
    expect(dialog.getByText('A ends here')).toBeTruthy();
  });

  it('T13, U6: what cannot be read is said in the dialog, and tried again there', async () => {
    const ends = plantTwo();
    await openWindow(main, <App />, conversationId);
    main.failNext.set('tree.compare', makeFailure('diskFull', 'The disk is full.'));
    await open(ends);
    const dialog = await shown();
    await waitFor(() => expect(dialog.getByText('The branches can’t be compared')).toBeTruthy());
    main.failNext.set('tree.branchSlice', makeFailure('diskFull', 'The disk is full.'));
    await press(dialog.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(dialog.getByText('Some messages can’t be shown')).toBeTruthy());
    await press(dialog.getByRole('button', { name: 'Try again' }));
    await waitFor(() => expect(marks('insertion')).toEqual(['sky', 'green', 'cold']));
    expect(dialog.queryByRole('alert')).toBeNull();
  });
});

describe('long branches', () => {
  it('T13, N6: few rows are drawn; a difference far away is found and brought into view', async () => {
    const shared = user('first');
    const ends: MessageId[] = [];
    for (const side of ['left', 'right']) {
      let parentId = shared.id;
      for (let at = 0; at < 300; at++) {
        const text = at === 251 ? `only ${side}` : `message ${at}`;
        parentId = addMessage(main, { conversationId, role: at % 2 === 0 ? 'assistant' : 'user', text, parentId }).id;
      }
      ends.push(parentId);
    }
    const scrolled = vi.spyOn(Element.prototype, 'scrollIntoView').mockImplementation(() => undefined);
    await openWindow(main, <App />, conversationId);
    await open({ left: ends[0]!, right: ends[1]! });
    await shown();
    await waitFor(() => expect(document.querySelectorAll('[data-compare] article').length).toBeGreaterThan(4));
    expect(document.querySelectorAll('[data-compare] article').length).toBeLessThan(60);
    const slices = () => main.calls.filter(({ name }) => name === 'tree.branchSlice').map(({ input }) => input as { count: number });
    expect(slices()).toHaveLength(2);
    await key('n');
    // This page scrolls without saying so.
    await waitFor(() => {
      fireEvent.scroll(document.querySelector('[data-compare]')!);
      expect(marks('deletion')).toEqual(['left']);
    });
    // Coming back to it by scrolling is left to the reader.
    expect(scrolled).toHaveBeenCalledTimes(1);
    const list = document.querySelector('[data-compare]')!;
    for (const top of [0, list.scrollTop]) {
      list.scrollTop = top;
      fireEvent.scroll(list);
      await settle();
      expect(marks('deletion')).toEqual(top === 0 ? [] : ['left']);
    }
    expect(scrolled).toHaveBeenCalledTimes(1);
    scrolled.mockRestore();
    expect(slices().every(({ count }) => count <= 200)).toBe(true);
    expect(document.querySelectorAll('[data-compare] article').length).toBeLessThan(60);
  });
});

describe('ways in and on', () => {
  it('T13, U5: C on a row compares its branch with the current one; a row of the path says that there is nothing to compare', async () => {
    plantTwo();
    await openWindow(main, <App />, conversationId);
    act(() => setAreaOpen('panel', true));
    await settle();
    const row = (name: RegExp) => screen.getByRole('treeitem', { name });
    // The panel's code comes when it is first opened.
    (await screen.findByRole('treeitem', { name: /tell me of the sea/ }, { timeout: 15_000 })).focus();
    fireEvent.keyDown(row(/tell me of the sea/), { key: 'c' });
    await settle();
    await waitFor(() => expect(marks('insertion')).toEqual(['sky', 'green', 'cold']));
    act(() => closeCompare());
    fireEvent.keyDown(row(/first/), { key: 'c' });
    await settle();
    expect((await shown()).getByText('This is the current branch')).toBeTruthy();
  });

  it('T13: a version is compared with the one before it, the first with the one after; the older is on the left', async () => {
    plantTwo();
    await openWindow(main, <App />, conversationId);
    await press(screen.getByRole('button', { name: 'Compare with the version before' }));
    await waitFor(() => expect(marks('insertion')).toEqual(['sky', 'green', 'cold']));
    act(() => closeCompare());
    await press(screen.getByRole('button', { name: 'Previous version' }));
    await press(screen.getByRole('button', { name: 'Compare with the version after' }));
    await waitFor(() => expect(marks('insertion')).toEqual(['sky', 'green', 'cold']));
  });

  it('T13, T3: Go on from here moves the tip to the end of that side, closes, and the composer has the focus', async () => {
    const ends = plantTwo();
    await openWindow(main, <App />, conversationId);
    await open(ends);
    const dialog = await shown();
    await press(await dialog.findByRole('button', { name: 'Go on from here: branch A' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(conversationOf(main, conversationId).tipId).toBe(ends.left);
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' })));
  });

  it('T13, T12: a turn that ran on there meanwhile is followed; of a side with nothing of its own it is the shared message', async () => {
    const ends = plantTwo();
    await openWindow(main, <App />, conversationId);
    await open(ends);
    const dialog = await shown();
    await dialog.findByRole('button', { name: 'Go on from here: branch A' });
    const tip = conversationOf(main, conversationId).tipId;
    const grown = addMessage(main, { conversationId, role: 'assistant', text: 'one more step', parentId: ends.left });
    main.conversations.set(conversationId, { ...conversationOf(main, conversationId), tipId: tip });
    await press(dialog.getByRole('button', { name: 'Go on from here: branch A' }));
    expect(conversationOf(main, conversationId).tipId).toBe(grown.id);
    const shared = main.messages.get(main.messages.get(ends.left)!.parentId!)!.parentId!;
    await open({ left: shared, right: grown.id });
    await press(await (await shown()).findByRole('button', { name: 'Go on from here: branch A' }));
    expect(conversationOf(main, conversationId).tipId).toBe(shared);
  });

  it('T13, W4: reading only, nothing offers to go on', async () => {
    const ends = plantTwo();
    main.workspace = { ...main.workspace, status: 'readOnly' };
    await openWindow(main, <App />, conversationId);
    await open(ends);
    const dialog = await shown();
    await dialog.findByRole('group', { name: 'Branch A' });
    expect(dialog.queryByRole('button', { name: /Go on/ })).toBeNull();
  });
});
