// Importing other programs' conversations (I3, I4, R4): what was chosen, how far it is, and the report. It runs on when the dialog is left.
import { create } from 'zustand';
import type { WindowEvent } from '../../shared/model/events';
import type { Failure } from '../../shared/model/failure';
import type { ImportMode, ImportProgress, ImportReport } from '../../shared/model/importReport';
import { failureOf, giveFile } from '../bridge';
import { showFailure } from './appSlice';
import { client } from './client';
import { loadConversations } from './conversationsSlice';
import { openConversation } from './talkSlice';

type Running = { importId: string; progress: ImportProgress | null };
type ImportSlice = {
  open: boolean;
  paths: readonly string[];
  mode: ImportMode;
  /** Asked for, and not yet answered. */
  starting: boolean;
  cancelling: boolean;
  running: Running | null;
  /** Of an import that nobody has put away. */
  report: ImportReport | null;
  failure: Failure | null;
};
const blank: ImportSlice = {
  open: false,
  paths: [],
  mode: 'skip',
  starting: false,
  cancelling: false,
  running: null,
  report: null,
  failure: null,
};
const useImport = create<ImportSlice>(() => blank);

export const useImportOpen = () => useImport((state) => state.open);
export const useImportPaths = () => useImport((state) => state.paths);
export const useImportMode = () => useImport((state) => state.mode);
export const useImportStarting = () => useImport((state) => state.starting);
export const useImportCancelling = () => useImport((state) => state.cancelling);
export const useImportRunning = () => useImport((state) => state.running);
export const useImportReport = () => useImport((state) => state.report);
export const useImportFailure = () => useImport((state) => state.failure);
export const importState = () => useImport.getState();

export function resetImports(): void {
  listedAt = -betweenLists;
  useImport.setState(blank);
}

/** Opens the dialog: on what runs, on a report that nobody has read, or to choose from; `paths` were given by a person. */
export function askToImport(paths: readonly string[] = []): void {
  useImport.setState(({ running, report }) => {
    if (running) return { open: true };
    return { open: true, failure: null, report: paths.length > 0 ? null : report, paths: [...new Set(paths)], mode: 'skip' };
  });
}

/** Files and folders that were dropped here. */
export async function importDropped(files: readonly File[]): Promise<void> {
  try {
    const paths = await Promise.all(files.map(giveFile));
    askToImport(paths.filter((path) => path !== ''));
  } catch (error) {
    showFailure(error);
  }
}

/** What runs goes on. */
export function leaveImport(): void {
  useImport.setState({ open: false, report: null, failure: null });
}

/** The report of an import that was left is put away unread. */
export function dismissImport(): void {
  useImport.setState({ report: null });
}

export async function chooseImport(folder: boolean): Promise<void> {
  useImport.setState({ failure: null });
  try {
    const chosen = await client().imports.choose({ folder });
    useImport.setState(({ paths }) => ({ paths: [...new Set([...paths, ...chosen])] }));
  } catch (error) {
    useImport.setState({ failure: failureOf(error) });
  }
}
export function removeImportPath(path: string): void {
  useImport.setState(({ paths }) => ({ paths: paths.filter((one) => one !== path) }));
}
export function chooseImportMode(mode: ImportMode): void {
  useImport.setState({ mode });
}

export async function confirmImport(): Promise<void> {
  const { paths, mode, starting, running } = useImport.getState();
  if (paths.length === 0 || starting || running) return;
  useImport.setState({ starting: true, failure: null, report: null });
  try {
    await client().imports.start({ paths: [...paths], mode });
    // It may have ended before the answer came.
    await loadImports();
  } catch (error) {
    useImport.setState({ failure: failureOf(error) });
  } finally {
    useImport.setState({ starting: false });
  }
}

export async function cancelImport(): Promise<void> {
  const { running } = useImport.getState();
  if (!running) return;
  useImport.setState({ cancelling: true });
  try {
    await client().imports.cancel({ importId: running.importId });
  } catch (error) {
    showFailure(error);
  } finally {
    useImport.setState({ cancelling: false });
  }
}

/** From the report back to the choice. */
export function importMore(): void {
  useImport.setState({ report: null, failure: null, paths: [] });
}

export function openImported(): void {
  const first = useImport.getState().report?.first;
  leaveImport();
  if (first) void openConversation(first);
}

/** What main says of imports here: a window may have been opened, or have missed something, while one ran. */
export async function loadImports(): Promise<void> {
  try {
    const { running, last } = await client().imports.report();
    const before = useImport.getState();
    // The end of one that this window knew of; an older one was read, or never asked for here.
    const ended = running === null && last !== null && (before.running !== null || before.starting);
    useImport.setState({ running, ...(ended ? { report: last, paths: [] } : {}) });
  } catch (error) {
    showFailure(error);
  }
}

/** Milliseconds between two looks at the list while an import fills it: the list of thousands takes main a while. */
const betweenLists = 5000;
let listedAt = -betweenLists;

export function noteImportProgress({ importId, progress }: Extract<WindowEvent, { type: 'importProgress' }>): void {
  useImport.setState({ running: { importId, progress } });
  const time = performance.now();
  if (progress.counts.conversations === 0 || time - listedAt < betweenLists) return;
  listedAt = time;
  void loadConversations();
}

export async function noteImportEnded(): Promise<void> {
  await loadImports();
}
