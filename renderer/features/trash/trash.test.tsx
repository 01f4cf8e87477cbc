// @vitest-environment happy-dom
// Deleting, the way back, and the trash, in the whole window (T8).
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId } from '../../../shared/model/ids';
import { App } from '../../App';
import { addMessage, type FakeMain } from '../../testing/fakeMain';
import { openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { withTalk } from '../../testing/withTalk';

let main: FakeMain;
let conversationId: ConversationId;

afterEach(resetWindow);
withTalk((fake, id) => {
  [main, conversationId] = [fake, id];
});
const say = (role: 'user' | 'assistant', text: string) => addMessage(main, { conversationId, role, text });
const texts = () => screen.queryAllByRole('article').map((each) => each.textContent ?? '');
const open = () => openWindow(main, <App />, conversationId);
async function press(button: HTMLElement) {
  fireEvent.click(button);
  await settle();
}
const dialog = (name = 'Delete messages') => within(screen.getByRole('dialog', { name }));
async function askFor(at: number) {
  await press(within(screen.getAllByRole('article')[at]!).getByRole('button', { name: 'Delete' }));
}

describe('deleting messages', () => {
  it('T8: asks with the counts and says that backups keep them; Cancel changes nothing', async () => {
    const first = say('user', 'first');
    say('assistant', 'answer one');
    addMessage(main, { conversationId, role: 'assistant', text: 'answer two', parentId: first.id });
    await open();
    await askFor(0);
    expect(dialog().getByText('3 messages on 2 branches, 1 of them not visible now.')).toBeTruthy();
    expect(dialog().getByText(/Backups keep them until they rotate/)).toBeTruthy();
    await press(dialog().getByRole('button', { name: 'Cancel' }));
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(texts()).toHaveLength(2);
  });

  it('T8, U7: focus that went with the message is in the message box', async () => {
    say('user', 'first');
    say('assistant', 'the answer');
    await open();
    within(screen.getAllByRole('article')[1]!).getByRole('button', { name: 'Delete' }).focus();
    await askFor(1);
    await press(dialog().getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('textbox', { name: 'Message' })));
  });

  it('T8: the notice takes it back, tip and all', async () => {
    say('user', 'first');
    say('assistant', 'the answer');
    await open();
    await askFor(1);
    await press(dialog().getByRole('button', { name: 'Delete' }));
    expect(texts()).toHaveLength(1);
    const notice = within(screen.getByText('1 message was deleted.').parentElement!);
    await press(notice.getByRole('button', { name: 'Undo' }));
    expect(texts()[1]).toContain('the answer');
    expect(screen.queryByText('1 message was deleted.')).toBeNull();
  });

  it('T8, U6: Mod+Z takes back what was done last: the deletion, or what was typed into a field after it', async () => {
    say('user', 'first');
    say('assistant', 'the answer');
    await open();
    const message = screen.getByRole('textbox', { name: 'Message' });
    const undo = async (where: Element) => {
      fireEvent.keyDown(where, { code: 'KeyZ', ctrlKey: true });
      await settle();
    };
    fireEvent.change(message, { target: { value: 'a draft' } });
    await askFor(1);
    await press(dialog().getByRole('button', { name: 'Delete' }));
    await waitFor(() => expect(document.activeElement).toBe(message));
    await undo(message);
    expect(texts()).toHaveLength(2);
    await askFor(1);
    await press(dialog().getByRole('button', { name: 'Delete' }));
    message.focus();
    fireEvent.input(message, { target: { value: 'more' } });
    await undo(message);
    expect(texts()).toHaveLength(1);
    message.blur();
    await undo(document.body);
    expect(texts()).toHaveLength(2);
  });

  it('T8, U6: the palette, in whose field one types, takes it back, too', async () => {
    say('user', 'first');
    say('assistant', 'the answer');
    await open();
    await askFor(1);
    await press(dialog().getByRole('button', { name: 'Delete' }));
    fireEvent.keyDown(document.body, { code: 'KeyK', ctrlKey: true });
    const field = await screen.findByRole('combobox');
    field.focus();
    fireEvent.input(field, { target: { value: 'undo the deletion' } });
    await settle();
    await press(screen.getByRole('option', { name: /Undo the deletion/ }));
    expect(texts()).toHaveLength(2);
  });

  it('T8: what main refuses is said in the dialog, which stays', async () => {
    say('user', 'first');
    await open();
    await askFor(0);
    main.failNext.set('trash.remove', makeFailure('diskFull', 'The disk is full.'));
    await press(dialog().getByRole('button', { name: 'Delete' }));
    expect(dialog().getByText(/disk/i)).toBeTruthy();
    await press(dialog().getByRole('button', { name: 'Cancel' }));
    expect(texts()).toHaveLength(1);
  });
});

describe('deleting a conversation', () => {
  it('T8: from its menu, and restored from the trash', async () => {
    say('user', 'first');
    await open();
    const link = screen.getByRole('link', { name: /A talk/ });
    fireEvent.contextMenu(link);
    await settle();
    await press(screen.getByRole('menuitem', { name: 'Delete' }));
    await press(dialog('Delete conversation').getByRole('button', { name: 'Delete' }));
    expect(screen.queryByRole('link', { name: /A talk/ })).toBeNull();
    expect(texts()).toHaveLength(0);
    await press(screen.getByRole('button', { name: 'Trash' }));
    expect(dialog('Trash').getByText('A talk')).toBeTruthy();
    await press(dialog('Trash').getByRole('button', { name: 'Restore A talk' }));
    expect(dialog('Trash').getByText('The trash is empty')).toBeTruthy();
    await press(dialog('Trash').getByRole('button', { name: 'Close' }));
    expect(screen.getByRole('link', { name: /A talk/ })).toBeTruthy();
  });

  it('T8: what hangs under something deleted later says what to do', async () => {
    say('user', 'first');
    await open();
    await askFor(0);
    await press(dialog().getByRole('button', { name: 'Delete' }));
    main.trash = main.trash.map((each) => ({ ...each, entry: { ...each.entry, blocked: true } }));
    await press(screen.getByRole('button', { name: 'Trash' }));
    expect(dialog('Trash').getByRole<HTMLButtonElement>('button', { name: 'Restore first' }).disabled).toBe(true);
    expect(dialog('Trash').getByText(/Restore that first/)).toBeTruthy();
  });
});

describe('emptying the trash', () => {
  it('T8, R4: asks and says what backups keep; then shows how far it is, with Stop', async () => {
    say('user', 'first');
    say('assistant', 'the answer');
    await open();
    await askFor(1);
    await press(dialog().getByRole('button', { name: 'Delete' }));
    await press(screen.getByRole('button', { name: 'Trash' }));
    await press(dialog('Trash').getByRole('button', { name: 'Empty trash' }));
    const question = () => within(screen.getByRole('alertdialog', { name: 'Empty trash' }));
    expect(question().getByText(/Backups keep them until they rotate/)).toBeTruthy();
    await press(question().getByRole('button', { name: 'Cancel' }));
    expect(main.trash).toHaveLength(1);
    main.emit({ type: 'emptyProgress', progress: { what: 'messages', done: 3, total: 12 } });
    await settle();
    const bar = dialog('Trash').getByRole<HTMLProgressElement>('progressbar', { name: 'Removing messages' });
    expect([bar.value, bar.max]).toEqual([3, 12]);
    await press(dialog('Trash').getByRole('button', { name: 'Stop' }));
    expect(main.calls.some(({ name }) => name === 'trash.stopEmptying')).toBe(true);
    main.emit({ type: 'emptyProgress', progress: null });
    await settle();
    await press(dialog('Trash').getByRole('button', { name: 'Empty trash' }));
    await press(question().getByRole('button', { name: 'Delete for good' }));
    expect(dialog('Trash').getByText('The trash is empty')).toBeTruthy();
  });

  it('T8: one deletion alone, and why it did not work', async () => {
    say('user', 'first');
    say('assistant', 'the answer');
    await open();
    await askFor(1);
    await press(dialog().getByRole('button', { name: 'Delete' }));
    await press(screen.getByRole('button', { name: 'Trash' }));
    main.failNext.set('trash.empty', makeFailure('diskFull', 'The disk is full.'));
    await press(dialog('Trash').getByRole('button', { name: 'Delete the answer for good' }));
    await press(within(screen.getByRole('alertdialog')).getByRole('button', { name: 'Delete for good' }));
    expect(dialog('Trash').getByText(/disk/i)).toBeTruthy();
    expect(main.calls.findLast(({ name }) => name === 'trash.empty')?.input).toEqual({ trashId: main.trash[0]!.entry.id });
  });
});
