// Open workspaces as windows share them: each with its store, its events and its turns. Wired from index.ts.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Notice } from '../shared/model/events';
import { FailureError, makeFailure } from '../shared/model/failure';
import type { BlobHash, NewId } from '../shared/model/ids';
import type { SettingsProblem } from '../shared/model/settings';
import type { RecentWorkspace, WorkspaceState } from '../shared/model/workspace';
import { requestFor } from './agents/answering';
import { EventHub } from './agents/eventHub';
import type { ModelDirectory } from './agents/modelDirectory';
import { recoverSteps } from './agents/recovery';
import { Scheduler } from './agents/scheduler';
import type { ReadPdf } from './attachments/intake';
import type { WorkspaceAccess } from './ipc/context';
import type { Now } from './lib/clock';
import type { Logger } from './lib/logger';
import { runInWorker } from './lib/worker';
import type { MaintenanceResult } from './store/maintenance';
import { layoutOf } from './workspace/layout';
import { openWorkspace, restoreBackup, type Workspace } from './workspace/openWorkspace';
import { openRecentWorkspaces } from './workspace/recentWorkspaces';

export type SessionsOptions = {
  logger: Logger;
  now: Now;
  newId: NewId;
  recentFile: string;
  /** The default workspace: its folder is made when it is not there. */
  defaultFolder: string;
  /** The folder of the built worker scripts. */
  workers: string;
  models(readBlob: (hash: BlobHash) => Promise<Uint8Array>): ModelDirectory;
};

export type Session = {
  folder: string;
  access: WorkspaceAccess;
  models: ModelDirectory;
  settingsProblems(): SettingsProblem[];
  close(): Promise<void>;
};
type OpenOptions = { readOnly?: boolean | undefined };

export type Sessions = ReturnType<typeof openSessions>;

/** The check and the daily backup wait until the window has painted. */
const maintenanceDelay = 5000;

export function openSessions(options: SessionsOptions) {
  const open = new Map<string, { session: Session; users: number }>();
  const recent = openRecentWorkspaces({ file: options.recentFile, now: options.now });
  const runJob = async (job: unknown) => (await runInWorker(join(options.workers, 'reader.cjs'), job)) as MaintenanceResult;

  const take = async (folder: string, openOptions: OpenOptions): Promise<Session> => {
    const key = layoutOf(folder).folder;
    const known = open.get(key);
    if (known && !openOptions.readOnly) {
      known.users++;
      return known.session;
    }
    const workspace = await openWorkspace({
      folder: key,
      now: options.now,
      run: runJob,
      create: key === layoutOf(options.defaultFolder).folder,
      readOnly: openOptions.readOnly,
    });
    const session = openSession(options, workspace, runJob);
    if (workspace.status === 'failed') return session;
    open.set(key, { session, users: 1 });
    void recent.add(key).catch((cause: unknown) => options.logger.log('warn', 'the list of workspaces was not written', { cause }));
    return session;
  };
  const release = async (session: Session): Promise<void> => {
    const entry = open.get(session.folder);
    if (entry?.session !== session) return;
    entry.users--;
    if (entry.users > 0) return;
    open.delete(session.folder);
    await session.close();
  };

  return {
    open: take,
    release,
    /** Opens another folder for a window; the one it has stays when the other does not open and it has one that works. */
    swap: async (current: Session, folder: string, openOptions: OpenOptions): Promise<{ session: Session; state: WorkspaceState }> => {
      const same = layoutOf(folder).folder === current.folder;
      if (same && current.access.state().status !== 'failed') await release(current);
      const next = await take(folder, openOptions);
      const state = next.access.state();
      if (state.status === 'failed' && !same && current.access.state().status !== 'failed') return { session: current, state };
      if (!same) await release(current);
      return { session: next, state };
    },
    recent: (): Promise<RecentWorkspace[]> => recent.list(),
    lastFolder: () => {
      const folder = recent.newest();
      return folder && existsSync(folder) ? folder : undefined;
    },
    readPdf: (async (bytes) => (await runInWorker(join(options.workers, 'pdf.cjs'), bytes)) as Awaited<ReturnType<ReadPdf>>) satisfies ReadPdf,
    /** An image for the page, from whichever open workspace has it. */
    readBlob: async (hash: BlobHash): Promise<Uint8Array | null> => {
      for (const { session } of open.values()) {
        const bytes = await session.access.read().blobs.read(hash).catch(whenGone);
        if (bytes) return bytes;
      }
      return null;
    },
    closeAll: async () => {
      const all = [...open.values()];
      open.clear();
      await Promise.all(all.map(({ session }) => session.close()));
    },
  };
}

function whenGone(error: unknown): null {
  if (error instanceof FailureError) return null;
  throw error;
}

function openSession(options: SessionsOptions, workspace: Workspace, runJob: (job: unknown) => Promise<MaintenanceResult>): Session {
  const hub = new EventHub(`${process.pid}-${options.now()}`);
  let { state } = workspace;
  const readBlob = (hash: BlobHash) => (workspace.status === 'failed' ? Promise.reject(unreadable(state)) : workspace.blobs.read(hash));
  const models = options.models(readBlob);
  const scheduler = workspace.status === 'open' ? openScheduler(options, workspace, hub, models) : null;
  let timer: NodeJS.Timeout | undefined;
  if (workspace.status === 'open') {
    timer = setTimeout(() => {
      workspace
        .maintain()
        .then(({ failure, notices }) => {
          for (const notice of notices) hub.publish({ type: 'notice', notice });
          if (!failure) return;
          state = { ...state, failure };
          hub.publish({ type: 'workspaceChanged', workspace: state });
        })
        .catch((cause: unknown) => options.logger.log('error', 'maintenance failed', { cause }));
    }, maintenanceDelay);
  }
  const access: WorkspaceAccess = {
    hub,
    state: () => state,
    read: () => {
      if (workspace.status === 'failed') throw unreadable(state);
      return { db: workspace.store.db, blobs: workspace.blobs };
    },
    write: () => {
      if (workspace.status === 'failed') throw unreadable(state);
      if (workspace.status === 'readOnly' || !scheduler) throw readOnly(state);
      return { db: workspace.store.db, blobs: workspace.blobs, scheduler };
    },
    scheduler: () => scheduler,
    settings: () => (workspace.status === 'failed' ? { interface: {}, conversation: {}, compaction: {} } : workspace.settings.get()),
    saveInterface: async (change) => {
      if (workspace.status !== 'open' || !workspace.settings.writable()) return;
      await workspace.settings.change((old) => ({ ...old, interface: { ...old.interface, ...change } }));
    },
    restoreBackup: async (name) => {
      workspace.close();
      await restoreBackup({ folder: workspace.folder, name, now: options.now, run: runJob });
      return state;
    },
  };
  return {
    folder: workspace.folder,
    access,
    models,
    settingsProblems: () => (workspace.status === 'failed' ? [] : workspace.settings.problems()),
    close: async () => {
      clearTimeout(timer);
      await scheduler?.close();
      workspace.close();
    },
  };
}

function openScheduler(options: SessionsOptions, workspace: Extract<Workspace, { status: 'open' }>, hub: EventHub, models: ModelDirectory): Scheduler {
  const { store, blobs } = workspace;
  const recovered = recoverSteps(store.db, options.now);
  if (recovered > 0) {
    const notice: Notice = { code: 'answersRecovered', values: { count: recovered }, tone: 'info' };
    options.logger.log('info', 'answers were broken off by the end of the program', { recovered });
    hub.publish({ type: 'notice', notice });
  }
  return new Scheduler({
    db: store.db,
    hub,
    models,
    newId: options.newId,
    now: options.now,
    random: Math.random,
    logger: options.logger,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
    buildRequest: (parentId, agent, model) => requestFor({ db: store.db, blobs }, parentId, agent, model),
  });
}

function unreadable(state: WorkspaceState): FailureError {
  return new FailureError(state.failure ?? makeFailure('workspaceGone', 'This workspace is not open.', { retryable: true, detail: { path: state.folder } }));
}
function readOnly(state: WorkspaceState): FailureError {
  return new FailureError(
    makeFailure('workspaceReadOnly', 'This workspace is open for reading only: nothing is saved.', { detail: { path: state.folder } }),
  );
}
