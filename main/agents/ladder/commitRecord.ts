// The commit of a pass (L11): what it folded still stands, what it was made over is what holds, the agent has the same model; then one write.
import { createHash } from 'node:crypto';
import { FailureError } from '../../../shared/model/failure';
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { Message } from '../../../shared/model/message';
import type { Step } from '../../../shared/model/transcript';
import { getConversation } from '../../store/conversations';
import { getMessage } from '../../store/messages';
import { transcriptStepsOf } from '../../store/transcriptSteps';
import type { Standpoint } from '../answering';
import type { LadderDeps } from './ladderDeps';

export type FoldedContent = { messages: Message[]; steps: ReadonlyMap<MessageId, Step> };

/** Null when one of them is gone. */
export async function foldedContent(
  { db, transcripts }: LadderDeps,
  { conversationId, agentId }: Standpoint,
  ids: readonly MessageId[],
): Promise<FoldedContent | null> {
  const messages = ids.flatMap((id) => getMessage(db, id) ?? []);
  if (messages.length < ids.length) return null;
  const own = messages.flatMap((message) => (message.agentId === agentId ? [message.id] : []));
  const steps = await transcripts.steps({ conversationId, agentId }, transcriptStepsOf(db, { messageIds: own, agentId }));
  return { messages, steps: new Map(steps.map((step) => [step.messageId, step])) };
}

export type TextHashes = ReadonlyMap<MessageId, string>;

export function textHashes(messages: readonly Message[]): TextHashes {
  return new Map(messages.map((message) => [message.id, hashOf(message)]));
}

function hashOf({ parts }: Message): string {
  return createHash('sha1').update(JSON.stringify(parts)).digest('hex');
}

/** Whether all that was folded is there, word for word, and the place itself is. */
export function stillStands({ db }: LadderDeps, { parentId }: Standpoint, hashes: TextHashes): boolean {
  if (!getMessage(db, parentId)) return false;
  for (const [id, hash] of hashes) {
    const message = getMessage(db, id);
    if (!message || hashOf(message) !== hash) return false;
  }
  return true;
}

/** The model that an agent has in the settings: a turn may go on with the one it began with. */
export function modelNow({ models }: LadderDeps, { agentId }: Standpoint): string | null | undefined {
  return models.agent(agentId)?.model;
}

/**
 * False when the pass was made for something that is another by now: then nothing was written. `model`: of the agent when the pass began. Throws
 * what the disk says.
 */
export function commitRecord(deps: LadderDeps, stand: Standpoint, record: MemoryRecord, model: ReturnType<typeof modelNow>): boolean {
  const { db, transcripts } = deps;
  const { conversationId, agentId, parentId, records, built } = stand;
  if (modelNow(deps, stand) !== model || !getConversation(db, conversationId) || !getMessage(db, parentId)) return false;
  const place = { conversationId, agentId };
  // What another branch remembers is none of this one's business.
  const path = new Set(built.map(({ id }) => id));
  const here = (all: Iterable<MemoryRecord>) => [...all].filter(({ anchorId }) => path.has(anchorId));
  if (!isSame(here(records ?? []), here(transcripts.open(place).standing.records.values()))) return false;
  transcripts.append(place, { type: 'record', record });
  return true;
}

function isSame(before: readonly MemoryRecord[], now: readonly MemoryRecord[]): boolean {
  return before.length === now.length && before.every(({ id, undone }, at) => now[at]?.id === id && now[at]?.undone === undone);
}

/** A failure of the disk ends the pass, not the turn. */
export function failureCode(error: unknown): string {
  if (error instanceof FailureError) return error.failure.code;
  throw error;
}
