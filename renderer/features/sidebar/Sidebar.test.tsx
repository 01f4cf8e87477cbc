// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Conversation } from '../../../shared/model/conversation';
import { makeFailure } from '../../../shared/model/failure';
import type { MessageId } from '../../../shared/model/ids';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain, failStep, finishStep, startStep } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { Sidebar } from './Sidebar';

let main: FakeMain;
const day = 86_400_000;
const user = userEvent.setup({ delay: null });

const add = (title: string, ago = 0, more: Partial<Conversation> = {}) =>
  addConversation(main, { title, updatedAt: Date.now() - ago, ...more });
const list = () => screen.getByRole('navigation', { name: 'Conversations' });
const link = (name: string) => within(list()).getByRole('link', { name });
const titles = () =>
  within(list())
    .queryAllByRole('link')
    .map((row) => row.textContent);
const search = () => screen.getByRole('searchbox', { name: 'Search' });
const calls = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const onNew = vi.fn();
const show = () => openWindow(main, <Sidebar onNew={onNew} />);
const press = async (key: string) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { key });
  await settle();
};

beforeEach(() => {
  main = createFakeMain();
  onNew.mockClear();
});
afterEach(() => {
  closeWindow();
  resetWindow();
});

describe('Sidebar', () => {
  it('U1: lists conversations as links by title, grouped by time, pinned first', async () => {
    add('Yesterday’s', day);
    add('Fresh');
    add('Kept', 60 * day, { pinned: true });
    await show();
    expect(
      within(list())
        .getAllByRole('heading')
        .map((heading) => heading.textContent),
    ).toEqual(['Pinned', 'Today', 'Yesterday']);
    expect(titles()).toEqual(['Kept', 'Fresh', 'Yesterday’s']);
  });

  it('T9, U1: a fork, which has the title of its source, is told apart by a mark', async () => {
    const source = add('Oaks', day);
    add('Oaks', 0, { forkedFrom: { conversationId: source.id, messageId: 'm' as MessageId } });
    await show();
    expect(titles()).toEqual(['Oaks', 'Oaks']);
    const marked = within(list()).getAllByRole('img', { name: 'Forked from another conversation' });
    expect(marked).toHaveLength(1);
    expect(marked[0]?.parentElement?.contains(within(list()).getAllByRole('link', { name: 'Oaks' })[0] ?? null)).toBe(true);
  });

  it('U1: a click opens the conversation and marks it', async () => {
    const { id } = add('One');
    await show();
    await user.click(link('One'));
    await settle();
    expect(calls('talk.open')).toMatchObject([{ conversationId: id }]);
    expect(link('One').getAttribute('aria-current')).toBe('page');
  });

  it('U7: one tab stop; arrows, Home and End move, and the list can be entered from the search', async () => {
    for (const title of ['C', 'B', 'A']) add(title);
    for (const [id, row] of main.conversations)
      main.conversations.set(id, { ...row, updatedAt: Date.now() - row.title.charCodeAt(0) * 1000 });
    await show();
    const stops = () =>
      within(list())
        .getAllByRole('link')
        .filter((row) => row.tabIndex === 0);
    expect(stops()).toHaveLength(1);
    search().focus();
    await press('ArrowDown');
    expect(document.activeElement).toBe(link('A'));
    await press('ArrowDown');
    await press('ArrowDown');
    expect(document.activeElement).toBe(link('C'));
    await press('ArrowDown');
    expect(document.activeElement).toBe(link('C'));
    await press('Home');
    expect(document.activeElement).toBe(link('A'));
    await press('End');
    expect(document.activeElement).toBe(link('C'));
    expect(stops()).toEqual([link('C')]);
  });

  it('U1, U7: F2 renames in place; Enter keeps it, Escape does not, and focus comes back to the row', async () => {
    add('Draft name');
    await show();
    link('Draft name').focus();
    await press('F2');
    const field = screen.getByRole('textbox', { name: 'Conversation title' });
    expect(document.activeElement).toBe(field);
    await user.clear(field);
    await user.type(field, 'Better name{Enter}');
    await settle();
    expect(calls('conversations.rename')).toMatchObject([{ title: 'Better name' }]);
    expect(document.activeElement).toBe(link('Better name'));
    await press('F2');
    await user.type(screen.getByRole('textbox', { name: 'Conversation title' }), 'nonsense{Escape}');
    await settle();
    expect(calls('conversations.rename')).toHaveLength(1);
    expect(document.activeElement).toBe(link('Better name'));
  });

  it('U4, U7: Enter that belongs to an input method does not end the rename', async () => {
    add('線形代数');
    await show();
    link('線形代数').focus();
    await press('F2');
    const field = screen.getByRole('textbox', { name: 'Conversation title' });
    fireEvent.change(field, { target: { value: 'せんけい' } });
    fireEvent.keyDown(field, { key: 'Enter', isComposing: true });
    await settle();
    expect(calls('conversations.rename')).toEqual([]);
    expect(screen.getByRole('textbox', { name: 'Conversation title' })).toBe(field);
  });

  it('U1: the row’s menu pins and archives; archived ones have a view of their own', async () => {
    add('Mine');
    add('Other');
    await show();
    await user.click(screen.getByRole('button', { name: 'Actions for Mine' }));
    await user.click(screen.getByRole('menuitem', { name: 'Pin' }));
    await settle();
    expect(calls('conversations.setPinned')).toMatchObject([{ pinned: true }]);
    expect(within(list()).getAllByRole('heading')[0]?.textContent).toBe('Pinned');
    fireEvent.contextMenu(link('Mine'), { clientX: 30, clientY: 40 });
    await settle();
    await user.click(screen.getByRole('menuitem', { name: 'Archive' }));
    await settle();
    expect(titles()).toEqual(['Other']);
    await user.click(screen.getByRole('button', { name: 'Archived conversations' }));
    await settle();
    expect(titles()).toEqual(['Mine']);
    await user.click(screen.getByRole('button', { name: 'Back to all conversations' }));
    await settle();
    expect(titles()).toEqual(['Other']);
  });

  it('U7: closing the menu with Escape gives focus back to its button', async () => {
    add('Mine');
    await show();
    const button = screen.getByRole('button', { name: 'Actions for Mine' });
    await user.click(button);
    expect(button.getAttribute('aria-expanded')).toBe('true');
    await user.keyboard('{Escape}');
    await settle();
    expect(screen.queryByRole('menu')).toBeNull();
    expect(document.activeElement).toBe(button);
  });

  it('U1: search narrows by title, says when nothing matches, and Escape clears it', async () => {
    add('Parser recovery');
    add('Release notes');
    await show();
    await user.type(search(), 'parser');
    await settle();
    expect(titles()).toEqual(['Parser recovery']);
    await user.type(search(), 'xyz');
    await settle();
    expect(titles()).toEqual([]);
    expect(list().textContent).toBe('No title matches');
    await press('Escape');
    expect(titles()).toHaveLength(2);
    expect(search()).toHaveProperty('value', '');
  });

  it('U1: an empty list says what it is for', async () => {
    await show();
    expect(list().textContent).toContain('No conversations yet');
  });

  it('U1, U6: a list that can’t be read says why and is asked for again', async () => {
    add('Mine');
    main.failNext.set('conversations.list', makeFailure('databaseBusy', 'busy', { retryable: true }));
    await show();
    expect(within(list()).getByRole('alert').textContent).toContain('The database is in use');
    await user.click(within(list()).getByRole('button', { name: 'Try again' }));
    await settle();
    expect(titles()).toEqual(['Mine']);
  });

  it('U1: a dot says that an answer is being written, another that one failed until it is looked at', async () => {
    const { id } = add('Busy');
    const question = addMessage(main, { conversationId: id, role: 'user', text: 'x' });
    await show();
    const step = startStep(main, id, question.id);
    await waitFor(() => screen.getByRole('img', { name: 'An answer is being written' }));
    failStep(main, step.id, makeFailure('unreachable', 'x'));
    await waitFor(() => screen.getByRole('img', { name: 'The last answer failed' }));
    const again = startStep(main, id, question.id);
    await waitFor(() => screen.getByRole('img', { name: 'An answer is being written' }));
    finishStep(main, again.id);
    await waitFor(() => expect(screen.queryByRole('img', { name: /answer/ })).toBeNull());
  });

  it('U1: of 2,000 rows only those in sight are drawn, and the keys still reach the last', async () => {
    // A page without a layout: the list is 600 pixels tall, and what it is scrolled to is remembered.
    Object.defineProperty(HTMLElement.prototype, 'clientHeight', { configurable: true, get: () => 600 });
    Object.defineProperty(HTMLElement.prototype, 'scrollHeight', { configurable: true, get: () => 70_000 });
    try {
      for (let n = 0; n < 2000; n++) add(`Conversation ${n}`, n * 1000);
      await show();
      expect(titles()[0]).toBe('Conversation 0');
      expect(titles().length).toBeLessThan(80);
      link('Conversation 0').focus();
      await press('End');
      await waitFor(() => expect(document.activeElement?.textContent).toBe('Conversation 1999'));
      expect(titles().length).toBeLessThan(80);
    } finally {
      Reflect.deleteProperty(HTMLElement.prototype, 'clientHeight');
      Reflect.deleteProperty(HTMLElement.prototype, 'scrollHeight');
    }
  });

  it('U1: starts a new conversation, and says where messages go', async () => {
    main.settings = { ...main.settings, providers: main.settings.providers.filter((provider) => provider.kind === 'demo') };
    await show();
    await user.click(screen.getByRole('button', { name: 'New conversation' }));
    expect(onNew).toHaveBeenCalledOnce();
    expect(screen.getByRole('button', { name: 'Demo only' })).toBeTruthy();
  });
});
