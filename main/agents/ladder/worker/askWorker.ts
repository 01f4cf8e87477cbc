// One answer of a worker's model, with the calls it makes; it goes nowhere but back to the worker. Whatever goes wrong is an outcome, never thrown.
import { type Failure, FailureError, makeFailure } from '../../../../shared/model/failure';
import type { Usage } from '../../../../shared/model/message';
import type { ModelRequest, ProviderEvent } from '../../../../shared/model/request';
import type { StepPart } from '../../../../shared/model/transcript';
import { isFailure, type ModelAccess } from '../../modelAccess';
import { nameFailure } from '../../namedFailure';
import { StepContent } from '../../stepContent';

/** `cut`: its output limit ended it. `oversized`: it did not stop writing or calling, and was not read to its end. */
export type WorkerAnswer = { usage?: Usage | undefined } & (
  | { type: 'answer'; content: StepPart[]; cut: boolean }
  | { type: 'oversized' }
  | { type: 'failed'; failure: Failure }
);
export type WorkerQuestion = Pick<ModelRequest, 'system' | 'messages' | 'tools'> & {
  /** Characters of text and calls. */
  most: number;
  /** Milliseconds. */
  timeLimit: number;
};

/** More calls in one answer are no plan. */
const mostCalls = 64;

export async function askWorker(
  models: Pick<ModelAccess, 'reach'>,
  modelRef: string,
  question: WorkerQuestion,
  signal: AbortSignal,
): Promise<WorkerAnswer> {
  const stop = new AbortController();
  const content = new StepContent();
  let timer: NodeJS.Timeout | undefined;
  let abort = () => stop.abort();
  const ended = new Promise<WorkerAnswer>((resolve) => {
    const end = (failure: Failure) => {
      stop.abort();
      resolve({ type: 'failed', failure });
    };
    abort = () => end(makeFailure('stopped', 'The request was stopped.'));
    const late = () => end(makeFailure('timeout', 'The model did not answer in time.', { retryable: true }));
    timer = setTimeout(late, question.timeLimit);
    timer.unref();
  });
  signal.addEventListener('abort', abort, { once: true });
  if (signal.aborted) abort();
  try {
    // A provider that does not answer an abort is not waited for.
    const answer = await Promise.race([ended, listen(models, modelRef, question, content, stop)]);
    return { ...answer, usage: content.usage };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', abort);
  }
}

async function listen(
  models: Pick<ModelAccess, 'reach'>,
  modelRef: string,
  { most, timeLimit: _, ...asked }: WorkerQuestion,
  content: StepContent,
  stop: AbortController,
): Promise<WorkerAnswer> {
  try {
    const reached = await models.reach(modelRef);
    if (isFailure(reached)) return { type: 'failed', failure: reached };
    const { provider, connection, model } = reached;
    const request: ModelRequest = { ...asked, modelId: model.id, parameters: {}, contextWindow: model.contextWindow };
    let size = 0;
    for await (const event of provider.stream(request, connection, stop.signal)) {
      content.add(event);
      size += sizeOf(event);
      if (size > most || (event.type === 'toolCall' && event.index >= mostCalls)) return { type: 'oversized' };
      if (event.type === 'failed' && event.failure.code === 'emptyAnswer') return { type: 'answer', content: [], cut: false };
      if (event.type === 'failed') return { type: 'failed', failure: nameFailure(event.failure, connection.provider, model.id) };
      if (event.type === 'done') return endOf(event.finish, content);
    }
    return { type: 'failed', failure: makeFailure('connectionLost', 'The answer ended without an end mark.', { retryable: true }) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { type: 'failed', failure: error instanceof FailureError ? error.failure : makeFailure('internal', message) };
  }
}

function sizeOf(event: ProviderEvent): number {
  return event.type === 'text' || event.type === 'toolCallDelta' ? event.text.length : 0;
}

/** An answer with whole calls can be gone on with, whatever ended it. */
function endOf(finish: string, content: StepContent): WorkerAnswer {
  if (finish === 'filtered' && content.calls.length === 0)
    return { type: 'failed', failure: makeFailure('refused', 'The provider blocked this answer.') };
  return { type: 'answer', content: content.content, cut: finish === 'length' };
}
