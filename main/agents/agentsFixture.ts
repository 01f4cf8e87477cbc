// The agents of a workspace over a real store, real files and a real provider that talks to a scripted server, for tests of turns.
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Agent } from '../../shared/model/agent';
import type { WindowEvent } from '../../shared/model/events';
import type { AgentId, ProviderId } from '../../shared/model/ids';
import { defaultPreferences, type UserSettings } from '../../shared/model/settings';
import { shippedGlyphs } from '../context/snapshot/glyphsFixture';
import { makePages } from '../context/snapshot/makePages';
import { createNewId } from '../lib/newId';
import { addBlobRow } from '../store/blobRows';
import { makeStore, type TestStore } from '../store/storeFixture';
import { usedAgent } from '../store/usedAgents';
import { type BlobStore, createBlobStore } from '../transcript/blobs';
import { createTranscripts, type Transcripts } from '../transcript/transcripts';
import { openLearnedLimits } from '../user/learnedLimits';
import { EventHub } from './eventHub';
import { createModelDirectory, type ModelDirectory } from './modelDirectory';
import { ripgrepIn } from './tools/common/ripgrep';
import { type AgentsDeps, openAgents, type WorkspaceAgents } from './workspaceAgents';

export type TurnFixture = TestStore &
  WorkspaceAgents & {
    transcripts: Transcripts;
    blobs: BlobStore;
    /** The folder that tools work in. */
    workspace: string;
    settings: UserSettings;
    models: ModelDirectory;
    events: WindowEvent[];
    /** What was allowed, by conversation. */
    grants: Map<string, Set<string>>;
    /** Resolves with the first event, past or to come, that fits. */
    event<T extends WindowEvent['type']>(
      type: T,
      fits?: (event: Extract<WindowEvent, { type: T }>) => boolean,
    ): Promise<Extract<WindowEvent, { type: T }>>;
    /** It goes on by one each time it is asked; may be set back. */
    clock: { time: number };
    /** Waits asked for by retries: resolve them by hand. */
    waits: { ms: number; go(): void }[];
    /** Ends all that runs as the end of the program does, and starts again on the same store and files. */
    restart(): Promise<TurnFixture>;
  };

export const helper: Agent = {
  id: 'helper' as AgentId,
  name: 'Helper',
  model: 'local/m1',
  systemPrompt: 'Be brief.',
  tools: [],
  approval: 'ask',
  parameters: {},
};

type Kept = {
  store: TestStore;
  settings: UserSettings;
  grants: Map<string, Set<string>>;
  clock: { time: number };
  wait?: AgentsDeps['wait'];
  makePages?: AgentsDeps['makePages'] | undefined;
};

/** `wait`: how retries wait; by hand when left out. `makePages`: in this thread when left out. */
export function makeTurnFixture(
  baseUrl: string,
  change: Partial<UserSettings> = {},
  more: Pick<Kept, 'wait' | 'makePages'> = {},
): Promise<TurnFixture> {
  const store = makeStore();
  mkdirSync(join(store.folder, 'workspace'));
  const settings: UserSettings = {
    version: 1,
    providers: [
      { id: 'local' as ProviderId, name: 'Local', kind: 'openai-chat', baseUrl, models: [{ id: 'm1', contextWindow: 32_000 }] },
      { id: 'demo' as ProviderId, name: 'Demo', kind: 'demo', models: [] },
    ],
    agents: [helper],
    roles: {},
    compaction: {},
    preferences: { ...defaultPreferences, autoTitle: false },
    onboarded: true,
    ...change,
  };
  return openFixture({ store, settings, grants: new Map(), clock: { time: 10_000 }, ...more });
}

async function openFixture(kept: Kept): Promise<TurnFixture> {
  const { store, settings, grants } = kept;
  const blobs = createBlobStore({ folder: join(store.folder, 'blobs'), record: (blob) => addBlobRow(store.db, { ...blob, createdAt: 1 }) });
  const transcripts = createTranscripts({ folder: join(store.folder, 'transcripts'), blobs });
  const { hub, events, event, heard } = listeningHub();
  const waits: TurnFixture['waits'] = [];
  const now = () => ++kept.clock.time;
  const models = createModelDirectory({
    settings: () => settings,
    keyOf: async (provider) => provider.apiKey ?? null,
    readBlob: blobs.read,
    limits: openLearnedLimits({ file: join(store.folder, 'limits.json'), logger: quietLogger, now }),
    usedAgent: (id) => usedAgent(store.db, id),
  });
  const agents = await openAgents({
    db: store.db,
    transcripts,
    blobs,
    hub,
    models,
    makePages: kept.makePages ?? (async (args) => makePages(shippedGlyphs(), args)),
    compaction: () => [settings.compaction],
    grants: grantsIn(grants),
    tools: {
      workspace: join(store.folder, 'workspace'),
      platform: process.platform,
      environment: process.env,
      hideKeys: (text) => text.replaceAll('the-key-of-bough', '[key]'),
      ripgrep: ripgrepIn(projectFolder(), process.platform, process.arch),
    },
    newId: createNewId(now),
    now,
    random: () => 0.5,
    logger: quietLogger,
    wait:
      kept.wait ??
      ((ms, signal) =>
        new Promise((go) => {
          signal.addEventListener('abort', () => go(), { once: true });
          waits.push({ ms, go });
          heard();
        })),
  });
  const restart = async () => {
    await agents.close();
    return openFixture(kept);
  };
  return {
    ...store,
    ...agents,
    transcripts,
    blobs,
    workspace: join(store.folder, 'workspace'),
    settings,
    models,
    events,
    grants,
    event,
    clock: kept.clock,
    waits,
    restart,
  };
}

/** Bundled for the bench these lines are elsewhere, and its Node does not say where; it runs in the project's folder. */
function projectFolder(): string {
  const here = import.meta.dirname as string | undefined;
  return here?.endsWith('agents') ? resolve(here, '../..') : process.cwd();
}

export const quietLogger: AgentsDeps['logger'] = { log: () => undefined, with: () => quietLogger };

function grantsIn(grants: Map<string, Set<string>>): AgentsDeps['grants'] {
  return {
    keysOf: (conversationId) => grants.get(conversationId) ?? new Set(),
    add: async (conversationId, keys) => {
      grants.set(conversationId, new Set([...(grants.get(conversationId) ?? []), ...keys]));
    },
  };
}

/** A hub that keeps what it published, and can be waited on. */
function listeningHub() {
  const events: WindowEvent[] = [];
  const listeners = new Set<() => void>();
  const heard = () => {
    for (const listener of listeners) listener();
  };
  const hub = new EventHub('test');
  const publish = hub.publish.bind(hub);
  hub.publish = (event) => {
    events.push(event);
    publish(event);
    heard();
  };
  const event: TurnFixture['event'] = (type, fits = () => true) =>
    new Promise((found) => {
      const look = () => {
        for (const one of events) {
          if (one.type !== type) continue;
          const fitting = one as Extract<WindowEvent, { type: typeof type }>;
          if (!fits(fitting)) continue;
          listeners.delete(look);
          found(fitting);
          return;
        }
      };
      listeners.add(look);
      look();
    });
  return { hub, events, event, heard };
}
