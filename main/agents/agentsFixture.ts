// A scheduler over a real store and a real provider that talks to a scripted server, for tests of turns.
import { join } from 'node:path';
import type { Agent } from '../../shared/model/agent';
import type { WindowEvent } from '../../shared/model/events';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ProviderId } from '../../shared/model/ids';
import { defaultPreferences, type UserSettings } from '../../shared/model/settings';
import { createNewId } from '../lib/newId';
import { makeStore, type TestStore } from '../store/storeFixture';
import { usedAgent } from '../store/usedAgents';
import { createTranscripts, type Transcripts } from '../transcript/transcripts';
import { requestFor } from './answering';
import { EventHub } from './eventHub';
import { createModelDirectory } from './modelDirectory';
import { Scheduler } from './scheduler';

export type TurnFixture = TestStore & {
  transcripts: Transcripts;
  scheduler: Scheduler;
  settings: UserSettings;
  events: WindowEvent[];
  /** Resolves with the first event, past or to come, that fits. */
  event<T extends WindowEvent['type']>(
    type: T,
    fits?: (event: Extract<WindowEvent, { type: T }>) => boolean,
  ): Promise<Extract<WindowEvent, { type: T }>>;
  /** Waits asked for by retries: resolve them by hand. */
  waits: { ms: number; go(): void }[];
};

const noBlobs = {
  writeNow: () => {
    throw new Error('no blobs here');
  },
  write: () => Promise.reject(new Error('no blobs here')),
  read: () => Promise.reject(new FailureError(makeFailure('blobGone', 'no blobs here'))),
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

export function makeTurnFixture(baseUrl: string, change: Partial<UserSettings> = {}): TurnFixture {
  const store = makeStore();
  const settings: UserSettings = {
    version: 1,
    providers: [{ id: 'local' as ProviderId, name: 'Local', kind: 'openai-chat', baseUrl, models: [{ id: 'm1', contextWindow: 32_000 }] }],
    agents: [helper],
    roles: {},
    compaction: {},
    preferences: { ...defaultPreferences, autoTitle: false },
    onboarded: true,
    ...change,
  };
  const transcripts = createTranscripts({ folder: join(store.folder, 'transcripts'), blobs: noBlobs });
  const events: WindowEvent[] = [];
  const listeners = new Set<() => void>();
  const hub = new EventHub('test');
  const publish = hub.publish.bind(hub);
  hub.publish = (event) => {
    events.push(event);
    publish(event);
    for (const listener of listeners) listener();
  };
  const waits: TurnFixture['waits'] = [];
  const models = createModelDirectory({
    settings: () => settings,
    keyOf: async (provider) => provider.apiKey ?? null,
    readBlob: noBlobs.read,
    usedAgent: (id) => usedAgent(store.db, id),
  });
  let time = 10_000;
  const now = () => ++time;
  const scheduler = new Scheduler({
    db: store.db,
    transcripts,
    hub,
    models,
    newId: createNewId(now),
    now,
    random: () => 0.5,
    logger: { log: () => undefined, with: () => ({ log: () => undefined, with: () => never() }) },
    wait: (ms, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => resolve(), { once: true });
        waits.push({ ms, go: resolve });
        for (const listener of listeners) listener();
      }),
    buildRequest: (parentId, agent, model) =>
      requestFor({ db: store.db, blobs: noBlobs, transcripts }, { parentId, agent, model, tools: [] }),
  });
  return {
    ...store,
    transcripts,
    scheduler,
    settings,
    events,
    waits,
    event: (type, fits = () => true) =>
      new Promise((resolve) => {
        const look = () => {
          for (const event of events) {
            if (event.type !== type) continue;
            const found = event as Extract<WindowEvent, { type: typeof type }>;
            if (!fits(found)) continue;
            listeners.delete(look);
            resolve(found);
            return;
          }
        };
        listeners.add(look);
        look();
      }),
  };
}

function never(): never {
  throw new Error('not used');
}
