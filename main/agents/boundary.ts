// The end of a step as it is stored: transcript first, database second (X2). A step in the file without a message is ignored when read; a
// message without a step is retold from the store (X7). So a stop between the two loses nothing.
import type { WindowEvent } from '../../shared/model/events';
import { FailureError } from '../../shared/model/failure';
import { messageIdOfStep } from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { Message, Part } from '../../shared/model/message';
import type { Step, StepPart, TranscriptEntry } from '../../shared/model/transcript';
import type { Logger } from '../lib/logger';
import type { WritableDb } from '../store/database';
import { failStep, finishStep } from '../store/liveSteps';
import type { TranscriptPlace } from '../transcript/liveFile';
import type { Transcripts } from '../transcript/transcripts';

export type BoundaryDeps = { db: WritableDb; transcripts: Transcripts; logger: Logger; publish(event: WindowEvent): void };

/** How a step ended: a message (complete or interrupted), or a failed turn. */
export type StepEnd = { type: 'message'; message: Message } | { type: 'failed'; turn: FailedTurn };

/** Passes by itself: the end is kept in memory and stored later, nothing of it is given up. */
export function isPassing(error: unknown): boolean {
  return error instanceof FailureError && (error.failure.code === 'diskFull' || error.failure.code === 'databaseBusy');
}

/** Stores the end; called again after a passing failure it goes on where it was. Throws what passes, and what the database throws. */
export function boundaryOf(deps: BoundaryDeps, step: LiveStep, end: StepEnd): () => void {
  const { db } = deps;
  let written: { file: number | null } | undefined;
  return () => {
    written ??= { file: writeEntry(deps, step, end) };
    if (end.type === 'failed') {
      failStep(db, { stepId: step.id, failed: end.turn });
      return;
    }
    const transcript = written.file === null ? undefined : { agentId: step.agentId, file: written.file };
    finishStep(db, { stepId: step.id, message: end.message, tip: 'follow', transcript });
  };
}

/** The number of the file, or null where the transcript cannot be written: the answer is then kept by its message alone, and that is said. */
function writeEntry({ transcripts, logger, publish }: BoundaryDeps, step: LiveStep, end: StepEnd): number | null {
  try {
    return transcripts.append(step, entryOf(step, end)).file;
  } catch (error) {
    if (isPassing(error)) throw error;
    logger.log('error', 'a transcript could not be written', { cause: error, stepId: step.id });
    const why = error instanceof FailureError ? error.failure.code : 'internal';
    // A failed turn is in the database with its failure all the same.
    if (end.type === 'message') publish({ type: 'notice', notice: { code: 'transcriptNotWritten', values: { why }, tone: 'warning' } });
    return null;
  }
}

function entryOf(step: LiveStep, end: StepEnd): TranscriptEntry {
  if (end.type === 'message') return { type: 'step', step: toStep(step, end.message) };
  const { parentId, turnId, model, failure, createdAt } = end.turn;
  return { type: 'failed', parentId, turnId, model, failure, createdAt };
}

function toStep({ id, parentId, turnId, model }: LiveStep, message: Message): Step {
  const { usage, failure, finish, durationMs, createdAt } = message;
  const interrupted = message.status === 'interrupted' ? true : undefined;
  return {
    id,
    messageId: message.id,
    parentId,
    turnId,
    model,
    content: message.parts,
    results: [],
    usage,
    interrupted,
    failure,
    finish,
    durationMs,
    createdAt,
  };
}

/** The message that shows a step: where the program ended between the two writes of a boundary. */
export function toMessage({ conversationId, agentId }: TranscriptPlace, step: Step): Message {
  const { id, parentId, turnId, model, usage, failure, finish, durationMs, createdAt } = step;
  const message: Message = {
    id: messageIdOfStep(id),
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

function toPart(step: Step, part: StepPart): Part[] {
  if (part.type === 'vendor') return [];
  if (part.type === 'toolCall') {
    const { vendor: _, ...call } = part;
    const result = step.results.find(({ callId }) => callId === part.callId);
    return [result ? { ...call, summary: result.summary, isError: result.isError } : call];
  }
  if (part.type !== 'text' && part.type !== 'reasoning') return [part];
  const { vendor: _, ...shown } = part;
  return [shown];
}
