// What is written with the end of a step beside its message: checkpoints it set, the digest of a rewind, messages steered in (C2, C3, A6).
import type { Checkpoint } from '../../shared/model/checkpoint';
import type { MessageId, NewId, QueuedId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import { type Message, type Part, requestInProgress } from '../../shared/model/message';
import type { Step } from '../../shared/model/transcript';
import type { Now } from '../lib/clock';
import { checkpointsOnPath } from '../store/checkpointRows';
import type { ReadableDb } from '../store/database';
import { pathHolds, requestOfTurn } from '../store/messages';
import { listQueued } from '../store/queuedMessages';
import type { Follow } from './boundary';
import { sessionEffects } from './sessionEffects';

export type FollowDeps = { db: ReadableDb; newId: NewId; now: Now };

/** Names that were taken meanwhile, and checkpoints that are gone, are left out: the step itself is never lost over them. */
export function effectsOf(deps: FollowDeps, live: LiveStep, step: Step): Follow {
  const { db, now } = deps;
  const { conversationId } = live;
  const wanted = sessionEffects(step);
  if (wanted.checkpoints.length === 0 && !wanted.rewind) return {};
  const standing = checkpointsOnPath(db, { conversationId, tipId: step.parentId });
  const used = new Set(standing.map(({ label }) => label));
  const checkpoints = wanted.checkpoints
    .filter((label) => !used.has(label))
    .map((label): Checkpoint => ({ conversationId, messageId: step.messageId, label, by: 'agent', createdAt: now() }));
  const target = standing.find(({ label }) => label === wanted.rewind?.label);
  if (!wanted.rewind || !target) return { checkpoints };
  const digest = digestMessage(deps, live, step, target, wanted.rewind.digest);
  return { checkpoints, rewindTo: target.messageId, after: [digest] };
}

function digestMessage({ db, newId, now }: FollowDeps, live: LiveStep, step: Step, target: Checkpoint, words: string): Message {
  const { conversationId, agentId, turnId } = live;
  const parts: Part[] = [{ type: 'text', text: words }, ...requestBehind(db, live, target.messageId)];
  return {
    id: newId('msg'),
    conversationId,
    parentId: target.messageId,
    role: 'digest',
    status: 'complete',
    parts,
    agentId,
    turnId,
    digest: { from: step.messageId, label: target.label },
    createdAt: now(),
  };
}

/** A checkpoint older than the turn has the user's request behind it: it goes along, whole. */
function requestBehind(db: ReadableDb, { conversationId, parentId, turnId }: LiveStep, target: MessageId): Part[] {
  const request = requestOfTurn(db, { conversationId, turnId });
  if (!request || pathHolds(db, { conversationId, tipId: target, messageId: request.id })) return [];
  if (!pathHolds(db, { conversationId, tipId: parentId, messageId: request.id })) return [];
  return [{ type: 'text', text: requestInProgress }, ...request.parts];
}

/** Messages steered into this turn, each under the one before (A6). */
export function steeredMessages(deps: FollowDeps, live: LiveStep, under: MessageId): { messages: Message[]; sent: QueuedId[] } {
  const { db, newId, now } = deps;
  const steered = listQueued(db, live.conversationId).filter((one) => one.turnId === live.turnId && one.mode === 'steer' && !one.held);
  const messages: Message[] = [];
  for (const { text, attachments } of steered) {
    const parts: Part[] = [...attachments, ...(text.trim() === '' ? [] : [{ type: 'text' as const, text }])];
    messages.push({
      id: newId('msg'),
      conversationId: live.conversationId,
      parentId: messages.at(-1)?.id ?? under,
      role: 'user',
      status: 'complete',
      parts,
      turnId: live.turnId,
      createdAt: now(),
    });
  }
  return { messages, sent: steered.map(({ id }) => id) };
}
