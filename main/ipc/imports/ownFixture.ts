// For tests of Bough's own exports: a conversation goes into a file and comes back, into a workspace of its own or the one it is from.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ExportInclude, ExportScope } from '../../../shared/model/export';
import type { AgentId, BlobHash, ConversationId, MessageId } from '../../../shared/model/ids';
import type { ImportMode, ImportReport } from '../../../shared/model/importReport';
import type { ModelRequest } from '../../../shared/model/request';
import { requestFor } from '../../agents/answering';
import { agents, readers } from '../../agents/forkFixture';
import { toJson, toJsonLines } from '../../interchange/export/jsonl';
import { createImportReader } from '../../interchange/importReader';
import { runImport } from '../../interchange/importRun';
import { createNewId } from '../../lib/newId';
import { addBlobRow } from '../../store/blobRows';
import { checkpointsOf } from '../../store/checkpointRows';
import { listConversations, requireConversation } from '../../store/conversations';
import { select, type WritableDb } from '../../store/database';
import { listFailedTurns } from '../../store/failedTurns';
import { agentsWithTranscripts } from '../../store/forks';
import { listLabels, listPins } from '../../store/marks';
import { getMessage } from '../../store/messages';
import { makeStore } from '../../store/storeFixture';
import { branchTipsOf } from '../../store/tips';
import { transcriptStepsOf } from '../../store/transcriptSteps';
import { usedAgents } from '../../store/usedAgents';
import { type BlobStore, createBlobStore } from '../../transcript/blobs';
import { createTranscripts, type Transcripts } from '../../transcript/transcripts';
import { collectBundle } from '../exports/collect';
import { createImportSink } from './sink';

export type Place = { db: WritableDb; folder: string; blobs: BlobStore; transcripts: Transcripts };
export type EmptyPlace = Place & { remove(): void };

/** A workspace with nothing in it. */
export function emptyPlace(sealAbove = 1500): EmptyPlace {
  const { db, folder, remove } = makeStore();
  const record = (blob: { hash: BlobHash; size: number; mime: string }) => addBlobRow(db, { ...blob, createdAt: 1 });
  const blobs = createBlobStore({ folder: join(folder, 'blobs'), record });
  const transcripts = createTranscripts({ folder: join(folder, 'transcripts'), blobs, sealAbove });
  return { db, folder, blobs, transcripts, remove };
}

const everything: ExportInclude = { toolCalls: true, reasoning: true, attachments: true, memory: true };
export type Exporting = { format?: 'json' | 'jsonl'; scope?: ExportScope; messageId?: MessageId | null; include?: ExportInclude };

/** The text of the file. */
export async function exported(from: Place, conversationId: ConversationId, how: Exporting = {}): Promise<string> {
  const { format = 'jsonl', scope = 'tree', messageId = null, include = everything } = how;
  const bundle = await collectBundle(from, { conversationId, messageId, scope });
  const readBlob = (hash: BlobHash) => from.blobs.read(hash).catch(() => null);
  let text = '';
  for await (const piece of (format === 'json' ? toJson : toJsonLines)(bundle, include, { exportedAt: 7, readBlob })) text += piece;
  return text;
}

export type Importing = { mode?: ImportMode; signal?: AbortSignal; now?: number };

export async function imported(
  to: Place,
  content: string | Buffer,
  { mode = 'skip', signal, now = 9000 }: Importing = {},
): Promise<ImportReport> {
  const folder = mkdtempSync(join(tmpdir(), 'bough-own-'));
  try {
    const file = join(folder, 'any name');
    writeFileSync(file, content);
    const sink = createImportSink({
      ...to,
      readPdf: async () => ({ text: '', pages: 0 }),
      newId: createNewId(() => now),
      now: () => now,
      agentId: null,
      mode,
      signal,
    });
    return await runImport({ reader: createImportReader([file]), sink, signal });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

export const conversationsIn = ({ db }: Place) => [
  ...listConversations(db, { archived: false }),
  ...listConversations(db, { archived: true }),
];

export function messagesIn({ db }: Place, id: ConversationId): MessageId[] {
  return select<{ id: MessageId }>(db, 'SELECT id FROM messages WHERE conversation_id = ? ORDER BY seq')
    .all(id)
    .map((row) => row.id);
}

/** What an agent would be sent for an answer under a message. */
export async function asked(at: Place, parentId: MessageId, by: number): Promise<ModelRequest['messages']> {
  const agent = agents[by] ?? agents[0];
  const tools = [{ name: 'read', description: 'Reads.', inputSchema: {} }];
  return (await requestFor(at, { parentId, agent, model: readers[by] ?? readers[0], tools })).messages;
}

const named = new Set([
  'id',
  'messageId',
  'parentId',
  'turnId',
  'anchorId',
  'previousId',
  'tipId',
  'childId',
  'from',
  'folded',
  'kept',
  'jump',
]);

/** Everything that a conversation is, with its ids replaced by the order in which they are met: two are the same tree where these are equal. */
export async function told(at: Place, id: ConversationId): Promise<unknown> {
  const { db } = at;
  const { title, titleSource, tipId, agentId, pinned, archived, createdAt, updatedAt } = requireConversation(db, id);
  const places = select<Record<string, unknown>>(
    db,
    'SELECT parent_id AS parentId, ordinal, depth, jump_id AS jump, recovered FROM messages WHERE conversation_id = ? ORDER BY seq',
  ).all(id);
  const without = <T extends object>(value: T, ...keys: string[]) =>
    Object.fromEntries(Object.entries(value).filter(([key]) => !keys.includes(key)));
  const whole = {
    messages: messagesIn(at, id).map((one) => without(getMessage(db, one) ?? {}, 'conversationId')),
    places,
    conversation: { title, titleSource, tipId, agentId, pinned, archived, createdAt, updatedAt },
    labels: listLabels(db, id),
    pins: listPins(db, id).map((messageId) => ({ messageId })),
    checkpoints: checkpointsOf(db, id).map((one) => without(one, 'conversationId')),
    branchTips: branchTipsOf(db, id),
    failed: listFailedTurns(db, { conversationId: id }).map((one) => without(one, 'id', 'conversationId')),
    agents: usedAgents(db, id).map((agent) => JSON.stringify(agent)),
    transcripts: await Promise.all(agentsWithTranscripts(db, id).map((one) => transcriptOf(at, id, one))),
  };
  const names = new Map<string, string>();
  const nameOf = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(nameOf);
    if (typeof value !== 'string') return value;
    if (!names.has(value)) names.set(value, `#${names.size}`);
    return names.get(value);
  };
  return JSON.parse(JSON.stringify(whole, (key, value) => (named.has(key) ? nameOf(value) : value)));
}

async function transcriptOf({ db, transcripts }: Place, conversationId: ConversationId, agentId: AgentId): Promise<unknown> {
  const place = { conversationId, agentId };
  const messageIds = messagesIn({ db } as Place, conversationId);
  const steps = await transcripts.steps(place, transcriptStepsOf(db, { messageIds, agentId }));
  const order = new Map(messageIds.map((one, at) => [one, at]));
  const { records } = transcripts.open(place).standing;
  return {
    agentId,
    steps: steps.sort((a, b) => (order.get(a.messageId) ?? 0) - (order.get(b.messageId) ?? 0)),
    // What a record was made over counts where it is there.
    records: [...records.values()].map(({ previousId, ...one }) => (previousId && records.has(previousId) ? { ...one, previousId } : one)),
  };
}
