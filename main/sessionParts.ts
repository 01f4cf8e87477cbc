// What works in an open workspace: its agents, what looks at their memory, its imports and the filling of its search index.
import { realpathSync } from 'node:fs';
import type { NewId } from '../shared/model/ids';
import type { EventHub } from './agents/eventHub';
import type { MemoryLooks } from './agents/ladder/memoryLooks';
import type { ModelDirectory, ModelDirectoryDeps } from './agents/modelDirectory';
import { readingMemory } from './agents/readingMemory';
import { type AgentsDeps, openAgents, type ToolEnvironment, type WorkspaceAgents } from './agents/workspaceAgents';
import type { TokenCounter } from './context/tokens/tokenCounter';
import { Imports } from './ipc/imports/imports';
import type { Now } from './lib/clock';
import type { Logger } from './lib/logger';
import { startIndexer } from './store/searchIndexer';
import type { Grants } from './user/grants';
import type { RunJob } from './workspace/backups';
import type { Workspace } from './workspace/openWorkspace';
import type { SearchThread } from './workspace/searchThread';

export type SessionDeps = {
  logger: Logger;
  now: Now;
  newId: NewId;
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

type OpenedWorkspace = Extract<Workspace, { status: 'open' }>;

export function memoryOf(
  { tools }: SessionDeps,
  { store, blobs, transcripts, settings, folder }: Extract<Workspace, { status: 'readOnly' }>,
  hub: EventHub,
  models: ModelDirectory,
): MemoryLooks {
  const compaction = () => [models.compaction(), settings.get().compaction];
  return readingMemory({ db: store.db, blobs, transcripts, hub, models, compaction, files: { ...tools, workspace: folder } });
}

export function importsOf({ now, newId, logger }: SessionDeps, { store, blobs, transcripts }: OpenedWorkspace, hub: EventHub): Imports {
  return new Imports({ db: store.db, blobs, transcripts, hub, newId, now, logger });
}

export function indexerOf({ logger }: SessionDeps, { store }: OpenedWorkspace): ReturnType<typeof startIndexer> {
  return startIndexer(store, {
    clock: () => performance.now(),
    later,
    onDamage: (cause) => logger.log('warn', 'the search index was damaged and is made anew', { cause }),
  });
}

export async function openWorkspaceAgents(
  deps: SessionDeps,
  workspace: OpenedWorkspace,
  hub: EventHub,
  models: ModelDirectory,
): Promise<WorkspaceAgents> {
  const { store, blobs, transcripts, folder } = workspace;
  const { logger, now, newId } = deps;
  return openAgents({
    db: store.db,
    transcripts,
    blobs,
    hub,
    models,
    grants: deps.grants.inWorkspace(realpathSync(folder)),
    tools: { ...deps.tools, workspace: folder },
    counter: deps.counter,
    makePages: deps.makePages,
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
