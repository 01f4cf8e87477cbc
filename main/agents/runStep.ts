// Runs one model call: streams it into a live row and the window, retries what may pass (P5), and ends it as a message or a failed turn (X9).
import { assertNever } from '../../shared/model/assertNever';
import { type Failure, FailureError, makeFailure } from '../../shared/model/failure';
import { messageIdOfStep, type NewId } from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { FinishReason, ModelRequest } from '../../shared/model/request';
import type { Now } from '../lib/clock';
import { decideRetry } from '../providers/retry';
import { saveStep } from '../store/liveSteps';
import { type BoundaryDeps, boundaryOf, isPassing, type StepEnd } from './boundary';
import { isFailure, type ModelAccess } from './modelAccess';
import { nameFailure } from './namedFailure';
import { StepParts } from './stepParts';

export type StepContext = BoundaryDeps & {
  now: Now;
  /** In [0, 1): spreads the waits between tries. */
  random(): number;
  newId: NewId;
  models: ModelAccess;
  /** Built when the model is known, so that the request fits what it can read. */
  buildRequest(model: ModelInfo): Promise<ModelRequest>;
  /** Resolves after `ms`, or at once when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

type CallEnd = { type: 'done'; finish: FinishReason } | { type: 'failed'; failure: Failure };

const saveEvery = 1000;
const storeRetryDelay = 2000;

export async function runStep(context: StepContext, step: LiveStep, signal: AbortSignal): Promise<StepEnd> {
  const parts = new StepParts();
  const end = endOf(context, step, parts, await callWithRetries(context, step, parts, signal), signal.aborted);
  await store(context, step, end);
  return end;
}

async function callWithRetries(context: StepContext, step: LiveStep, parts: StepParts, signal: AbortSignal): Promise<CallEnd> {
  for (let attempt = 1; ; attempt++) {
    const end = await callOnce(context, step, parts, signal);
    if (end.type === 'done' || signal.aborted) return end;
    const decision = decideRetry(end.failure, attempt, !parts.isEmpty, context.random());
    if (!decision.retry) return end;
    publishPhase(context, step, 'retrying', { attempt, at: context.now() + decision.afterMs, failure: end.failure });
    await context.wait(decision.afterMs, signal);
    if (signal.aborted) return end;
    publishPhase(context, step, 'connecting');
  }
}

async function callOnce(context: StepContext, step: LiveStep, parts: StepParts, signal: AbortSignal): Promise<CallEnd> {
  const reached = await context.models.reach(step.model);
  if (isFailure(reached)) return { type: 'failed', failure: reached };
  step.local = reached.local;
  if (reached.local) publishPhase(context, step, 'connecting');
  const saver = makeSaver(context, step, parts);
  try {
    const request = await context.buildRequest(reached.model);
    for await (const event of reached.provider.stream(request, reached.connection, signal)) {
      switch (event.type) {
        case 'accepted':
          publishPhase(context, step, 'waiting');
          break;
        case 'text':
        case 'reasoning':
        case 'usage': {
          const delta = parts.add(event);
          if (!delta) break;
          step.parts = parts.parts;
          step.phase = 'streaming';
          context.publish({ type: 'stepDelta', stepId: step.id, conversationId: step.conversationId, ...delta });
          saver.soon();
          break;
        }
        // No tools are sent yet, so none of these comes.
        case 'toolCallStarted':
        case 'toolCallDelta':
        case 'toolCall':
        case 'vendor':
          break;
        case 'done':
          return { type: 'done', finish: event.finish };
        case 'failed':
          return { type: 'failed', failure: nameFailure(event.failure, reached.connection.provider, reached.model.id) };
        default:
          assertNever(event);
      }
    }
    return { type: 'failed', failure: makeFailure('connectionLost', 'The answer ended without an end mark.', { retryable: true }) };
  } catch (error) {
    if (error instanceof FailureError) return { type: 'failed', failure: error.failure };
    context.logger.log('error', 'step failed', { cause: error });
    return { type: 'failed', failure: makeFailure('internal', error instanceof Error ? error.message : String(error)) };
  } finally {
    saver.stop();
  }
}

/** Writes the live row at most once a second while text streams; a failed save waits for the next one (X9). */
function makeSaver(context: StepContext, step: LiveStep, parts: StepParts): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    timer = undefined;
    try {
      saveStep(context.db, { stepId: step.id, parts: parts.parts, now: context.now() });
    } catch (error) {
      context.logger.log('warn', 'saving a running step failed', { cause: error });
    }
  };
  return {
    soon: () => {
      timer ??= setTimeout(save, saveEvery);
    },
    stop: () => clearTimeout(timer),
  };
}

function publishPhase(context: StepContext, step: LiveStep, phase: LiveStep['phase'], retry?: LiveStep['retry']): void {
  step.phase = phase;
  step.retry = retry;
  context.publish({ type: 'stepPhase', stepId: step.id, conversationId: step.conversationId, phase, retry, local: step.local });
}

/** Keeps the end in memory until it is stored: a full disk delays the end, it never drops text that was shown. */
async function store(context: StepContext, step: LiveStep, end: StepEnd): Promise<void> {
  const write = boundaryOf(context, step, end);
  for (let told = false; ; told = true) {
    try {
      write();
      return;
    } catch (error) {
      if (!isPassing(error)) throw error;
      if (!told) context.publish({ type: 'notice', notice: { code: 'answerWaitsForDisk', tone: 'error' } });
      await context.wait(storeRetryDelay, new AbortController().signal);
    }
  }
}

function endOf(context: StepContext, step: LiveStep, parts: StepParts, end: CallEnd, stopped: boolean): StepEnd {
  const now = context.now();
  if (end.type !== 'failed' || !parts.isEmpty || stopped) return { type: 'message', message: toMessage(step, parts, end, stopped, now) };
  const turn: FailedTurn = {
    id: context.newId('fld'),
    conversationId: step.conversationId,
    parentId: step.parentId,
    turnId: step.turnId,
    agentId: step.agentId,
    model: step.model,
    failure: end.failure,
    createdAt: now,
  };
  return { type: 'failed', turn };
}

function toMessage(step: LiveStep, parts: StepParts, end: CallEnd, stopped: boolean, now: number): Message {
  const cut = end.type === 'done' && (end.finish === 'length' || end.finish === 'filtered') ? end.finish : undefined;
  const message: Message = {
    id: messageIdOfStep(step.id),
    conversationId: step.conversationId,
    parentId: step.parentId,
    role: 'assistant',
    status: end.type === 'done' ? 'complete' : 'interrupted',
    parts: parts.parts,
    agentId: step.agentId,
    turnId: step.turnId,
    model: step.model,
    durationMs: Math.max(0, now - step.startedAt),
    createdAt: now,
  };
  if (parts.usage) message.usage = parts.usage;
  if (cut) message.finish = cut;
  if (end.type === 'failed' && !stopped) message.failure = end.failure;
  return message;
}
