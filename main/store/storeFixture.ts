// Stores in temporary folders and two-line makers of messages, for tests of everything that stands on the store.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Agent } from '../../shared/model/agent';
import { FailureError } from '../../shared/model/failure';
import type { AgentId, ConversationId, FailedTurnId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import { createConversation } from './conversations';
import type { WritableDb } from './database';
import { appendMessage } from './messages';
import { openStore, type WriteStore } from './open';

export type TestStore = { store: WriteStore; db: WritableDb; folder: string; file: string; remove(): void };

export function makeStore(): TestStore {
  const folder = mkdtempSync(join(tmpdir(), 'bough-store-'));
  const file = join(folder, 'bough.db');
  const store = openStore({ file, mode: 'write', now: () => 1000 });
  return {
    store,
    db: store.db,
    folder,
    file,
    remove() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export const cnv = (name: string): ConversationId => `cnv_${name}` as ConversationId;
export const msg = (name: string): MessageId => `msg_${name}` as MessageId;
export const agentNamed = (name: string): Agent => ({
  id: name as AgentId,
  name,
  model: 'demo/demo',
  systemPrompt: '',
  tools: [],
  approval: 'ask',
  parameters: {},
});

export function makeMessage(name: string, parent: string | null, more: Partial<Message> = {}): Message {
  return {
    id: msg(name),
    conversationId: cnv('1'),
    parentId: parent === null ? null : msg(parent),
    role: 'user',
    status: 'complete',
    parts: [{ type: 'text', text: `text of ${name}` }],
    createdAt: 2000,
    ...more,
  };
}

export function makeStep(name: string, parent: string, more: Partial<LiveStep> = {}): LiveStep {
  return {
    id: `stp_${name}` as StepId,
    conversationId: cnv('1'),
    parentId: msg(parent),
    turnId: `trn_${name}` as TurnId,
    agentId: 'demo' as AgentId,
    model: 'demo/demo',
    parts: [],
    calls: [],
    phase: 'connecting',
    startedAt: 3000,
    ...more,
  };
}

export function makeFailed(name: string, parent: string, more: Partial<FailedTurn> = {}): FailedTurn {
  return {
    id: `fld_${name}` as FailedTurnId,
    conversationId: cnv('1'),
    parentId: msg(parent),
    turnId: `trn_${name}` as TurnId,
    agentId: 'demo' as AgentId,
    model: 'demo/demo',
    failure: { code: 'rateLimited', message: 'Too many requests.', retryable: true, detail: { status: 429 } },
    createdAt: 4000,
    ...more,
  };
}

/** A conversation `1` with the given messages, `name` or `name<parent`, in order of creation; the tip stays where it was unless it follows. */
export function plant(db: WritableDb, messages: readonly string[], conversation = '1'): void {
  createConversation(db, { id: cnv(conversation), now: 1000, agentId: 'demo' as AgentId });
  for (const text of messages) {
    const [name, parent] = text.split('<');
    appendMessage(db, { message: makeMessage(name ?? '', parent ?? null, { conversationId: cnv(conversation) }), tip: 'follow' });
  }
}

/** The code of the failure that `work` throws; undefined when it throws nothing. */
export function codeOf(work: () => unknown): string | undefined {
  try {
    work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure.code;
    throw error;
  }
  return undefined;
}
