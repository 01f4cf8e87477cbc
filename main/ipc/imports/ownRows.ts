// What was gathered of one of Bough's own exports, as rows: parents, tip and marks under the names they have here (I2, T7). Pure but for a look at blobs.
import type { Agent } from '../../../shared/model/agent';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../../shared/model/ids';
import { emptyCounts, type ImportCounts } from '../../../shared/model/importReport';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { Message } from '../../../shared/model/message';
import type { TranscriptFailure } from '../../../shared/model/transcript';
import { derive } from '../../../shared/tree/derive';
import { type OwnLine, type OwnMessage, unknownPart } from '../../interchange/ownLine';
import { plainTitle } from '../../interchange/plainTitle';
import type { ImportedRows } from '../../store/importRows';
import type { TranscriptStep } from '../../store/transcriptSteps';
import type { OwnIds } from './ownIds';
import { addCounts, leavesOf, type Prepared, type WriteDeps } from './writing';

/** A message of the file; `key` is its id there, with a number behind it where that stands twice. */
export type OwnRow = { key: string; message: OwnMessage };
export type OwnStands = { records: Map<RecordId, MemoryRecord>; failed: Map<MessageId, TranscriptFailure> };
export type OwnMark = Extract<OwnLine, { type: 'label' | 'pin' | 'checkpoint' | 'branchTip' }>;

export type Gathered = {
  deps: WriteDeps;
  begin: Extract<OwnLine, { type: 'begin' }>;
  /** The conversation it is added to. */
  known: ConversationId | null;
  id: ConversationId;
  ids: OwnIds;
  rows: OwnRow[];
  keys: Set<string>;
  byId: Map<MessageId, OwnMessage>;
  agents: Map<AgentId, Agent>;
  stands: Map<AgentId, OwnStands>;
  steps: TranscriptStep[];
  marks: OwnMark[];
};

export function aboutOf({ deps, begin, id, rows, agents }: Gathered) {
  const { conversation } = begin;
  const { now, agentId } = deps;
  const first = rows[0]?.message.createdAt ?? now();
  const last = rows.reduce((latest, { message }) => Math.max(latest, message.createdAt), 0);
  return {
    id,
    title: plainTitle(conversation.title),
    titleSource: conversation.titleSource,
    agentId: conversation.agentId !== null && agents.has(conversation.agentId) ? conversation.agentId : agentId,
    pinned: conversation.pinned,
    archived: conversation.archived,
    createdAt: conversation.createdAt ?? first,
    updatedAt: Math.min(now(), conversation.updatedAt ?? last),
    now: now(),
  };
}

/** All of it, once nothing more comes; a few messages at a time. */
export function* preparing(all: Gathered): Generator<void, Prepared, void> {
  const { deps, begin, ids, byId } = all;
  const derived = derive(all.rows.map(({ key, message }, seq) => ({ seq, id: key, parentId: message.parentId })));
  const perMessage = new Map<MessageId, ImportCounts>();
  const messages: Message[] = [];
  for (const [at, row] of all.rows.entries()) {
    const isRecovered = derived.get(row.key)?.recovered === true;
    const isTop = at === 0 && begin.scope === 'subtree';
    const message = toMessage(all, row, { isRecovered, isTop });
    perMessage.set(message.id, countsOf(deps, message, isRecovered && !isTop));
    messages.push(message);
    yield;
  }
  const counts = { ...emptyCounts(), conversations: 1, branches: leavesOf(messages) };
  for (const one of perMessage.values()) addCounts(counts, one);
  const { tipId } = begin.conversation;
  const last = all.rows.at(-1);
  const tip = tipId !== null && byId.has(tipId) ? tipId : (last?.key ?? null);
  const rows: ImportedRows = {
    ...aboutOf(all),
    tipId: tip === null ? null : ids.name(tip),
    source: { format: 'bough', sourceId: begin.sourceId },
    messages,
    ...marksOf(all),
  };
  return { rows, counts, known: all.known, perMessage };
}

function toMessage({ id, ids, keys }: Gathered, { key, message }: OwnRow, place: { isRecovered: boolean; isTop: boolean }): Message {
  const { digest, ...facts } = message;
  let parent: string | null = message.parentId;
  // A ring's root names what is not there, so that nothing closes; an orphan names its parent, which a later import may bring (T7).
  if (place.isRecovered && parent !== null) parent = keys.has(parent) ? `missing:${parent}` : place.isTop ? null : parent;
  const from = digest?.from && ids.message(digest.from);
  return {
    ...facts,
    id: ids.name(key),
    conversationId: id,
    parentId: parent === null ? null : ids.name(parent),
    ...(message.turnId === undefined ? {} : { turnId: ids.turn(message.turnId) }),
    ...(digest === undefined ? {} : { digest: { ...digest, from } }),
  };
}

function countsOf({ blobs }: WriteDeps, { parts }: Message, recovered: boolean): ImportCounts {
  const attachments = parts.flatMap((part) => (part.type === 'image' || part.type === 'file' ? [part.hash] : []));
  const found = attachments.filter((hash) => blobs.has(hash)).length;
  return {
    ...emptyCounts(),
    messages: 1,
    attachmentsFound: found,
    attachmentsMissing: attachments.length - found,
    notUnderstood: parts.filter((part) => part.type === 'raw' && part.source === unknownPart).length,
    recovered: recovered ? 1 : 0,
  };
}

function marksOf(all: Gathered): Required<Pick<ImportedRows, 'labels' | 'facts'>> {
  const { ids, marks, stands, byId, agents, steps, id: conversationId } = all;
  const { name, turn } = ids;
  const { newId } = all.deps;
  const labels = marks.flatMap((mark) =>
    mark.type === 'label' ? [{ messageId: name(mark.messageId), label: plainTitle(mark.label) }] : [],
  );
  const failed = [...stands].flatMap(([agentId, { failed: turns }]) =>
    [...turns.values()].map(({ parentId, turnId, ...rest }) => ({
      ...rest,
      id: newId('fld'),
      conversationId,
      agentId,
      parentId: name(parentId),
      turnId: turn(turnId),
    })),
  );
  return {
    labels,
    facts: {
      pins: marks.flatMap((mark) => (mark.type === 'pin' ? [name(mark.messageId)] : [])),
      checkpoints: marks.flatMap((mark) => {
        if (mark.type !== 'checkpoint') return [];
        const { messageId, label, by, createdAt } = mark;
        return [{ conversationId, messageId: name(messageId), label: plainTitle(label), by, createdAt }];
      }),
      branchTips: marks.flatMap((mark) => {
        if (mark.type !== 'branchTip' || !byId.has(mark.tipId)) return [];
        const { childId, tipId, turnId } = mark;
        return [{ childId: name(childId), tipId: name(tipId), ...(turnId === undefined ? {} : { turnId: turn(turnId) }) }];
      }),
      agents: [...agents.values()],
      failed,
      steps,
    },
  };
}
