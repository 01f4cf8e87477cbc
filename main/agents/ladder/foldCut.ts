// What a memory made now would stand for, and over which one: both rungs that fold, pages and card, cut at the same place (L8).
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { type FoldArgs, planFold } from '../../context/ladder/fold';
import { leastOutput } from '../../context/ladder/guard';
import { underPages } from '../../context/ladder/underPages';
import { memoryTokens, weigh } from '../../context/ladder/weigh';
import { builtTokens, fixedTokens } from '../../context/requestSize';
import type { Draft, Run } from './passRun';

/** `folded`: in the order of the path, what earlier pages show among them. `fresh`: those of them that are sent now. `base`: never pages. */
export type FoldCut = { folded: MessageId[]; fresh: readonly MessageId[]; kept: MessageId[]; base: MemoryRecord | null };

/** Null where there is nothing to fold. */
export function foldCut(run: Run, draft: Draft): FoldCut | null {
  const { stand } = draft;
  const { layout, sent } = stand.context;
  const { base, paged } = underPages(layout.memory, stand.records ?? []);
  const plan = planFold({ sent, pins: stand.pins, scale: run.before.scale, ...roomOf(run, draft) });
  if (plan) return { folded: [...paged, ...plan.folded], fresh: plan.folded, kept: [...plan.kept, ...plan.tail], base };
  return paged.length > 0 ? { folded: paged, fresh: [], kept: sent.map(({ id }) => id), base } : null;
}

/** What the tail may take: the share of the line it must end under, less what is always sent and the card. */
function roomOf({ stand, numbers, order, before }: Run, { stand: { context } }: Draft): Pick<FoldArgs, 'numbers' | 'room' | 'limit'> {
  const { window } = numbers;
  if (order.measure === 'bytes' && order.line !== null) {
    const most = Math.floor((order.line * numbers.recoveryShare) / 2);
    return { numbers: { ...numbers, retainedBytes: Math.min(numbers.retainedBytes, most) }, room: window === null ? null : window / 2 };
  }
  const isLine = order.measure === 'tokens' && order.line !== null;
  const goal = isLine ? (order.line ?? 0) * numbers.recoveryShare : window === null ? null : window / 2;
  if (goal === null) return { numbers, room: null };
  const movable = context.layout.tail.filter(({ id, role }) => !stand.pins.has(id) && role !== 'user');
  const always =
    weigh({ context }).estimate -
    movable.reduce((sum, one) => sum + builtTokens(one, true), memoryTokens(context.layout.memory, context.price));
  const room = Math.max(0, Math.floor(goal - (always + numbers.cardTokens) * before.scale));
  const most = (tokens: number) => Math.min(tokens, room);
  const limit = window === null ? null : window - leastOutput(window) - (fixedTokens(context.request) + numbers.cardTokens) * before.scale;
  return {
    numbers: { ...numbers, retainedTokens: most(numbers.retainedTokens), retainedEnough: most(numbers.retainedEnough) },
    room,
    limit,
  };
}
