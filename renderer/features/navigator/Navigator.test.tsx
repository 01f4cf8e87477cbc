// @vitest-environment happy-dom
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { focusTree, setOutlineFilter } from '../../state/outlineSlice';
import { talkState } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, conversationOf, type FakeMain, moveTip, startStep } from '../../testing/fakeMain';
import { setAnchors } from '../../testing/fakeOutline';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { Navigator } from './Navigator';

let main: FakeMain;
let conversationId: ConversationId;
const user = userEvent.setup({ delay: null });
beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
});
afterEach(() => {
  closeWindow();
  setOutlineFilter('all');
});

/** A prompt and its answer under `parentId`, else under the tip. */
function say(text: string, parentId?: MessageId | null): MessageId {
  addMessage(main, { conversationId, role: 'user', text, ...(parentId === undefined ? {} : { parentId }) });
  return addMessage(main, { conversationId, role: 'assistant', text: `re ${text}` }).id;
}
const show = () =>
  openWindow(
    main,
    <aside>
      <Navigator />
    </aside>,
    conversationId,
  );
const tree = () => screen.getByRole('tree', { name: 'Branches' });
const items = () => within(tree()).getAllByRole('treeitem');
const names = () => items().map((item) => item.getAttribute('aria-label'));
const item = (name: RegExp | string) => within(tree()).getByRole('treeitem', { name });
const tip = () => conversationOf(main, conversationId).tipId;
const press = async (key: string) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await settle();
};

/** Alpha; under it two branches: Beta, and Gamma with Delta, which has the tip. */
function plant() {
  const alpha = say('Alpha');
  const beta = say('Beta', alpha);
  say('Beta two', beta);
  const gamma = say('Gamma', alpha);
  const delta = say('Delta', gamma);
  return { alpha, beta, gamma, delta };
}

describe('Navigator', () => {
  it('U5, U7: an outline with the path marked, branches folded and counted', async () => {
    plant();
    await show();
    expect(names()).toEqual(['Alpha', 'Beta, branch of 2 turns', 'Gamma', 'Delta, tip']);
    expect(items().map((each) => each.getAttribute('aria-selected'))).toEqual(['true', 'false', 'true', 'true']);
    expect(items().map((each) => each.getAttribute('aria-level'))).toEqual(['1', '2', '1', '1']);
    expect(items().map((each) => [each.getAttribute('aria-posinset'), each.getAttribute('aria-setsize')])).toEqual([
      ['1', '3'],
      ['1', '1'],
      ['2', '3'],
      ['3', '3'],
    ]);
    expect(item(/Beta/).getAttribute('aria-expanded')).toBe('false');
    expect(item('Alpha').hasAttribute('aria-expanded')).toBe(false);
  });

  it('U5, T6: a click on a branch goes to its end and shows the message; on the path it only shows', async () => {
    const { beta, delta } = plant();
    await show();
    await user.click(item('Alpha'));
    await settle();
    expect(tip()).toBe(delta);
    expect(talkState().anchor).toMatchObject({ kind: 'at', depth: 0 });
    await user.click(item(/Beta/));
    await settle();
    expect(main.messages.get(tip()!)?.parentId && pathHolds(beta)).toBe(true);
    expect(names()).toEqual(['Alpha', 'Gamma, branch of 2 turns', 'Beta', 'Beta two, tip']);
    expect(talkState().anchor).toMatchObject({ kind: 'at', depth: 2 });
  });
  const pathHolds = (id: MessageId) => {
    for (let at = tip(); at; at = main.messages.get(at)?.parentId ?? null) if (at === id) return true;
    return false;
  };

  it('U5, U7: one tab stop; arrows move, unfold and fold, Enter goes', async () => {
    plant();
    await show();
    expect(
      items()
        .filter((each) => each.tabIndex === 0)
        .map((each) => each.getAttribute('aria-label')),
    ).toEqual(['Delta, tip']);
    item('Delta, tip').focus();
    await press('Home');
    await press('ArrowDown');
    expect(document.activeElement).toBe(item(/Beta/));
    await press('ArrowRight');
    expect(names()).toEqual(['Alpha', 'Beta', 'Beta two', 'Gamma', 'Delta, tip']);
    await press('ArrowRight');
    expect(document.activeElement).toBe(item('Beta two'));
    await press('ArrowLeft');
    await press('ArrowLeft');
    expect(names()).toEqual(['Alpha', 'Beta, branch of 2 turns', 'Gamma', 'Delta, tip']);
    await press('g');
    expect(document.activeElement).toBe(item('Gamma'));
    await press('ArrowUp');
    await press('Enter');
    expect(names().at(-1)).toBe('Beta two, tip');
  });

  it('U5, U6: keys that come faster than a frame each find the row that the one before went to', async () => {
    plant();
    await show();
    const type = (...keys: string[]) => {
      for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
    };
    item('Delta, tip').focus();
    type('ArrowUp', 'ArrowUp', 'ArrowDown');
    expect(document.activeElement).toBe(item('Gamma'));
    type('Home', 'ArrowDown', 'Enter');
    await waitFor(() => expect(names().at(-1)).toBe('Beta two, tip'));
  });

  it('U5: a straight run is one row that unfolds in place, and folds with Left', async () => {
    for (let at = 0; at < 9; at++) say(`turn ${at}`);
    await show();
    expect(names()).toEqual(['turn 0', '7 turns', 'turn 8, tip']);
    item('turn 0').focus();
    await press('ArrowDown');
    await press('Enter');
    expect(names()).toHaveLength(9);
    expect(document.activeElement).toBe(item('turn 1'));
    item('turn 4').focus();
    await press('ArrowLeft');
    expect(names()).toEqual(['turn 0', '7 turns', 'turn 8, tip']);
  });

  it('U5, T12: follows the tip, and says where something runs', async () => {
    const { beta } = plant();
    await show();
    startStep(main, conversationId, beta);
    await settle();
    expect(names()[1]).toBe('Beta, Running, branch of 2 turns');
    moveTip(main, conversationId, beta);
    main.emit({ type: 'conversationChanged', conversation: conversationOf(main, conversationId) });
    await settle();
    expect(names()).toContain('Beta, tip, Running');
  });

  it('U5: searches every branch and keeps the beginnings of those it found something on', async () => {
    plant();
    await show();
    const box = screen.getByRole('searchbox', { name: 'Search this conversation' });
    fireEvent.change(box, { target: { value: 'two' } });
    await waitFor(() => expect(names()).toEqual(['Beta', 'Beta two']));
    fireEvent.change(box, { target: { value: 'nowhere' } });
    await waitFor(() => expect(screen.getByText('Nothing found')).toBeTruthy());
    fireEvent.keyDown(box, { key: 'Escape' });
    await settle();
    expect(names()).toHaveLength(4);
  });

  it('U5, T10: the filter shows what is labelled, and says so where nothing is', async () => {
    const { beta } = plant();
    await show();
    setOutlineFilter('labelled');
    await settle();
    expect(screen.getByText('Nothing is labelled')).toBeTruthy();
    main.labels.push({ messageId: beta, label: 'plan B' });
    main.emit({ type: 'talkChanged', conversationId });
    await settle();
    expect(names()).toEqual(['Beta, label plan B']);
  });

  it('U5: the turns at which memory is anchored, also those in a straight run, with the branches they are on', async () => {
    for (let at = 0; at < 6; at++) say(`turn ${at}`);
    const third = [...main.messages.values()].find(
      (message) => message.role === 'assistant' && message.parts.some((part) => part.type === 'text' && part.text === 're turn 2'),
    );
    await show();
    setOutlineFilter('memory');
    await settle();
    expect(screen.getByText('No memory yet')).toBeTruthy();
    setAnchors(main, third ? [third.id] : []);
    main.emit({ type: 'talkChanged', conversationId });
    await waitFor(() => expect(names()).toEqual(['turn 2']));
  });

  it('U5, T8: deleted branches of this conversation are listed in the place of the tree, and come back from there', async () => {
    const { gamma } = plant();
    const other = addConversation(main, { title: 'Another' }).id;
    const elsewhere = addMessage(main, { conversationId: other, role: 'user', text: 'Elsewhere' }).id;
    await show();
    setOutlineFilter('trash');
    await settle();
    expect(screen.getByText('Nothing was deleted here')).toBeTruthy();
    await main.bridge.trash.remove({ conversationId: other, messageId: elsewhere });
    await main.bridge.trash.remove({ conversationId, messageId: main.messages.get(gamma)?.parentId ?? null });
    const list = await screen.findByRole('list', { name: 'Deleted branches' });
    expect(within(list).getAllByRole('listitem')).toHaveLength(1);
    const restore = within(list).getByRole('button', { name: 'Restore Gamma' });
    restore.focus();
    await user.click(restore);
    expect(await screen.findByText('Nothing was deleted here')).toBeTruthy();
    expect(main.trash.map(({ entry }) => entry.conversationId)).toEqual([other]);
    await user.click(screen.getByRole('button', { name: 'Show everything' }));
    await settle();
    expect(names()).toContain('Gamma');
  });

  it('U5: a preview comes when focus rests on a row, and Escape closes it alone', async () => {
    plant();
    await show();
    fireEvent.pointerEnter(item('Gamma'));
    await waitFor(() => expect(screen.getByRole('tooltip').textContent).toContain('re Gamma'), { timeout: 2000 });
    item('Gamma').focus();
    await press('Escape');
    expect(screen.queryByRole('tooltip')).toBeNull();
  });

  it('U5: no preview covers the talk where the focus only comes into the tree; the next key brings it', async () => {
    plant();
    await show();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    try {
      focusTree();
      await act(() => vi.advanceTimersByTimeAsync(1000));
      expect(document.activeElement).toBe(screen.getByRole('treeitem', { name: /, tip/ }));
      await act(() => vi.advanceTimersByTimeAsync(1000));
      expect(screen.queryByRole('tooltip')).toBeNull();
      // The ring is seen although it came there by a script.
      expect(document.querySelectorAll('[data-led]')).toHaveLength(1);
      fireEvent.keyDown(document.activeElement!, { key: 'Home' });
      await act(() => vi.advanceTimersByTimeAsync(1000));
      expect(screen.getByRole('tooltip')).toBeTruthy();
      expect(document.querySelectorAll('[data-led]')).toHaveLength(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('U5, T10: L writes a label in place, Enter sets it, Escape leaves it; D asks before it deletes', async () => {
    const { gamma } = plant();
    await show();
    item('Gamma').focus();
    await press('l');
    const field = within(item('Gamma')).getByRole('textbox', { name: 'Label' });
    await user.type(field, 'keep{Escape}');
    await settle();
    expect(main.labels).toEqual([]);
    item('Gamma').focus();
    await press('l');
    await user.type(within(item('Gamma')).getByRole('textbox', { name: 'Label' }), 'plan B{Enter}');
    await settle();
    expect(main.labels).toMatchObject([{ messageId: main.messages.get(gamma)?.parentId, label: 'plan B' }]);
    expect(names()).toContain('Gamma, label plan B');
    item(/Gamma/).focus();
    await press('d');
    expect(main.calls.at(-1)).toMatchObject({ name: 'trash.count', input: { messageId: main.messages.get(gamma)?.parentId } });
  });

  it('U5, I1: E asks to export the branch; the menu says the letters of its acts', async () => {
    const { gamma } = plant();
    const messageId = main.messages.get(gamma)?.parentId;
    await show();
    item('Gamma').focus();
    await press('e');
    expect(main.calls.at(-1)).toMatchObject({ name: 'export.count', input: { conversationId, messageId } });
    fireEvent.contextMenu(item('Gamma'), { clientX: 10, clientY: 10 });
    await settle();
    const letters = screen.getAllByRole('menuitem').map((each) => each.querySelector('kbd')?.textContent);
    expect(letters).toEqual(expect.arrayContaining(['Enter', 'L', 'F', 'E', 'D']));
    expect(letters).not.toContain(undefined);
    await user.click(screen.getByRole('menuitem', { name: /^Export branch/ }));
    await settle();
    expect(main.calls.filter(({ name }) => name === 'export.count')).toHaveLength(2);
  });

  it('R3, U5: says what it is for while there is nothing, and what went wrong', async () => {
    await show();
    expect(screen.getByText('No branches yet')).toBeTruthy();
    closeWindow();
    conversationId = addConversation(main, { title: 'Another' }).id;
    say('Alpha');
    main.failNext.set('outline.read', makeFailure('databaseBusy', 'The database is busy.', { retryable: true }));
    await openWindow(main, <Navigator />, conversationId);
    expect(screen.getByRole('alert').textContent).toContain('The branches can’t be shown');
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(names()).toEqual(['Alpha, tip']);
  });
});
