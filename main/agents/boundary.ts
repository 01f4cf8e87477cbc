// The end of a step as it is stored: transcript first, database second (X2). A step in the file without a message is ignored when read; a
// message without a step is retold from the store (X7). So a stop between the two loses nothing.
import type { WindowEvent } from '../../shared/model/events';
import { FailureError } from '../../shared/model/failure';
import { messageIdOfStep } from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { Message, Part } from '../../shared/model/message';
import { type Step, type StepPart, shownPart, type TranscriptEntry } from '../../shared/model/transcript';
import type { Logger } from '../lib/logger';
import type { WritableDb } from '../store/database';
import { failStep, finishStep, type StepFinish } from '../store/endStep';
import type { TranscriptPlace } from '../transcript/liveFile';
import type { Transcripts } from '../transcript/transcripts';
import { isPassing } from './patientWrite';

export type BoundaryDeps = { db: WritableDb; transcripts: Transcripts; logger: Logger; publish(event: WindowEvent): void };

/** What is written in the transaction of a step's end, beside the message. */
export type Follow = Pick<StepFinish, 'checkpoints' | 'rewindTo' | 'after' | 'sent' | 'failed' | 'next'>;

/** How a step ended: as a message (complete or interrupted), or as a failed turn. `follow` is asked at the moment of writing. */
export type StepEnd =
  | { type: 'step'; step: Step; follow?: ((message: Message) => Follow) | undefined }
  | { type: 'failed'; turn: FailedTurn };

/** Stores the end; called again after a passing failure it goes on where it was. Throws what passes, and what the database throws. */
export function boundaryOf(deps: BoundaryDeps, live: LiveStep, end: StepEnd): () => Follow {
  const { db } = deps;
  let written: { file: number | null } | undefined;
  return () => {
    written ??= { file: writeEntry(deps, live, end) };
    if (end.type === 'failed') {
      failStep(db, { stepId: live.id, failed: end.turn });
      return {};
    }
    const transcript = written.file === null ? undefined : { agentId: live.agentId, file: written.file };
    const message = toMessage(live, end.step);
    const follow = end.follow?.(message) ?? {};
    finishStep(db, { stepId: live.id, message, tip: 'follow', transcript, ...follow });
    if (follow.failed) noteFailed(deps, live, follow.failed);
    return follow;
  };
}

/** The number of the file, or null where the transcript cannot be written: the answer is then kept by its message alone, and that is said. */
function writeEntry({ transcripts, logger, publish }: BoundaryDeps, live: LiveStep, end: StepEnd): number | null {
  try {
    if (end.type === 'failed') return transcripts.append(live, failedEntry(end.turn)).file;
    return transcripts.append(live, { type: 'step', step: end.step }).file;
  } catch (error) {
    if (isPassing(error)) throw error;
    logger.log('error', 'a transcript could not be written', { cause: error, stepId: live.id });
    const why = error instanceof FailureError ? error.failure.code : 'internal';
    // A failed turn is in the database with its failure all the same.
    if (end.type === 'step') publish({ type: 'notice', notice: { code: 'transcriptNotWritten', values: { why }, tone: 'warning' } });
    return null;
  }
}

/** The failure's row is the truth: what cannot be said here is no loss. */
function noteFailed({ transcripts, logger }: BoundaryDeps, live: LiveStep, failed: FailedTurn): void {
  try {
    transcripts.append(live, failedEntry(failed));
  } catch (error) {
    logger.log('warn', 'a failure is not in the transcript', { cause: error, stepId: live.id });
  }
}

function failedEntry({ parentId, turnId, model, failure, createdAt }: FailedTurn): TranscriptEntry {
  return { type: 'failed', parentId, turnId, model, failure, createdAt };
}

/** What is known of a step from its beginning. */
export function stepOf({ id, parentId, turnId, model }: LiveStep): Pick<Step, 'id' | 'messageId' | 'parentId' | 'turnId' | 'model'> {
  return { id, messageId: messageIdOfStep(id), parentId, turnId, model };
}

/** The message that shows a step. */
export function toMessage({ conversationId, agentId }: TranscriptPlace, step: Step): Message {
  const { parentId, turnId, model, usage, failure, finish, durationMs, createdAt } = step;
  const message: Message = {
    id: step.messageId,
    conversationId,
    parentId,
    role: 'assistant',
    status: step.interrupted ? 'interrupted' : 'complete',
    parts: step.content.flatMap((part) => toPart(step, part)),
    agentId,
    turnId,
    model,
    createdAt,
  };
  if (usage) message.usage = usage;
  if (failure) message.failure = failure;
  if (finish) message.finish = finish;
  if (durationMs !== undefined) message.durationMs = durationMs;
  return message;
}

/** A call with what came of it, in one line: the rest is in the transcript. */
function toPart(step: Step, part: StepPart): Part[] {
  return shownPart(part).map((shown) => {
    const result = shown.type === 'toolCall' ? step.results.find(({ callId }) => callId === shown.callId) : undefined;
    if (shown.type !== 'toolCall' || !result) return shown;
    const { summary, isError, outcome, durationMs } = result;
    return {
      ...shown,
      summary,
      ...(isError === undefined ? {} : { isError }),
      ...(outcome === undefined ? {} : { outcome }),
      ...(durationMs === undefined ? {} : { durationMs }),
    };
  });
}
