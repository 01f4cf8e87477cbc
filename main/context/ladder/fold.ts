// Where a pass cuts: what the memory stands for, and the tail that stays as it is (L8). A step is one message with all its results, so the cut
// never parts a call from its result. Pure.
import type { MessageId } from '../../../shared/model/ids';
import type { BuiltMessage } from '../pathMessage';
import { builtTokens } from '../requestSize';
import { turnInProgress } from './dropImages';
import { builtBytes } from './weigh';

export type FoldArgs = {
  /** The path as it is sent now, in its order: what is folded already is not among them. */
  sent: readonly BuiltMessage[];
  pins: ReadonlySet<MessageId>;
  numbers: { retainedTokens: number; retainedBytes: number; retainedSteps: number; retainedEnough: number };
  /** Tokens there is room for beside what is always sent; null where the window is not known. */
  room: number | null;
  /** Tokens beyond which nothing could be sent: not even the newest step stays above it, unless it is what is answered. */
  limit?: number | null | undefined;
  scale: number;
};

export type FoldPlan = {
  /** Never empty, in the order they are sent. */
  folded: MessageId[];
  tail: MessageId[];
  /** First request, pins, the request of the turn in progress. */
  kept: MessageId[];
};

/** Null when there is nothing to fold. */
export function planFold(args: FoldArgs): FoldPlan | null {
  const { sent } = args;
  const stays = alwaysSent(args);
  const start = tailStart(args, stays);
  const folded: MessageId[] = [];
  const kept: MessageId[] = [];
  for (const one of sent.slice(0, start)) (stays(one) ? kept : folded).push(one.id);
  if (folded.length === 0) return null;
  return { folded, tail: sent.slice(start).map(({ id }) => id), kept };
}

type Stays = (one: BuiltMessage) => boolean;

/** What no pass folds: the first request, what is pinned, and the request of the turn in progress with what was steered into it. */
export function alwaysSent({ sent, pins }: Pick<FoldArgs, 'sent' | 'pins'>): Stays {
  const first = sent.find(({ role }) => role === 'user')?.id;
  const turn = turnInProgress(sent);
  return ({ id, role, turnId }) => pins.has(id) || id === first || (role === 'user' && turn !== undefined && turnId === turn);
}

/** Steps that are kept also where they are larger than the tail should be; one where two do not fit, none where that could not be sent. */
const leastSteps = 2;

/** The index at which the tail begins. */
function tailStart({ sent, numbers, room, limit = null, scale }: FoldArgs, stays: Stays): number {
  const most = { tokens: numbers.retainedTokens / scale, bytes: numbers.retainedBytes };
  const fits = room === null ? Number.POSITIVE_INFINITY : room / scale;
  const sendable = limit === null ? Number.POSITIVE_INFINITY : limit / scale;
  const held = { tokens: 0, bytes: 0, steps: 0, movable: 0 };
  let start = sent.length;
  for (let at = sent.length - 1; at >= 0; at--) {
    const one = sent[at];
    if (!one) break;
    const tokens = held.tokens + builtTokens(one, true);
    const bytes = held.bytes + builtBytes(one);
    const movable = held.movable + (stays(one) ? 0 : builtTokens(one, true));
    const isStep = one.role === 'assistant';
    const isEnough = held.steps >= leastSteps && (tokens > most.tokens || bytes > most.bytes);
    const isMany = isStep && held.steps >= numbers.retainedSteps && held.tokens * scale >= numbers.retainedEnough;
    const isTooMuch = (held.steps >= 1 && movable > fits) || (start < sent.length && isStep && tokens > sendable);
    if (isEnough || isMany || isTooMuch) break;
    Object.assign(held, { tokens, bytes, movable, steps: held.steps + (isStep ? 1 : 0) });
    start = at;
  }
  return start;
}
