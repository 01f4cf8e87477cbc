// @vitest-environment happy-dom
import { screen, within } from '@testing-library/react';
import { userEvent } from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FailureCode, makeFailure } from '../../../shared/model/failure';
import { createFakeMain } from '../../testing/fakeBridge';
import type { FakeMain } from '../../testing/fakeMain';
import { closeWindow, openWindow, settle } from '../../testing/openWindow';
import { resetWindow } from '../../testing/resetWindow';
import { WorkspaceFailed } from './WorkspaceFailed';

let main: FakeMain;
const user = userEvent.setup({ delay: null });
const folder = '/home/ada/thesis';
const fail = (code: FailureCode, backups: FakeMain['workspace']['backups'] = []) => {
  main.workspace = { folder, name: 'thesis', status: 'failed', failure: makeFailure(code, 'm', { detail: { pid: 4242 } }), backups };
};
const show = () => openWindow(main, <WorkspaceFailed />);
const buttons = () => screen.getAllByRole('button').map((button) => button.getAttribute('aria-label') ?? button.textContent);
const calls = () =>
  main.calls.filter((call) => call.name.startsWith('workspace.') && !['workspace.state', 'workspace.saveInterface'].includes(call.name));

beforeEach(() => {
  main = createFakeMain();
});
afterEach(() => {
  closeWindow();
  resetWindow();
});

describe('a workspace that does not open', () => {
  const states: [FailureCode, string, string[]][] = [
    ['workspaceLocked', 'This workspace is open elsewhere', ['Try again', 'Open read-only', 'Open another folder…', 'Reveal folder']],
    ['workspaceGone', 'This folder is gone', ['Try again', 'Open another folder…']],
    ['workspaceReadOnly', 'This folder can’t be written to', ['Try again', 'Open read-only', 'Open another folder…', 'Reveal folder']],
    ['diskFull', 'The disk is full', ['Try again', 'Open read-only', 'Open another folder…', 'Reveal folder']],
    ['databaseNewer', 'This workspace needs a newer Bough', ['Try again', 'Open another folder…', 'Reveal folder']],
    [
      'databaseCorrupt',
      'The database of this workspace is damaged',
      ['Try again', 'Open read-only', 'Open another folder…', 'Reveal folder'],
    ],
  ];
  it.each(states)('W4: %s is a state of its own with what can be done', async (code, title, ways) => {
    fail(code);
    await show();
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe(title);
    expect(screen.getByRole('main').textContent).toContain(folder);
    expect(buttons()).toEqual(ways);
  });

  it('W1, W4: a lock names the process that holds it', async () => {
    fail('workspaceLocked');
    await show();
    expect(screen.getByRole('main').textContent).toContain('Process 4242');
  });

  it('W4: read-only opens the same folder', async () => {
    fail('workspaceLocked');
    await show();
    await user.click(screen.getByRole('button', { name: 'Open read-only' }));
    await settle();
    expect(calls()).toEqual([{ name: 'workspace.open', input: { folder, readOnly: true } }]);
  });

  it('W4, U6: a try that fails says why in place and keeps every way on', async () => {
    fail('diskFull');
    await show();
    main.failNext.set('workspace.retry', makeFailure('databaseBusy', 'busy'));
    await user.click(screen.getByRole('button', { name: 'Try again' }));
    await settle();
    expect(screen.getByRole('main').textContent).toContain('The database is in use by another program');
    expect(buttons()).toContain('Open read-only');
  });

  it('W4, R1: a damaged database lists its backups and restores one after asking', async () => {
    fail('databaseCorrupt', [
      { name: 'bough-2026-11-29.db', createdAt: Date.UTC(2026, 10, 29, 9), size: 12_400_000 },
      { name: 'bough-2026-11-28.db', createdAt: Date.UTC(2026, 10, 28, 9), size: 12_100_000 },
    ]);
    await show();
    const rows = within(screen.getByRole('region', { name: 'Backups' })).getAllByRole('listitem');
    expect(rows.map((row) => row.textContent)).toEqual([expect.stringContaining('11.8 MB'), expect.stringContaining('11.5 MB')]);
    await user.click(within(rows[1]!).getByRole('button'));
    expect(calls()).toEqual([]);
    await user.click(
      within(screen.getByRole('alertdialog', { name: 'Restore this backup?' })).getByRole('button', { name: 'Restore backup' }),
    );
    await settle();
    expect(calls()).toEqual([{ name: 'workspace.restoreBackup', input: { name: 'bough-2026-11-28.db' } }]);
  });

  it('W4: the dialog’s cancel restores nothing', async () => {
    fail('databaseCorrupt', [{ name: 'a.db', createdAt: 0, size: 10 }]);
    await show();
    await user.click(screen.getByRole('button', { name: /^Restore the backup/ }));
    await user.keyboard('{Escape}');
    await settle();
    expect(screen.queryByRole('alertdialog')).toBeNull();
    expect(calls()).toEqual([]);
  });
});
