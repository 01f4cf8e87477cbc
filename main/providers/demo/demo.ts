// P1: the model that needs no key and no network. It streams word by word, follows simple orders, and fails on request.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type Failure, FailureError, makeFailure } from '../../../shared/model/failure';
import type { Usage } from '../../../shared/model/message';
import type { ModelInfo } from '../../../shared/model/provider';
import type { ModelRequest, ProviderEvent, RequestMessage } from '../../../shared/model/request';
import { callIdOf, nextCallNumber } from '../callIds';
import { guardStream } from '../guard';
import { picturesIn, withoutPictures } from '../pictures/leaveOut';
import type { Connection, Provider } from '../port';
import { makeRedactor } from '../redact';
import { joinText, repairMessages } from '../repair';
import { placeSystem } from '../systemRole';
import { defaultTimeouts } from '../timeouts';
import { readArguments } from '../toolArguments';
import { watchAnswer } from '../watchAnswer';
import { planAnswer } from './answer';
import { demoModels } from './models';
import { newestPrompts } from './newestPrompt';
import type { DemoFailure, Plan, Speed } from './orders';
import type { DemoCall } from './steps';

/** Milliseconds before each word. */
export type Pace = Record<Speed, number>;
const naturalPace: Pace = { natural: 24, fast: 0, slow: 80 };
/** A retry that the demo asks for is short, so that it can be watched. */
const retryAfterMs = 2000;
const imageTokens = 765;
const maxPictures = 20;
/** Words after which `cut` breaks the connection. */
const cutAfter = 12;

export function createDemo(pace: Pace = naturalPace): Provider {
  const tries = new Map<string, number>();
  return {
    stream: (request, connection, signal) => {
      const timeouts = connection.timeouts ?? defaultTimeouts;
      return guardStream({ signal, timeouts, redact: makeRedactor([]) }, (context) => {
        const placed = { ...request, messages: placeSystem(request.messages, null) };
        const whole = { ...request, messages: repairMessages(withoutPictures(placed, maxPictures)) };
        const orders = repairMessages(newestPrompts(request.messages));
        return watchAnswer(whole, connection, answer(whole, orders, connection, context.signal, pace, tries));
      });
    },
    listModels: async () => demoModels.map((model) => ({ ...model })),
  };
}

export const demoProvider = createDemo();

async function* answer(
  request: ModelRequest,
  orders: RequestMessage[],
  connection: Connection,
  signal: AbortSignal,
  pace: Pace,
  tries: Map<string, number>,
): AsyncGenerator<ProviderEvent> {
  const model = modelOf(request.modelId, connection);
  const window = model.contextWindow ?? Number.POSITIVE_INFINITY;
  const input = estimateInput(request);
  if (input > window) throw overflow(input, window);
  const plan = await planAnswer(request, orders, connection);
  const failure = plan.failure && shouldFail(plan, request, tries) ? plan.failure : null;
  if (failure === 'picture' && picturesIn(request.messages).length > 0) throw new FailureError(refusedPicture);
  if (failure === 'vision' && picturesIn(request.messages).length > 0) throw new FailureError(refusedVision);
  if (failure) refuseAtOnce(failure, input, window);
  yield { type: 'accepted' };
  if (failure === 'hang') await silence(signal);
  if (failure === 'empty') throw new FailureError(makeFailure('emptyAnswer', 'The provider sent an empty answer.', { retryable: true }));
  const room = Math.min(
    request.parameters.maxOutput ?? Number.POSITIVE_INFINITY,
    model.maxOutput ?? Number.POSITIVE_INFINITY,
    failure === 'length' ? 40 : Number.POSITIVE_INFINITY,
  );
  const firstCall = nextCallNumber(request.messages);
  yield* speak(plan, { input, room, firstCall, cut: failure === 'cut', delay: pace[plan.speed], signal });
}

type Speech = { input: number; room: number; firstCall: number; cut: boolean; delay: number; signal: AbortSignal };

async function* speak(plan: Plan, { input, room, firstCall, cut, delay, signal }: Speech): AsyncGenerator<ProviderEvent> {
  let thought = 0;
  let said = 0;
  let count = 0;
  const usage = (): Usage => ({
    input,
    output: Math.ceil(thought / 4) + Math.ceil(said / 4),
    ...(thought > 0 ? { reasoning: Math.ceil(thought / 4) } : {}),
  });
  for (const word of wordsOf(plan.thoughts)) {
    await wait(delay, count++, signal);
    thought += word.length;
    yield { type: 'reasoning', text: word, source: 'demo' };
  }
  let words = 0;
  for (const word of wordsOf(plan.text)) {
    await wait(delay, count++, signal);
    if (cut && words === cutAfter) {
      throw new FailureError(makeFailure('connectionLost', 'The connection was lost before the answer was complete.', { retryable: true }));
    }
    if (Math.ceil((thought + said) / 4) >= room) {
      yield { type: 'usage', usage: usage() };
      yield { type: 'done', finish: 'length' };
      return;
    }
    words += 1;
    said += word.length;
    yield { type: 'text', text: word };
  }
  for (const [index, call] of plan.calls.entries()) {
    await wait(delay, count++, signal);
    said += call.name.length + call.arguments.length;
    yield* callEvents(call, index, firstCall);
  }
  yield { type: 'usage', usage: usage() };
  yield { type: 'done', finish: plan.calls.length > 0 ? 'toolCalls' : 'stop' };
}

function callEvents({ name, arguments: written }: DemoCall, index: number, firstCall: number): ProviderEvent[] {
  const { text, valid } = readArguments(written);
  return [
    { type: 'toolCallStarted', index, name },
    { type: 'toolCallDelta', index, name, text },
    { type: 'toolCall', index, callId: callIdOf(firstCall + index), name, arguments: text, valid },
  ];
}

/** Each word with the white space behind it, so that the pieces joined are the text. */
function wordsOf(text: string): string[] {
  return text.match(/\s*\S+\s*/g) ?? [];
}

/** Without a pace it still lets others run now and then: a long answer at full speed must not hold up Stop. */
async function wait(delay: number, count: number, signal: AbortSignal): Promise<void> {
  if (delay > 0) await sleep(delay, undefined, { signal });
  else if (count % 16 === 0) await nextTurn(undefined, { signal });
}

function silence(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Error('aborted')), { once: true });
  });
}

function modelOf(modelId: string, connection: Connection): ModelInfo {
  const known = demoModels.find(({ id }) => id === modelId);
  const own = connection.provider.models.find(({ id }) => id === modelId);
  if (known || own) return { id: modelId, ...known, ...own };
  throw new FailureError(makeFailure('unknownModel', 'The demo does not know this model.', { detail: { status: 404, model: modelId } }));
}

function estimateInput(request: ModelRequest): number {
  const tokens = request.messages.map(
    ({ parts }) =>
      4 +
      Math.ceil((joinText(parts).length + toolCharacters(parts)) / 4) +
      imageTokens * parts.filter((part) => part.type === 'image').length,
  );
  return Math.ceil(request.system.length / 4) + tokens.reduce((sum, count) => sum + count, 0);
}

function toolCharacters(parts: ModelRequest['messages'][number]['parts']): number {
  return parts.reduce((sum, part) => {
    if (part.type === 'toolCall') return sum + part.name.length + part.arguments.length;
    return part.type === 'toolResult' ? sum + part.content.length : sum;
  }, 0);
}

/** "Once" is counted per request, so that a retry of the same one succeeds, and the next time fails again. */
function shouldFail(plan: Plan, request: ModelRequest, tries: Map<string, number>): boolean {
  if (!plan.onlyOnce) return true;
  const last = request.messages.at(-1);
  const key = `${request.messages.length} ${last ? joinText(last.parts) : ''}`;
  const before = tries.get(key) ?? 0;
  tries.set(key, before + 1);
  return before % 2 === 0;
}

function overflow(input: number, window: number): FailureError {
  const text = `This model's maximum context length is ${window} tokens. However, your messages resulted in ${input} tokens.`;
  const detail = { status: 400, providerText: text, contextWindow: window, size: input, limit: window };
  return new FailureError(makeFailure('overflowTokens', 'The request does not fit in the context window of this model.', { detail }));
}

const refusedPicture = makeFailure('imageRefused', 'The provider could not use a picture in this request.', {
  retryable: true,
  detail: { status: 400, providerText: 'Could not process image. The demo was asked to refuse it.' },
});

const refusedVision = makeFailure('visionRefused', 'This model, or its server, takes no images.', {
  retryable: true,
  detail: { status: 400, providerText: 'This model does not support image input. The demo was asked to refuse it.' },
});

/** The failures that come in place of an answer. */
function refuseAtOnce(failure: DemoFailure, input: number, window: number): void {
  const demo = (status: number) => ({ status, providerText: `The demo was asked to fail with ${status}.` });
  const answers: Partial<Record<DemoFailure, Failure>> = {
    '429': makeFailure('rateLimited', 'The provider asks to slow down.', { retryable: true, detail: { ...demo(429), retryAfterMs } }),
    '500': makeFailure('serverError', 'The provider has a problem of its own.', { retryable: true, detail: demo(500) }),
    '503': makeFailure('serverError', 'The provider has a problem of its own.', { retryable: true, detail: demo(503) }),
    '401': makeFailure('badKey', 'The provider does not accept this key.', { detail: demo(401) }),
    '403': makeFailure('forbidden', 'This key may not use this model or service.', { detail: demo(403) }),
    '404': makeFailure('unknownModel', 'The provider does not know this model.', { detail: demo(404) }),
    bytes: makeFailure('overflowBytes', 'The request is larger than the provider takes.', { detail: demo(413) }),
    refused: makeFailure('refused', 'The provider blocked this answer because of its content.', {
      detail: { providerText: 'The demo was asked to refuse.' },
    }),
  };
  if (failure === 'overflow') throw overflow(Math.max(input, window + 1), window);
  const answer = answers[failure];
  if (answer) throw new FailureError(answer);
}
