// Imports as main does them, in the small: chosen files are two names, and each import ends when the test says so.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { emptyCounts, type ImportReport, type ImportState } from '../../shared/model/importReport';
import type { FakeMain } from './fakeMain';

const orpc = implement(contract);
const states = new WeakMap<FakeMain['conversations'], ImportState>();
const stateOf = (main: FakeMain): ImportState => {
  const known = states.get(main.conversations) ?? { running: null, last: null };
  states.set(main.conversations, known);
  return known;
};

/** The import that runs is over. */
export function endImport(main: FakeMain, report: ImportReport): void {
  const state = stateOf(main);
  const importId = state.running?.importId ?? '';
  state.running = null;
  state.last = report;
  main.emit({ type: 'importEnded', importId });
}

export const importArea = (main: FakeMain) => ({
  choose: orpc.imports.choose.handler(({ input: { folder } }) => (folder ? ['/home/ada/export'] : ['/home/ada/conversations.json'])),
  start: orpc.imports.start.handler(() => {
    const state = stateOf(main);
    if (state.running) throw new FailureError(makeFailure('conflict', 'Another import is still running here.'));
    state.running = { importId: 'import-1', progress: null };
    return { importId: 'import-1' };
  }),
  cancel: orpc.imports.cancel.handler(() => {
    const { running } = stateOf(main);
    const counts = running?.progress?.counts;
    if (running) endImport(main, { files: [], total: counts ?? emptyCounts(), otherFiles: 0, ended: 'cancelled' });
  }),
  report: orpc.imports.report.handler(() => stateOf(main)),
});
