// @vitest-environment happy-dom
// The dialog: what is counted, chosen, written, shown and stopped (I1, R4).
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { ExportNews } from '../../../shared/model/export';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId } from '../../../shared/model/ids';
import { act as actOn } from '../../state/commandActs';
import { askToExport } from '../../state/exportSlice';
import { createFakeMain } from '../../testing/fakeBridge';
import { addConversation, addMessage, type FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { ExportDialog } from './ExportDialog';

let main: FakeMain;
let conversationId: ConversationId;
beforeEach(async () => {
  main = createFakeMain();
  conversationId = addConversation(main, { title: 'A talk' }).id;
  const first = addMessage(main, { conversationId, role: 'user', text: 'first' });
  addMessage(main, { conversationId, role: 'assistant', text: 'one' });
  addMessage(main, { conversationId, role: 'assistant', text: 'two', parentId: first.id });
  await openWindow(main, <ExportDialog />, conversationId);
});
afterEach(() => {
  closeWindow();
  resetWindow();
});
async function ask(named: Parameters<typeof askToExport>[1] = {}) {
  act(() => askToExport({ conversationId, messageId: null }, named));
  await settle();
}
const dialog = () => within(screen.getByRole('dialog', { name: 'Export' }));
async function press(name: string) {
  fireEvent.click(dialog().getByRole('button', { name }));
  await settle();
}
const callsOf = (name: string) => main.calls.filter((call) => call.name === name).map(({ input }) => input as Record<string, unknown>);

it('I1: counts what the scope holds, before anything is written', async () => {
  await ask();
  expect(dialog().getByText('2 messages, 0 attachments, 0 tool calls')).toBeTruthy();
  fireEvent.click(dialog().getByRole('radio', { name: 'Whole tree' }));
  await settle();
  expect(dialog().getByText('3 messages on 2 branches, 0 attachments, 0 tool calls')).toBeTruthy();
  expect(callsOf('export.save')).toEqual([]);
});

it('I1: writes what was chosen, says where, shows it, and remembers the choice', async () => {
  await ask();
  fireEvent.click(dialog().getByRole('radio', { name: 'JSON Lines' }));
  fireEvent.click(dialog().getByRole('checkbox', { name: 'Memory' }));
  await press('Export');
  expect(callsOf('export.save')[0]).toMatchObject({ conversationId, scope: 'path', format: 'jsonl', include: { memory: false } });
  expect(dialog().getByRole('status').textContent).toContain('Saved as /home/ada/talk.jsonl');
  await press('Show in folder');
  expect(callsOf('export.reveal')).toEqual([{ path: '/home/ada/talk.jsonl' }]);
  expect(callsOf('workspace.saveInterface').at(-1)).toMatchObject({ exportChoice: { format: 'jsonl' } });
  await press('Close');
  expect(screen.queryByRole('dialog')).toBeNull();
  await ask({ scope: 'tree' });
  expect(dialog().getByRole<HTMLInputElement>('radio', { name: 'JSON Lines' }).checked).toBe(true);
  expect(dialog().getByRole<HTMLInputElement>('radio', { name: 'Whole tree' }).checked).toBe(true);
});

it('K1, I1: /export opens it with what the line says', async () => {
  await act(async () => {
    expect(await actOn({ name: 'export', format: 'json', scope: 'tree' })).toBeNull();
  });
  await settle();
  expect(dialog().getByRole<HTMLInputElement>('radio', { name: 'JSON' }).checked).toBe(true);
  expect(dialog().getByRole<HTMLInputElement>('radio', { name: 'Whole tree' }).checked).toBe(true);
});

it('I1, Z2: makes the page that main asks for', async () => {
  await ask({ format: 'html' });
  await press('Export');
  const [written] = callsOf('export.write');
  expect(String(written?.['html'])).toContain('Content-Security-Policy');
  expect(String(written?.['html'])).toContain('first');
});

it('R4: shows how far it is, and Stop ends it', async () => {
  let ended = false;
  main.answers['export.save'] = () =>
    running(() => {
      ended = true;
    });
  await ask();
  await press('Export');
  expect(dialog().getByText('Reading messages: 3 of 9')).toBeTruthy();
  await press('Stop');
  expect(ended).toBe(true);
  expect(dialog().queryByRole('progressbar')).toBeNull();
  expect(dialog().getByRole('button', { name: 'Export' })).toBeTruthy();
});

it('R4, I1: once it is saved the dialog closes at once, whether or not the stream has ended', async () => {
  let end: () => void = () => undefined;
  main.answers['export.save'] = () => saved(new Promise((resolve) => (end = resolve)));
  await ask();
  await press('Export');
  expect(dialog().getByRole('status').textContent).toContain('Saved as /home/ada/talk');
  await press('Close');
  expect(screen.queryByRole('dialog')).toBeNull();
  end();
});

async function* saved(until: Promise<void>): AsyncGenerator<ExportNews> {
  yield { type: 'done', path: '/home/ada/talk' };
  await until;
}

async function* running(ended: () => void): AsyncGenerator<ExportNews> {
  try {
    for (let done = 3; ; done++) {
      yield { type: 'progress', what: 'reading', done: 3, total: 9 };
      await new Promise((resolve) => setTimeout(resolve, 5));
      if (done > 400) return;
    }
  } finally {
    ended();
  }
}

it.each([
  ['diskFull', /no space left/],
  ['workspaceReadOnly', /takes no new files/],
  ['workspaceGone', /no longer there/],
] as const)('I1: %s is said of the file, and the dialog stays', async (code, words) => {
  main.answers['export.save'] = () => failing(code);
  await ask();
  await press('Export');
  expect(dialog().getByRole('alert').textContent).toMatch(words);
});

async function* failing(code: 'diskFull' | 'workspaceReadOnly' | 'workspaceGone'): AsyncGenerator<ExportNews> {
  yield { type: 'failed', failure: makeFailure(code, 'x') };
}
