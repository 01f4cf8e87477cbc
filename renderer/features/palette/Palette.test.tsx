// @vitest-environment happy-dom
import { fireEvent, screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { commandTable } from '../../../shared/commands';
import { App } from '../../App';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain } from '../../testing/fakeMain';
import { installLayout } from '../../testing/layout';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';

let main: FakeMain;
let layout: ReturnType<typeof installLayout>;
const user = userEvent.setup({ delay: null });
const calls = (name: string) => main.calls.filter((call) => call.name === name).map((call) => call.input);
const palette = () => screen.queryByRole('dialog', { name: 'Commands' });
const box = () => screen.getByRole('combobox') as HTMLInputElement;
const options = () => within(screen.getByRole('listbox', { name: 'Commands' })).queryAllByRole('option');
const texts = () => options().map((option) => option.textContent);
const press = async (code: string, more: Partial<KeyboardEventInit> = {}) => {
  fireEvent.keyDown(document.activeElement ?? document.body, { code, key: code, ...more });
  await settle();
};
const open = () => press('KeyK', { ctrlKey: true });
const type = async (text: string) => {
  await user.type(box(), text);
  await settle();
};
const choose = async (text: string) => {
  await type(text);
  await press('Enter');
};
const show = async () => {
  const conversation = addConversation(main, { title: 'Release notes' });
  const question = addMessage(main, {
    conversationId: conversation.id,
    parentId: null,
    role: 'user',
    parts: [{ type: 'text', text: 'What is new' }],
  });
  const answer = addMessage(main, {
    conversationId: conversation.id,
    parentId: question.id,
    role: 'assistant',
    parts: [{ type: 'text', text: 'An otter' }],
  });
  await openWindow(main, <App />, conversation.id);
  return { conversation, answer };
};

beforeEach(() => {
  main = createFakeMain();
  layout = installLayout(() => 80);
  Object.defineProperty(window, 'innerWidth', { configurable: true, writable: true, value: 1280 });
});
afterEach(() => {
  closeWindow();
  resetWindow();
  layout.restore();
});

describe('the command palette', () => {
  it('U6, U7: Mod+K opens and closes it, focus is in its line and comes back', async () => {
    await show();
    const before = screen.getByRole('button', { name: 'Settings' });
    before.focus();
    await open();
    expect(document.activeElement).toBe(box());
    expect(box().getAttribute('aria-activedescendant')).toBe(options()[0]?.id);
    await open();
    expect(palette()).toBeNull();
    expect(document.activeElement).toBe(before);
    await open();
    await user.keyboard('{Escape}');
    await settle();
    expect(palette()).toBeNull();
  });

  it('U6: letters narrow it, arrows go round, Enter runs, and what was chosen comes first the next time', async () => {
    await show();
    await open();
    await type('sidep');
    expect(texts()[0]).toBe('Show or hide the side panelCtrl+Shift+B');
    await press('ArrowUp');
    expect(options().at(-1)?.getAttribute('aria-selected')).toBe('true');
    await press('ArrowDown');
    await press('Enter');
    expect(palette()).toBeNull();
    expect(screen.getByRole('complementary', { name: 'Side panel' })).toBeTruthy();
    expect(calls('workspace.saveInterface')).toContainEqual({ recentCommands: ['panel'] });
    await open();
    expect(texts()[0]).toContain('Show or hide the side panel');
    expect(screen.getByText('Used last')).toBeTruthy();
  });

  it('U6: no other shortcut fires while it is open, nor while an input method composes', async () => {
    await show();
    await open();
    await press('KeyB', { ctrlKey: true });
    expect(screen.getByRole('complementary', { name: 'Sidebar', hidden: true })).toBeTruthy();
    await type('trash');
    fireEvent.keyDown(box(), { code: 'Enter', key: 'Enter', isComposing: true });
    fireEvent.keyDown(box(), { code: 'Enter', key: 'Enter', keyCode: 229 });
    await settle();
    expect(palette()).toBeTruthy();
  });

  it('U6: what cannot be run says why, and Enter leaves it open', async () => {
    await openWindow(main, <App />);
    await open();
    await type('regenerate');
    expect(options()[0]?.getAttribute('aria-disabled')).toBe('true');
    expect(texts()[0]).toContain('No conversation is open');
    await press('Enter');
    expect(palette()).toBeTruthy();
  });

  it('U6: finds conversations, agents, models, and else offers the search over messages', async () => {
    const other = addConversation(main, { title: 'Winter moss' });
    await show();
    await open();
    await choose('wintmo');
    expect(calls('talk.open')).toContainEqual(expect.objectContaining({ conversationId: other.id }));
    await open();
    await type('answer with demo');
    expect(texts().some((text) => text?.startsWith('Answer with Demo'))).toBe(true);
    await user.clear(box());
    await type('zzqx');
    expect(texts()).toEqual(['Search messages for “zzqx”']);
    await press('Enter');
    expect(screen.getByRole<HTMLInputElement>('searchbox', { name: 'Search' }).value).toBe('zzqx');
  });

  it('U6, T10: what asks for words asks in place; what main refuses is said there and the words stay', async () => {
    const { answer } = await show();
    await open();
    await choose('label the last');
    expect(box().getAttribute('aria-label')).toBe('Label');
    await choose('good one');
    expect(calls('labels.set')).toMatchObject([{ messageId: answer.id, label: 'good one' }]);
    expect(palette()).toBeNull();
    await open();
    await choose('set a check');
    await choose('start');
    await open();
    await choose('set a check');
    await choose('start');
    expect(within(palette()!).getByRole('alert').textContent).toContain('is taken on this path');
    expect(box().value).toBe('start');
    await user.clear(box());
    await press('Backspace');
    expect(box().getAttribute('aria-label')).toBe('Find a command');
  });

  it('U6, C3: rewinding offers the checkpoints of the path', async () => {
    await show();
    await open();
    await choose('set a check');
    await choose('before all');
    await open();
    await choose('rewind');
    expect(texts()).toEqual(['before all']);
    await press('Enter');
    expect(calls('checkpoints.rewind')).toMatchObject([{ label: 'before all' }]);
  });

  it('K1, U6: every slash command is in it, found by its name', async () => {
    await show();
    await open();
    for (const { name } of commandTable) {
      await user.clear(box());
      await type(`/${name}`);
      expect([name, texts().some((text) => text?.includes(`/${name}`))]).toEqual([name, true]);
    }
  });

  it('U6, T8: opens no second dialog over one that is open', async () => {
    await show();
    await press('Backspace', { ctrlKey: true, shiftKey: true });
    expect(screen.getByRole('dialog')).toBeTruthy();
    await open();
    expect(palette()).toBeNull();
  });
});
