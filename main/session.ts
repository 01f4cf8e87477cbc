// One workspace as the windows on it have it: its events, what works in it, what calls may reach, and its end.
import { FailureError, makeFailure } from '../shared/model/failure';
import type { BlobHash } from '../shared/model/ids';
import type { SettingsProblem } from '../shared/model/settings';
import type { WorkspaceState } from '../shared/model/workspace';
import { EventHub } from './agents/eventHub';
import type { MemoryLooks } from './agents/ladder/memoryLooks';
import type { ModelDirectory } from './agents/modelDirectory';
import type { WorkspaceAgents } from './agents/workspaceAgents';
import type { WorkspaceAccess } from './ipc/context';
import type { Imports } from './ipc/imports/imports';
import { importsOf, indexerOf, memoryOf, openWorkspaceAgents, type SessionDeps } from './sessionParts';
import { usedAgent } from './store/usedAgents';
import { noticeOf } from './transcript/transcriptNotice';
import { restoreBackup, type Workspace } from './workspace/openWorkspace';
import { searchOver, type WorkspaceSearch } from './workspace/searchThread';

export type Session = {
  folder: string;
  /** What it is kept under: a folder open for writing and the same for reading are two. */
  key: string;
  access: WorkspaceAccess;
  models: ModelDirectory;
  settingsProblems(): SettingsProblem[];
  close(): Promise<void>;
};

/** The check and the daily backup wait until the window has painted. */
const maintenanceDelay = 5000;

export async function openSession(deps: SessionDeps, workspace: Workspace, key: string): Promise<Session> {
  const hub = new EventHub(`${process.pid}-${deps.now()}`);
  let { state } = workspace;
  const readBlob = (hash: BlobHash) => (workspace.status === 'failed' ? Promise.reject(unreadable(state)) : workspace.blobs.read(hash));
  const models = deps.models({
    readBlob,
    usedAgent: (id) => (workspace.status === 'failed' ? undefined : usedAgent(workspace.store.db, id)),
  });
  if (workspace.status !== 'failed') {
    workspace.transcripts.listen((found) => {
      deps.logger.log('warn', 'a transcript was damaged', { ...found });
      hub.publish({ type: 'notice', notice: noticeOf(found) });
    });
  }
  const agents = workspace.status === 'open' ? await openWorkspaceAgents(deps, workspace, hub, models) : null;
  const memory = agents?.looks ?? (workspace.status === 'readOnly' ? memoryOf(deps, workspace, hub, models) : null);
  const imports = workspace.status === 'open' ? importsOf(deps, workspace, hub) : null;
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
      deps.logger.log('error', 'maintenance failed', { cause });
    }
  };
  const indexer = workspace.status === 'open' ? indexerOf(deps, workspace) : null;
  const search = workspace.status === 'failed' ? null : searchOver(deps.searchThread(workspace.store.file), () => indexer?.wake(true));
  const close = async () => {
    clearTimeout(timer);
    indexer?.stop();
    await Promise.all([search?.close(), imports?.close(), agents?.close()]);
    workspace.close();
  };
  const access = accessOf(workspace, {
    hub,
    agents,
    memory,
    imports,
    search,
    state: () => state,
    restoreBackup: async (name) => {
      await close();
      await restoreBackup({ folder: workspace.folder, name, now: deps.now, run: deps.run });
    },
  });
  return {
    folder: workspace.folder,
    key,
    access,
    models,
    settingsProblems: () => (workspace.status === 'failed' ? [] : workspace.settings.problems()),
    close,
  };
}

type Works = Pick<WorkspaceAccess, 'hub' | 'state' | 'restoreBackup'> & {
  agents: WorkspaceAgents | null;
  memory: MemoryLooks | null;
  imports: Imports | null;
  search: WorkspaceSearch | null;
};

/** What may be asked of it, and what is answered where it is open for reading only or not at all. */
function accessOf(workspace: Workspace, works: Works): WorkspaceAccess {
  const { hub, state, agents, memory, imports, search } = works;
  return {
    hub,
    state,
    read: () => {
      if (workspace.status === 'failed') throw unreadable(state());
      return { db: workspace.store.db, blobs: workspace.blobs, transcripts: workspace.transcripts };
    },
    write: () => {
      if (workspace.status === 'failed') throw unreadable(state());
      if (workspace.status === 'readOnly' || !agents || !imports) throw readOnly(state());
      return { db: workspace.store.db, blobs: workspace.blobs, agents, imports };
    },
    memory: () => {
      if (!memory) throw unreadable(state());
      return memory;
    },
    search: () => {
      if (!search) throw unreadable(state());
      return search;
    },
    agents: () => agents,
    imports: () => imports,
    settings: () => (workspace.status === 'failed' ? { interface: {}, conversation: {}, compaction: {} } : workspace.settings.get()),
    saveInterface: async (change) => {
      if (workspace.status !== 'open' || !workspace.settings.writable()) return;
      await workspace.settings.change((old) => ({ ...old, interface: { ...old.interface, ...change } }));
    },
    restoreBackup: works.restoreBackup,
  };
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
