// One model call: streams it into a step's content, the live row and the window, and retries what may pass (P5). Tools run afterwards.
import { splitModel } from '../../shared/model/agent';
import { assertNever } from '../../shared/model/assertNever';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { LiveStep } from '../../shared/model/live';
import type { ModelInfo } from '../../shared/model/provider';
import type { FinishReason, ModelRequest } from '../../shared/model/request';
import type { Now } from '../lib/clock';
import { pagesIn } from '../providers/pictures/leaveOut';
import { decideRetry } from '../providers/retry';
import type { WritableDb } from '../store/database';
import { saveStep } from '../store/liveSteps';
import { isFailure } from './modelAccess';
import { nameFailure } from './namedFailure';
import { overcomeRefusal, type RefusalContext, type Refused } from './overcomeRefusal';
import type { StepContent } from './stepContent';

export type StepContext = RefusalContext & {
  db: WritableDb;
  now: Now;
  /** In [0, 1): spreads the waits between tries. */
  random(): number;
  /** Built when the model is known, so that the request fits what it can read. */
  buildRequest(model: ModelInfo): Promise<ModelRequest>;
  /** Resolves after `ms`, or at once when the signal aborts. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

export type ModelEnd = { type: 'done'; finish: FinishReason } | Refused;

const saveEvery = 1000;

export async function callModel(context: StepContext, step: LiveStep, content: StepContent, signal: AbortSignal): Promise<ModelEnd> {
  const overcome = new Set<string>();
  for (let attempt = 1; ; attempt++) {
    let end = await callOnce(context, step, content, signal);
    while (end.type === 'failed' && content.isEmpty && !signal.aborted && (await overcomeRefusal(context, step, end, overcome)))
      end = await callOnce(context, step, content, signal);
    if (end.type === 'done' || signal.aborted) return end;
    const decision = decideRetry(end.failure, attempt, !content.isEmpty, context.random());
    if (!decision.retry) return end;
    startOver(context, step, content);
    publishPhase(context, step, 'retrying', { attempt, at: context.now() + decision.afterMs, failure: end.failure });
    await context.wait(decision.afterMs, signal);
    if (signal.aborted) return end;
    publishPhase(context, step, 'connecting');
  }
}

/** A call that was being written when the try failed is shown no longer. */
function startOver(context: StepContext, step: LiveStep, content: StepContent): void {
  content.clear();
  if (step.parts.length === 0) return;
  step.parts = [];
  context.publish({ type: 'talkChanged', conversationId: step.conversationId });
}

async function callOnce(context: StepContext, step: LiveStep, content: StepContent, signal: AbortSignal): Promise<ModelEnd> {
  const reached = await context.models.reach(step.model);
  if (isFailure(reached)) return { type: 'failed', failure: reached };
  step.local = reached.local;
  if (reached.local) publishPhase(context, step, 'connecting');
  const saver = makeSaver(context, step, content);
  try {
    const { kind, baseUrl } = reached.connection.provider;
    context.quirks.setUpAs(step.model, [reached.model, kind, baseUrl]);
    const model = context.quirks.asFound(step, reached.model);
    const leftOut = context.quirks.refused(step.conversationId, step.model);
    const { contextWindow, maxImages } = model;
    const request = { ...(await context.buildRequest(model)), leaveOut: leftOut, contextWindow, maxImages };
    for await (const event of reached.provider.stream(request, reached.connection, signal)) {
      switch (event.type) {
        case 'accepted':
          publishPhase(context, step, 'waiting');
          break;
        case 'text':
        case 'reasoning':
        case 'toolCallStarted':
        case 'toolCallDelta':
        case 'toolCall':
        case 'vendor':
        case 'usage':
          if (event.type === 'usage' && event.sign === 'truncated') tellTruncated(context, step);
          if (addEvent(context, step, content, event)) saver.soon();
          break;
        case 'done':
          return { type: 'done', finish: event.finish };
        case 'failed':
          return {
            type: 'failed',
            failure: nameFailure(event.failure, reached.connection.provider, reached.model.id),
            images: event.images,
            pages: pagesIn(request.messages),
          };
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

/** The server cut the front of the prompt and said nothing (P4): once for each model. */
function tellTruncated({ quirks, publish }: StepContext, { model }: LiveStep): void {
  if (!quirks.first('truncated', model)) return;
  publish({ type: 'notice', notice: { code: 'promptTruncated', values: { model: splitModel(model).modelId }, tone: 'warning' } });
}

/** Whether something changed that is shown. */
function addEvent(context: StepContext, step: LiveStep, content: StepContent, event: Parameters<StepContent['add']>[0]): boolean {
  const change = content.add(event);
  if (!change) return false;
  step.parts = content.shown;
  step.phase = 'streaming';
  const of = { stepId: step.id, conversationId: step.conversationId };
  if (change.type === 'part') context.publish({ type: 'stepPart', ...of, index: change.index, part: change.part });
  else context.publish({ ...change, ...of, type: 'stepDelta' });
  return true;
}

/** Writes the live row at most once a second while text streams; a failed save waits for the next one (X9). */
function makeSaver(context: StepContext, step: LiveStep, content: StepContent): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    timer = undefined;
    try {
      saveStep(context.db, { stepId: step.id, content: content.content, now: context.now() });
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
