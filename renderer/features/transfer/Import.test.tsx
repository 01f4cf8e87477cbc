// @vitest-environment happy-dom
// The dialog and its row: what is chosen, how far it is, what came of it, and that it can be left (I3, I4, R4).
import { act, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeFailure } from '../../../shared/model/failure';
import type { ConversationId } from '../../../shared/model/ids';
import {
  emptyCounts,
  fileProblems,
  type ImportFileReport,
  type ImportReport,
  importFormats,
  skipReasons,
} from '../../../shared/model/importReport';
import { words } from '../../i18n';
import { askToImport } from '../../state/importSlice';
import { talkState } from '../../state/talkStore';
import { createFakeMain } from '../../testing/fakeBridge';
import { endImport } from '../../testing/fakeImports';
import { addConversation, type FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { ImportDialog } from './ImportDialog';
import { ImportRow } from './ImportRow';

let main: FakeMain;
beforeEach(async () => {
  main = createFakeMain();
  await openWindow(
    main,
    <>
      <ImportRow />
      <ImportDialog />
    </>,
  );
});
afterEach(() => {
  closeWindow();
  resetWindow();
});
const dialog = () => within(screen.getByRole('dialog', { name: 'Import' }));
async function press(name: string | RegExp) {
  fireEvent.click(dialog().getByRole('button', { name }));
  await settle();
}
async function ask(...paths: string[]) {
  act(() => askToImport(paths));
  await settle();
}
async function end(report: Partial<ImportReport>) {
  act(() => endImport(main, { files: [], total: emptyCounts(), otherFiles: 0, ended: 'done', ...report }));
  await settle();
}
const file = (more: Partial<ImportFileReport> = {}): ImportFileReport => ({
  name: 'conversations.json',
  format: 'chatgpt',
  counts: emptyCounts(),
  skipped: [],
  skippedInAll: 0,
  leftOut: [],
  ...more,
});
const callsOf = (name: string) => main.calls.filter((call) => call.name === name).map(({ input }) => input);
async function tell(bytesRead: number, conversations: number) {
  const counts = { ...emptyCounts(), conversations, messages: 3400 };
  act(() =>
    main.emit({
      type: 'importProgress',
      importId: 'import-1',
      progress: { file: 'conversations.json', bytesRead, bytesInAll: 2048, counts },
    }),
  );
  await settle();
}

describe('choosing', () => {
  it('I3: starts with what was chosen and the mode, and not before', async () => {
    await ask();
    expect(dialog().getByRole<HTMLButtonElement>('button', { name: 'Import' }).disabled).toBe(true);
    await press('Choose files…');
    await press('Choose a folder…');
    expect(callsOf('imports.choose')).toEqual([{ folder: false }, { folder: true }]);
    await press('Remove export');
    fireEvent.click(dialog().getByRole('radio', { name: 'Update' }));
    await press('Import');
    expect(callsOf('imports.start')).toEqual([{ paths: ['/home/ada/conversations.json'], mode: 'update' }]);
    expect(dialog().getByRole('progressbar', { name: 'Imported so far' })).toBeTruthy();
  });

  it('I3: what was dropped is listed, and waits for the word', async () => {
    await ask('/home/ada/a.zip', '/home/ada/a.zip', '/home/ada/folder/');
    expect(dialog().getByRole('list', { name: 'Chosen for import' }).textContent).toBe('a.zipfolder');
    expect(callsOf('imports.start')).toEqual([]);
  });

  it('I3, W4: a refusal is said in place, and what was chosen stays', async () => {
    await ask('/home/ada/a.zip');
    main.failNext.set('imports.start', makeFailure('workspaceReadOnly', 'x'));
    await press('Import');
    expect(dialog().getByRole('alert').textContent).toContain('This folder can’t be written to');
    expect(dialog().getByText('a.zip')).toBeTruthy();
  });
});

describe('running', () => {
  it('R4: tells bytes and counts, can be left and come back to, and Cancel ends it', async () => {
    await ask('/home/ada/conversations.json');
    await press('Import');
    await tell(1024, 12);
    expect(dialog().getByText('12 conversations, 3,400 messages')).toBeTruthy();
    expect(dialog().getByText('1 kB of 2 kB')).toBeTruthy();
    await press('Continue in background');
    expect(screen.queryByRole('dialog')).toBeNull();
    const row = screen.getByRole('button', { name: 'Importing, 12 so far' });
    fireEvent.click(row);
    await settle();
    await press('Cancel import');
    expect(dialog().getByRole('status').textContent).toBe('Cancelled. Nothing was imported.');
  });

  it('R4: the list fills while it runs, and is not asked for at every word on how far it is', async () => {
    await ask('/home/ada/conversations.json');
    await press('Import');
    const before = callsOf('conversations.list').length;
    await tell(512, 0);
    expect(callsOf('conversations.list')).toHaveLength(before);
    await tell(1024, 12);
    await tell(1536, 13);
    expect(callsOf('conversations.list')).toHaveLength(before + 1);
  });

  it('R4: one that ended while the dialog was away says so in the row, and its report is a click away', async () => {
    await ask('/home/ada/conversations.json');
    await press('Import');
    await press('Continue in background');
    await end({ total: { ...emptyCounts(), conversations: 2, messages: 9, branches: 3 } });
    expect(screen.getByRole('status').textContent).toContain('Import finished');
    fireEvent.click(screen.getByRole('button', { name: 'Show report' }));
    await settle();
    expect(dialog().getByRole('status').textContent).toBe('2 conversations were imported.');
    await press('Close');
    expect(screen.queryByText('Import finished')).toBeNull();
  });

  it('R4: a window that is opened while one runs shows it', async () => {
    await ask('/home/ada/conversations.json');
    await press('Import');
    closeWindow();
    await openWindow(main, <ImportRow />);
    expect(screen.getByRole('button', { name: /Importing/ })).toBeTruthy();
  });
});

describe('the report', () => {
  async function report(more: Partial<ImportReport>) {
    await ask('/home/ada/conversations.json');
    await press('Import');
    await end(more);
  }

  it('I4: tells counts, what is missing, what was left out by name, and opens the first', async () => {
    const { id } = addConversation(main, { title: 'First' });
    const counts = {
      ...emptyCounts(),
      conversations: 2,
      messages: 1200,
      branches: 3,
      attachmentsMissing: 2,
      notUnderstood: 1,
      recovered: 1,
    };
    await report({
      total: counts,
      first: id,
      otherFiles: 4,
      files: [
        file({
          counts,
          leftOut: [
            { what: 'root', count: 1 },
            { what: 'system', count: 2 },
            { what: 'odd.kind', count: 1 },
          ],
        }),
      ],
    });
    expect(dialog().getByRole('status').textContent).toBe('2 conversations were imported.');
    expect(dialog().getByText('1,200')).toBeTruthy();
    expect(dialog().getByText(/2 attachments are not in the export/)).toBeTruthy();
    expect(dialog().getByText(/kept as JSON in its message/)).toBeTruthy();
    expect(dialog().getByText(/marked as recovered/)).toBeTruthy();
    expect(dialog().getByText('Left out, because it is no message: system prompt (2), odd.kind (1).')).toBeTruthy();
    expect(dialog().getByText('4 other files hold no conversations.')).toBeTruthy();
    await press('Open the first conversation');
    expect(screen.queryByRole('dialog')).toBeNull();
    expect(talkState().conversationId).toBe(id);
  });

  it('I4: a failure says what stays', async () => {
    await report({ ended: 'failed', failure: makeFailure('diskFull', 'x'), total: { ...emptyCounts(), conversations: 1 } });
    expect(dialog().getByRole('status').textContent).toBe('The import could not be finished. 1 conversation was imported.');
    expect(dialog().getByRole('alert').textContent).toContain('The disk is full');
    expect(dialog().getByRole('alert').textContent).toContain('whole and stays');
  });

  it('I4: skipped conversations are listed under their reason, and a thousand do not fill the dialog', async () => {
    const skipped = Array.from({ length: 150 }, (_, at) => ({ title: at === 0 ? null : `Talk ${at}`, reason: 'known' as const }));
    await report({ first: 'cnv_x' as ConversationId, files: [file({ skipped, skippedInAll: 1200 })] });
    expect(dialog().getByRole('status').textContent).toBe('Nothing new: everything in it was imported before.');
    expect(dialog().getByText('150 conversations skipped: they were imported before')).toBeTruthy();
    expect(dialog().getByText('Untitled conversation')).toBeTruthy();
    expect(
      dialog()
        .getAllByRole('listitem')
        .filter((item) => item.textContent?.startsWith('Talk')),
    ).toHaveLength(99);
    expect(dialog().getByText('and 1,050 more')).toBeTruthy();
  });

  it.each(fileProblems)('I4: a file that is “%s” has its words and what to do next', async (problem) => {
    await report({ files: [file({ problem, format: null, detail: 'position 12' })] });
    const said = dialog().getByRole('alert').textContent ?? '';
    expect(said).toContain(words.t(`import:problem.${problem}.what`));
    expect(said).toContain(words.t(`import:problem.${problem}.next`));
    expect(said).toContain('position 12');
    expect(said).not.toMatch(/problem\./);
  });

  it('I4: every reason for skipping and every format has its words', () => {
    for (const reason of skipReasons)
      for (const count of [1, 2]) expect(words.t(`import:skip.${reason}`, { count })).toMatch(new RegExp(`^${count} conversation`));
    for (const format of importFormats) expect(words.exists(`import:format.${format}`)).toBe(true);
  });
});
