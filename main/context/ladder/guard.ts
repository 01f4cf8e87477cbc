// The honest look before sending (L14): a request that cannot fit the window or the body limit is neither sent nor retried; the failure names
// its parts. Where only the room for the answer is too big, that is lowered. Pure.
import type { Agent } from '../../../shared/model/agent';
import { type Failure, makeFailure } from '../../../shared/model/failure';
import type { ModelInfo } from '../../../shared/model/provider';
import type { BuiltContext } from '../buildRequest';
import { builtTokens, fixedTokens } from '../requestSize';
import { builtBytes, memoryBytes, memoryTokens, type Weight } from './weigh';

/** Bytes of a body where neither the catalogue nor a refusal names a limit. */
const defaultBodyLimit = 20 * 1024 * 1024;

/** `maxOutput`: what the answer may take, where it is less than was asked for. */
export type Verdict = { type: 'fits'; maxOutput?: number | undefined } | { type: 'tooLarge'; failure: Failure };

export type GuardArgs = {
  context: BuiltContext;
  weight: Weight;
  agent: Agent;
  model: ModelInfo;
  /** Bytes. */
  bodyLimit?: number | undefined;
};

/** Answers shorter than that are of no use. */
export function leastOutput(window: number): number {
  return Math.min(1024, Math.floor(window / 16));
}

export function guardRequest({ context, weight, agent, model, bodyLimit = defaultBodyLimit }: GuardArgs): Verdict {
  if (weight.bytes > bodyLimit) return { type: 'tooLarge', failure: failureOf('overflowBytes', context, weight, bodyLimit) };
  const { contextWindow: window } = model;
  if (window === undefined) return { type: 'fits' };
  const room = window - weight.tokens;
  const asked = agent.parameters.maxOutput ?? model.maxOutput;
  if (room < leastOutput(window)) return { type: 'tooLarge', failure: failureOf('overflowTokens', context, weight, window) };
  return asked === undefined || asked <= room ? { type: 'fits' } : { type: 'fits', maxOutput: room };
}

export type RequestPartSize = {
  name: 'system' | 'tools' | 'firstRequest' | 'pins' | 'memory' | 'request' | 'tail' | 'largest';
  tokens: number;
  bytes: number;
};

/** What a request is made of, the parts that take anything. */
export function partsOf({ request, sent, layout, price }: BuiltContext, scale = 1): RequestPartSize[] {
  const withReasoning = request.reasoningEcho !== 'never';
  const sum = (name: RequestPartSize['name'], all: BuiltContext['sent']): RequestPartSize => ({
    name,
    tokens: Math.ceil(all.reduce((total, one) => total + builtTokens(one, withReasoning), 0) * scale),
    bytes: all.reduce((total, one) => total + builtBytes(one), 0),
  });
  const first = sent.findIndex(({ role }) => role === 'user');
  const isFirst = (one: BuiltContext['sent'][number]) => one === sent[first];
  const tools = request.tools ?? [];
  const parts: RequestPartSize[] = [
    { name: 'system', tokens: fixedTokens({ system: request.system }), bytes: Buffer.byteLength(request.system) },
    {
      name: 'tools',
      tokens: tools.length === 0 ? 0 : fixedTokens({ system: '', tools }),
      bytes: tools.length === 0 ? 0 : Buffer.byteLength(JSON.stringify(tools)),
    },
    sum('firstRequest', sent.filter(isFirst)),
    sum(
      'pins',
      layout.head.filter((one) => !isFirst(one)),
    ),
    { name: 'memory', tokens: memoryTokens(layout.memory, price), bytes: memoryBytes(layout.memory) },
    sum('request', layout.request),
    sum(
      'tail',
      layout.tail.filter((one) => !isFirst(one)),
    ),
  ];
  return parts.filter(({ tokens, bytes }) => tokens > 0 || bytes > 0);
}

function failureOf(code: 'overflowTokens' | 'overflowBytes', context: BuiltContext, weight: Weight, limit: number): Failure {
  const message =
    code === 'overflowTokens'
      ? 'The request does not fit in the context window of this model, so it was not sent.'
      : 'The request is larger than the provider takes, so it was not sent.';
  const size = code === 'overflowTokens' ? weight.tokens : weight.bytes;
  return makeFailure(code, message, { detail: { limit, size, parts: partsOf(context, weight.scale), unsent: true } });
}
