// Weighs a built request against the model's window, and makes the record where it cannot fit (X6). Pure.
import type { Agent } from '../../shared/model/agent';
import type { MessageId, RecordId, TurnId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { ModelInfo } from '../../shared/model/provider';
import type { BuiltContext } from './buildRequest';
import { type ImagePrice, imagePriceOf } from './imagePrice';
import { memoryTokens } from './ladder/weigh';
import { reserveOf } from './measureContext';
import { builtTokens, fixedTokens, mostBuiltTokens } from './requestSize';
import { noticeTokens, planTrim, type TrimPlan } from './trim';
import { wordingVersion } from './wording';

/** `room` and the numbers before and after are in tokens, `bytesBefore` in bytes of JSON. */
export type RequestTrim = TrimPlan & { room: number; fixed: number; tokensBefore: number; bytesBefore: number };

/** Null when it fits by estimate, or when the window is not known: then the server's refusal is the first to know. */
export function planRequestTrim(args: {
  context: BuiltContext;
  agent: Agent;
  model: ModelInfo;
  pins?: ReadonlySet<MessageId>;
}): RequestTrim | null {
  const { context, agent, model, pins } = args;
  const { contextWindow: window } = model;
  if (window === undefined) return null;
  const free = window - reserveOf(window, agent.parameters.maxOutput ?? model.maxOutput);
  const fixed = fixedTokens(context.request) + memoryTokens(context.layout.memory, context.price);
  const room = free - fixed;
  const price = imagePriceOf(model);
  if (fits(context, price, room - noticeTokens(context.leftOut.size))) return null;
  const withReasoning = context.request.reasoningEcho !== 'never';
  const units = context.sent.map((one) => ({
    id: one.id,
    role: one.role,
    turnId: one.turnId,
    tokens: builtTokens(one, withReasoning, price),
  }));
  const plan = planTrim({ units, before: context.leftOut.size, room, pins });
  if (!plan) return null;
  const tokensBefore = fixed + units.reduce((sum, { tokens }) => sum + tokens, 0);
  return { ...plan, room, fixed, tokensBefore, bytesBefore: bytesOf(context) };
}

/** Estimated only as far as it takes to see that there is room: where there is plenty, that is quick. False says nothing. */
function fits({ sent }: BuiltContext, price: ImagePrice, room: number): boolean {
  let most = sent.reduce((sum, one) => sum + mostBuiltTokens(one, price), 0);
  for (const one of sent) {
    if (most <= room) return true;
    most += builtTokens(one, true, price) - mostBuiltTokens(one, price);
  }
  return most <= room;
}

/** The receipt's bytes after are an estimate in proportion: the request is built again from the record. */
export function recordOfTrim(
  plan: RequestTrim,
  facts: { id: RecordId; turnId: TurnId | undefined; createdAt: number },
): MemoryRecord & { anchorId: MessageId } {
  const anchorId = plan.folded.at(-1);
  if (anchorId === undefined) throw new Error('a trim leaves something out');
  const tokensAfter = plan.fixed + plan.tokensAfter;
  return {
    id: facts.id,
    kind: 'trim',
    anchorId,
    folded: plan.folded,
    elided: [],
    droppedImages: [],
    wordingVersion,
    receipt: {
      trigger: 'load',
      ...(facts.turnId === undefined ? {} : { turnId: facts.turnId }),
      tokensBefore: plan.tokensBefore,
      tokensAfter,
      bytesBefore: plan.bytesBefore,
      bytesAfter: Math.round(plan.bytesBefore * (tokensAfter / Math.max(1, plan.tokensBefore))),
      kept: plan.kept,
      durationMs: 0,
      createdAt: facts.createdAt,
    },
  };
}

function bytesOf({ request }: BuiltContext): number {
  return Buffer.byteLength(JSON.stringify(request.messages));
}
