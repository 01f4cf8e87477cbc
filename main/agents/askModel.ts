// One question to a model for one text, without tools: titles, digests of branches, state cards. Whatever goes wrong is an outcome, never thrown.
import { type Failure, FailureError, makeFailure } from '../../shared/model/failure';
import type { Usage } from '../../shared/model/message';
import type { ModelRequest } from '../../shared/model/request';
import type { RoleName } from '../../shared/model/settings';
import { estimateTokens } from '../../shared/text/estimateTokens';
import { isFailure, type ModelAccess, type ReachedModel } from './modelAccess';
import { nameFailure } from './namedFailure';

export type Question = {
  system: string;
  text: string;
  /** Tokens of the answer; a longer one is refused, and not read to its end. No limit when left out. */
  most?: number | undefined;
  /** Milliseconds; 120 s when left out. */
  timeLimit?: number | undefined;
  signal?: AbortSignal | undefined;
};

type Spent = { model: string; usage?: Usage | undefined; durationMs: number };
/** `empty`: not a word. `cut`: the output limit or a filter ended it early; `text` is what came. */
export type Reply = Spent &
  (
    | { type: 'answer'; text: string }
    | { type: 'empty' }
    | { type: 'oversized' }
    | { type: 'cut'; finish: 'length' | 'filtered'; text: string }
    | { type: 'failed'; failure: Failure }
  );
type Unfinished = Omit<Spent, 'durationMs'>;
type Told = Reply extends infer One ? (One extends Spent ? Omit<One, keyof Spent> : never) : never;

const usualLimit = 120_000;

/** M4: the role's model, for `compaction` else that of `title`, else the agent's own; null when there is none. */
export function modelOfRole(models: Pick<ModelAccess, 'roles'>, role: RoleName, own: string | null): string | null {
  const { compaction, title } = models.roles();
  return (role === 'compaction' ? (compaction ?? title) : title) ?? own;
}

/** `modelRef` as `providerId/modelId`. One request, no second try. */
export async function askModel(models: Pick<ModelAccess, 'reach'>, modelRef: string, question: Question): Promise<Reply> {
  const start = performance.now();
  const stop = new AbortController();
  const abort = () => stop.abort();
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    abort();
  }, question.timeLimit ?? usualLimit);
  timer.unref();
  if (question.signal?.aborted) abort();
  question.signal?.addEventListener('abort', abort, { once: true });
  const spent: Unfinished = { model: modelRef };
  const ended = new Promise<Told>((resolve) => {
    const end = () => resolve({ type: 'failed', failure: late ? tooLate() : stopped() });
    if (stop.signal.aborted) end();
    stop.signal.addEventListener('abort', end, { once: true });
  });
  try {
    // A provider that does not answer an abort is not waited for.
    const told = await Promise.race([ended, listen(models, modelRef, question, stop.signal, spent)]);
    return { ...told, ...spent, durationMs: Math.round(performance.now() - start) };
  } finally {
    clearTimeout(timer);
    question.signal?.removeEventListener('abort', abort);
  }
}

async function listen(
  models: Pick<ModelAccess, 'reach'>,
  modelRef: string,
  question: Question,
  signal: AbortSignal,
  spent: Unfinished,
): Promise<Told> {
  try {
    const reached = await models.reach(modelRef);
    if (isFailure(reached)) return { type: 'failed', failure: reached };
    return signal.aborted ? { type: 'failed', failure: stopped() } : await readAnswer(reached, question, signal, spent);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return { type: 'failed', failure: error instanceof FailureError ? error.failure : makeFailure('internal', message) };
  }
}

async function readAnswer(
  { provider, connection, model }: ReachedModel,
  { system, text, most = Number.POSITIVE_INFINITY }: Question,
  signal: AbortSignal,
  spent: Unfinished,
): Promise<Told> {
  const request: ModelRequest = {
    modelId: model.id,
    system,
    messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
    parameters: {},
    contextWindow: model.contextWindow,
  };
  let answer = '';
  for await (const event of provider.stream(request, connection, signal)) {
    if (event.type === 'usage') spent.usage = event.usage;
    if (event.type === 'text') answer += event.text;
    // An estimate costs as much as the text is long: a text this short is within every limit.
    if (event.type === 'text' && answer.length > most && estimateTokens(answer) > most) return { type: 'oversized' };
    if (event.type === 'failed' && event.failure.code === 'emptyAnswer') return { type: 'empty' };
    if (event.type === 'failed') return { type: 'failed', failure: nameFailure(event.failure, connection.provider, model.id) };
    if (event.type === 'done') return said(answer, event.finish);
  }
  return { type: 'failed', failure: makeFailure('connectionLost', 'The answer ended without an end mark.', { retryable: true }) };
}

function said(answer: string, finish: string): Told {
  if (finish === 'filtered' || (finish === 'length' && answer.trim() !== '')) return { type: 'cut', finish, text: answer };
  return answer.trim() === '' ? { type: 'empty' } : { type: 'answer', text: answer.trim() };
}

function stopped(): Failure {
  return makeFailure('stopped', 'The request was stopped.');
}

function tooLate(): Failure {
  return makeFailure('timeout', 'The model did not answer in time.', { retryable: true });
}
