// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ConversationId, MessageId } from '../../../../shared/model/ids';
import { setNavigatorView } from '../../../state/layoutSlice';
import { focusTree } from '../../../state/outlineSlice';
import { createFakeMain } from '../../../testing/fakeBridge';
import { addConversation, addMessage, conversationOf, type FakeMain } from '../../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../../testing/openWindow';
import { resetWindow } from '../../../testing/resetWindow';
import { Navigator } from '../Navigator';

let main: FakeMain;
let conversationId: ConversationId;
const user = userEvent.setup({ delay: null });
beforeEach(() => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
});
afterEach(() => {
  closeWindow();
  resetWindow();
});

/** A prompt and its answer under `parentId`, else under the tip. */
function say(text: string, parentId?: MessageId | null): MessageId {
  addMessage(main, { conversationId, role: 'user', text, ...(parentId === undefined ? {} : { parentId }) });
  return addMessage(main, { conversationId, role: 'assistant', text: `re ${text}` }).id;
}
/** Alpha; under it Beta with two more turns, and Gamma with Delta, which has the tip. */
function plant() {
  const alpha = say('Alpha');
  const beta = say('Beta', alpha);
  say('Beta two', beta);
  say('Beta three');
  const gamma = say('Gamma', alpha);
  return { alpha, beta, gamma, delta: say('Delta', gamma) };
}
async function show() {
  await openWindow(main, <Navigator />, conversationId);
  setNavigatorView('map');
  await settle();
}
const tree = () => screen.getByRole('tree', { name: 'Map of branches' });
const names = () =>
  within(tree())
    .getAllByRole('treeitem')
    .map((each) => each.getAttribute('aria-label'));
const focused = () => document.activeElement?.getAttribute('aria-label');
const press = async (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await settle();
};
const focusTip = () => within(tree()).getByRole('treeitem', { name: /, tip/ }).focus();

describe('the map', () => {
  it('U5: is chosen in the head of the navigator, and the workspace keeps it', async () => {
    plant();
    await openWindow(main, <Navigator />, conversationId);
    await user.click(screen.getByRole('radio', { name: 'Map' }));
    await settle();
    expect(tree()).toBeTruthy();
    expect(main.calls.filter(({ name }) => name === 'workspace.saveInterface').at(-1)?.input).toEqual({ navigatorView: 'map' });
    await user.click(screen.getByRole('radio', { name: 'Outline' }));
    await settle();
    expect(screen.getByRole('tree', { name: 'Branches' })).toBeTruthy();
  });

  it('U5, U7: one tab stop, and beside it what the arrows lead to, with their place in the tree', async () => {
    plant();
    await show();
    expect(names()).toEqual(['Beta two', 'Gamma', 'Delta, tip']);
    focusTip();
    await press('ArrowUp');
    expect(focused()).toBe('Gamma');
    const gamma = document.activeElement;
    expect(['aria-level', 'aria-posinset', 'aria-setsize', 'aria-selected'].map((name) => gamma?.getAttribute(name))).toEqual([
      '2',
      '2',
      '2',
      'true',
    ]);
    await press('ArrowLeft');
    expect(focused()).toBe('Beta');
    expect(document.activeElement?.getAttribute('aria-selected')).toBe('false');
    await press('ArrowUp');
    expect(focused()).toBe('Alpha, 2 branches go on');
    // Down the path, to the end of what is there.
    await press('ArrowDown', 'ArrowDown', 'ArrowDown', 'ArrowDown');
    expect(focused()).toBe('Delta, tip');
    await press('ArrowLeft', 'ArrowDown');
    expect(focused()).toBe('Beta three');
    await press('Home');
    expect(focused()).toBe('Alpha, 2 branches go on');
    await press('End');
    expect(focused()).toBe('Delta, tip');
    expect(
      within(tree())
        .getAllByRole('treeitem')
        .filter((each) => each.tabIndex === 0),
    ).toHaveLength(1);
  });

  it('U5, T6: Enter goes there, and the map stays as it is', async () => {
    const { beta } = plant();
    await show();
    focusTip();
    await press('ArrowUp', 'ArrowLeft');
    await press('Enter');
    await waitFor(() => expect(focused()).toBe('Beta'));
    expect(document.activeElement?.getAttribute('aria-selected')).toBe('true');
    const path: string[] = [];
    for (let at = conversationOf(main, conversationId).tipId; at; at = main.messages.get(at)?.parentId ?? null) path.push(at);
    expect(path).toContain(beta);
    await press('End');
    expect(focused()).toBe('Beta three, tip');
  });

  it('U5, T10: the letters of the outline do the same here', async () => {
    const { gamma } = plant();
    const messageId = main.messages.get(gamma)?.parentId;
    await show();
    focusTip();
    await press('ArrowUp');
    await press('l');
    await user.type(screen.getByRole('textbox', { name: 'Label' }), 'plan B{Enter}');
    await settle();
    expect(main.labels).toMatchObject([{ messageId, label: 'plan B' }]);
    expect(focused()).toBe('Gamma, label plan B');
    await press('e');
    expect(main.calls.at(-1)).toMatchObject({ name: 'export.count', input: { messageId } });
    await press('d');
    expect(main.calls.at(-1)).toMatchObject({ name: 'trash.count', input: { messageId } });
  });

  it('U5, U6: the command for the tree leads into the map, too', async () => {
    plant();
    await show();
    focusTree();
    await settle();
    expect(focused()).toBe('Delta, tip');
  });

  it('U5: turns without a node of their own are said', async () => {
    for (let at = 0; at < 9; at++) say(`turn ${at}`);
    await show();
    expect(names()).toEqual(['turn 0', 'turn 8, tip, after 7 more turns']);
  });

  it('U5: larger and smaller by key and by button, back to the usual size, a preview where focus rests', async () => {
    plant();
    await show();
    const size = () => screen.getByRole('button', { name: /back to the usual size/ }).textContent;
    focusTip();
    await press('+', '+');
    expect(size()).toBe('156%');
    await press('-');
    expect(size()).toBe('125%');
    await press('0');
    expect(size()).toBe('100%');
    await user.click(screen.getByRole('button', { name: 'Larger' }));
    expect(size()).toBe('125%');
  });

  it('U5: comes back in its size and at its place after another view; with another tip only in its size', async () => {
    const proto = HTMLElement.prototype;
    const names = ['clientWidth', 'clientHeight'] as const;
    const before = names.map((name) => Object.getOwnPropertyDescriptor(proto, name));
    for (const name of names) Object.defineProperty(proto, name, { configurable: true, value: 300 });
    try {
      plant();
      await show();
      const percent = () => screen.getByRole('button', { name: /back to the usual size/ }).textContent;
      const scroller = () => document.querySelector('canvas')!.parentElement!.parentElement!;
      const away = async () => {
        setNavigatorView('outline');
        await settle();
        setNavigatorView('map');
        await settle();
      };
      await user.click(screen.getByRole('button', { name: 'Larger' }));
      scroller().scrollTo(40, 30);
      await away();
      expect([percent(), Math.round(scroller().scrollLeft), Math.round(scroller().scrollTop)]).toEqual(['125%', 40, 30]);
      setNavigatorView('outline');
      await settle();
      await user.click(screen.getAllByRole('treeitem', { name: /^Beta/ })[0]!);
      await settle();
      setNavigatorView('map');
      await settle();
      expect([percent(), scroller().scrollTop]).not.toEqual(['125%', 30]);
      expect(percent()).toBe('125%');
    } finally {
      names.forEach((name, at) => {
        Reflect.deleteProperty(proto, name);
        if (before[at]) Object.defineProperty(proto, name, before[at]);
      });
    }
  });

  it('U5, Q1: a search shows in the map what it found, and says where nothing was', async () => {
    for (let at = 0; at < 9; at++) say(`turn ${at}`);
    await show();
    const box = screen.getByRole('searchbox', { name: 'Search this conversation' });
    fireEvent.change(box, { target: { value: 'turn 4' } });
    await waitFor(() => expect(names()).toContain('turn 4, after 3 more turns'));
    fireEvent.change(box, { target: { value: 'nowhere' } });
    await waitFor(() => expect(screen.getByText('Nothing found')).toBeTruthy());
  });
});
