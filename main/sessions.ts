// Open workspaces as windows share them: each with its store, its events and its turns. Wired from index.ts.
import { existsSync, realpathSync } from 'node:fs';
import { FailureError, makeFailure } from '../shared/model/failure';
import type { BlobHash, NewId } from '../shared/model/ids';
import type { SettingsProblem } from '../shared/model/settings';
import type { RecentWorkspace, WorkspaceState } from '../shared/model/workspace';
import { EventHub } from './agents/eventHub';
import type { MemoryLooks } from './agents/ladder/memoryLooks';
import type { ModelDirectory, ModelDirectoryDeps } from './agents/modelDirectory';
import { readingMemory } from './agents/readingMemory';
import { type AgentsDeps, openAgents, type ToolEnvironment, type WorkspaceAgents } from './agents/workspaceAgents';
import type { TokenCounter } from './context/tokens/tokenCounter';
import type { WorkspaceAccess } from './ipc/context';
import { Imports } from './ipc/imports/imports';
import type { Now } from './lib/clock';
import type { Logger } from './lib/logger';
import { startIndexer } from './store/searchIndexer';
import { usedAgent } from './store/usedAgents';
import { noticeOf } from './transcript/transcriptNotice';
import type { Grants } from './user/grants';
import type { RunJob } from './workspace/backups';
import { layoutOf } from './workspace/layout';
import { openWorkspace, restoreBackup, type Workspace } from './workspace/openWorkspace';
import { openRecentWorkspaces } from './workspace/recentWorkspaces';
import { type SearchThread, searchOver } from './workspace/searchThread';

export type SessionsOptions = {
  logger: Logger;
  now: Now;
  newId: NewId;
  recentFile: string;
  /** The default workspace: its folder is made when it is not there. */
  defaultFolder: string;
  /** Reads the database file in a worker thread. */
  run: RunJob;
  /** A thread that searches this database file. */
  searchThread(file: string): SearchThread;
  grants: Grants;
  /** One thread that counts tokens, for all workspaces. */
  counter: TokenCounter;
  /** One that makes pages. */
  makePages: NonNullable<AgentsDeps['makePages']>;
  /** Of this machine; the folder is each workspace's own. */
  tools: Omit<ToolEnvironment, 'workspace'>;
  models(inWorkspace: Pick<ModelDirectoryDeps, 'readBlob' | 'usedAgent'>): ModelDirectory;
};

export type Session = {
  folder: string;
  /** What it is kept under: a folder open for writing and the same for reading are two. */
  key: string;
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

  const take = async (folder: string, { readOnly = false }: OpenOptions): Promise<Session> => {
    const path = layoutOf(folder).folder;
    const key = readOnly ? `${path}:read` : path;
    const known = open.get(key);
    if (known) {
      known.users++;
      return known.session;
    }
    const create = path === layoutOf(options.defaultFolder).folder;
    const workspace = await openWorkspace({ folder: path, now: options.now, run: options.run, create, readOnly });
    const session = await openSession(options, workspace, key);
    if (workspace.status === 'failed') return session;
    open.set(key, { session, users: 1 });
    void recent.add(path).catch((cause: unknown) => options.logger.log('warn', 'the list of workspaces was not written', { cause }));
    return session;
  };
  const release = async (session: Session): Promise<void> => {
    const entry = open.get(session.key);
    if (entry?.session !== session) return;
    entry.users--;
    if (entry.users > 0) return;
    open.delete(session.key);
    await session.close();
  };

  return {
    open: take,
    release,
    /** Opens another folder for one window; the workspace it has stays when the other does not open and it has one that works. */
    swap: async (current: Session, folder: string, openOptions: OpenOptions): Promise<{ session: Session; state: WorkspaceState }> => {
      const next = await take(folder, openOptions);
      const state = next.access.state();
      const works = current.access.state().status !== 'failed';
      if (state.status === 'failed' && works) return { session: current, state };
      await release(current);
      return { session: next, state };
    },
    /** Closes a workspace and opens its folder again, for all the windows on it. */
    reopen: async (current: Session, openOptions: OpenOptions, users: number): Promise<Session> => {
      if (open.get(current.key)?.session === current) open.delete(current.key);
      await current.close();
      const next = await take(current.folder, openOptions);
      const entry = open.get(next.key);
      if (entry?.session === next) entry.users += users - 1;
      return next;
    },
    recent: (): Promise<RecentWorkspace[]> => recent.list(),
    lastFolder: () => {
      const folder = recent.newest();
      return folder && existsSync(folder) ? folder : undefined;
    },
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

async function openSession(options: SessionsOptions, workspace: Workspace, key: string): Promise<Session> {
  const hub = new EventHub(`${process.pid}-${options.now()}`);
  let { state } = workspace;
  const readBlob = (hash: BlobHash) => (workspace.status === 'failed' ? Promise.reject(unreadable(state)) : workspace.blobs.read(hash));
  const models = options.models({
    readBlob,
    usedAgent: (id) => (workspace.status === 'failed' ? undefined : usedAgent(workspace.store.db, id)),
  });
  if (workspace.status !== 'failed') {
    workspace.transcripts.listen((found) => {
      options.logger.log('warn', 'a transcript was damaged', { ...found });
      hub.publish({ type: 'notice', notice: noticeOf(found) });
    });
  }
  const agents = workspace.status === 'open' ? await openWorkspaceAgents(options, workspace, hub, models) : null;
  const memory = agents?.looks ?? (workspace.status === 'readOnly' ? memoryOf(options, workspace, hub, models) : null);
  const imports = workspace.status === 'open' ? importsOf(options, workspace, hub) : null;
  const timer = setTimeout(() => void maintain(), maintenanceDelay);
  const maintain = async () => {
    if (workspace.status !== 'open') return;
    void agents?.emptying.resume();
    try {
      const { failure, notices } = await workspace.maintain();
      for (const notice of notices) hub.publish({ type: 'notice', notice });
      if (!failure) return;
      state = { ...state, failure };
      hub.publish({ type: 'workspaceChanged', workspace: state });
    } catch (cause) {
      options.logger.log('error', 'maintenance failed', { cause });
    }
  };
  const indexer = workspace.status === 'open' ? indexerOf(options, workspace) : null;
  const search = workspace.status === 'failed' ? null : searchOver(options.searchThread(workspace.store.file), () => indexer?.wake(true));
  const close = async () => {
    clearTimeout(timer);
    indexer?.stop();
    await search?.close();
    await imports?.close();
    await agents?.close();
    workspace.close();
  };
  const access: WorkspaceAccess = {
    hub,
    state: () => state,
    read: () => {
      if (workspace.status === 'failed') throw unreadable(state);
      return { db: workspace.store.db, blobs: workspace.blobs, transcripts: workspace.transcripts };
    },
    write: () => {
      if (workspace.status === 'failed') throw unreadable(state);
      if (workspace.status === 'readOnly' || !agents || !imports) throw readOnly(state);
      return { db: workspace.store.db, blobs: workspace.blobs, agents, imports };
    },
    memory: () => {
      if (!memory) throw unreadable(state);
      return memory;
    },
    search: () => {
      if (!search) throw unreadable(state);
      return search;
    },
    agents: () => agents,
    imports: () => imports,
    settings: () => (workspace.status === 'failed' ? { interface: {}, conversation: {}, compaction: {} } : workspace.settings.get()),
    saveInterface: async (change) => {
      if (workspace.status !== 'open' || !workspace.settings.writable()) return;
      await workspace.settings.change((old) => ({ ...old, interface: { ...old.interface, ...change } }));
    },
    restoreBackup: async (name) => {
      await close();
      await restoreBackup({ folder: workspace.folder, name, now: options.now, run: options.run });
    },
  };
  return {
    folder: workspace.folder,
    key,
    access,
    models,
    settingsProblems: () => (workspace.status === 'failed' ? [] : workspace.settings.problems()),
    close,
  };
}

function memoryOf(
  { tools }: SessionsOptions,
  { store, blobs, transcripts, settings, folder }: Extract<Workspace, { status: 'readOnly' }>,
  hub: EventHub,
  models: ModelDirectory,
): MemoryLooks {
  const compaction = () => [models.compaction(), settings.get().compaction];
  return readingMemory({ db: store.db, blobs, transcripts, hub, models, compaction, files: { ...tools, workspace: folder } });
}

function importsOf(
  { now, newId, logger }: SessionsOptions,
  { store, blobs, transcripts }: Extract<Workspace, { status: 'open' }>,
  hub: EventHub,
): Imports {
  return new Imports({ db: store.db, blobs, transcripts, hub, newId, now, logger });
}

function indexerOf({ logger }: SessionsOptions, { store }: Extract<Workspace, { status: 'open' }>): ReturnType<typeof startIndexer> {
  return startIndexer(store, {
    clock: () => performance.now(),
    later,
    onDamage: (cause) => logger.log('warn', 'the search index was damaged and is made anew', { cause }),
  });
}

async function openWorkspaceAgents(
  options: SessionsOptions,
  workspace: Extract<Workspace, { status: 'open' }>,
  hub: EventHub,
  models: ModelDirectory,
): Promise<WorkspaceAgents> {
  const { store, blobs, transcripts, folder } = workspace;
  const { logger, now, newId } = options;
  return openAgents({
    db: store.db,
    transcripts,
    blobs,
    hub,
    models,
    grants: options.grants.inWorkspace(realpathSync(folder)),
    tools: { ...options.tools, workspace: folder },
    counter: options.counter,
    makePages: options.makePages,
    compaction: () => [models.compaction(), workspace.settings.get().compaction],
    newId,
    now,
    random: Math.random,
    logger,
    wait: (ms, signal) =>
      new Promise((resolve) => {
        const timer = setTimeout(resolve, ms);
        signal.addEventListener('abort', () => {
          clearTimeout(timer);
          resolve();
        });
      }),
  });
}

function later(work: () => void, ms: number): () => void {
  const timer = setTimeout(work, ms);
  timer.unref();
  return () => clearTimeout(timer);
}

function unreadable(state: WorkspaceState): FailureError {
  return new FailureError(
    state.failure ?? makeFailure('workspaceGone', 'This workspace is not open.', { retryable: true, detail: { path: state.folder } }),
  );
}
function readOnly(state: WorkspaceState): FailureError {
  return new FailureError(
    makeFailure('workspaceReadOnly', 'This workspace is open for reading only: nothing is saved.', { detail: { path: state.folder } }),
  );
}
