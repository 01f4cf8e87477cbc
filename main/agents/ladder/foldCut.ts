// What a memory made now would stand for, and over which one: both rungs that fold, pages and card, cut at the same place (L8).
import { cardLimits } from '../../../shared/model/compaction';
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { alwaysSent, type FoldArgs, planFold } from '../../context/ladder/fold';
import { leastOutput } from '../../context/ladder/guard';
import { underPages } from '../../context/ladder/underPages';
import { builtBytes, memoryTokens, weigh } from '../../context/ladder/weigh';
import { builtTokens, fixedTokens } from '../../context/requestSize';
import type { PassOrder } from './ladderDeps';
import type { Draft, Run } from './passRun';

/** What of a pass says where it cuts. */
type Cutting = Pick<Run, 'stand' | 'numbers'> & { order: Pick<PassOrder, 'measure' | 'line'>; before: Pick<Run['before'], 'scale'> };
type Drafted = Pick<Draft, 'stand'>;

/**
 * `folded`: in the order of the path, what earlier pages show among them. `fresh`: those of them that are sent now. `staying`: what is
 * sent whatever is folded, in the order of the path. `base`: never pages.
 */
export type FoldCut = {
  folded: MessageId[];
  fresh: readonly MessageId[];
  kept: MessageId[];
  staying: MessageId[];
  base: MemoryRecord | null;
};

/** Null where there is nothing to fold. */
export function foldCut(run: Cutting, draft: Drafted): FoldCut | null {
  const { stand } = draft;
  const { layout, sent } = stand.context;
  const { base, paged } = underPages(layout.memory, stand.records ?? []);
  const plan = planFold({ sent, pins: stand.pins, scale: run.before.scale, ...roomForTail(run, draft) });
  const staying = sent.filter(alwaysSent({ sent, pins: stand.pins })).map(({ id }) => id);
  if (plan) return { folded: [...paged, ...plan.folded], fresh: plan.folded, kept: [...plan.kept, ...plan.tail], staying, base };
  return paged.length > 0 ? { folded: paged, fresh: [], kept: sent.map(({ id }) => id), staying, base } : null;
}

/** What is hardly more than a card, in what fired, could not become smaller by one. */
export function isWorthACard(
  { numbers, order }: Pick<Cutting, 'numbers' | 'order'>,
  { stand: { context } }: Drafted,
  { folded, fresh }: FoldCut,
): boolean {
  if (folded.length > fresh.length) return true;
  const ids = new Set(fresh);
  const going = context.sent.filter(({ id }) => ids.has(id));
  if (order.measure === 'bytes') return going.reduce((sum, one) => sum + builtBytes(one), 0) >= cardLimits.mostBytes / 4;
  return going.reduce((sum, one) => sum + builtTokens(one, true), 0) >= numbers.cardTokens / 4;
}

/** What the tail may take: the share of the line it must end under, less what is always sent and the card. */
function roomForTail(
  { stand, numbers, order, before }: Cutting,
  { stand: { context } }: Drafted,
): Pick<FoldArgs, 'numbers' | 'room' | 'limit'> {
  const { window } = numbers;
  if (order.measure === 'bytes' && order.line !== null) {
    const most = Math.floor((order.line * numbers.recoveryShare) / 2);
    return { numbers: { ...numbers, retainedBytes: Math.min(numbers.retainedBytes, most) }, room: window === null ? null : window / 2 };
  }
  const isLine = order.measure === 'tokens' && order.line !== null;
  const goal = isLine ? (order.line ?? 0) * numbers.recoveryShare : window === null ? null : window / 2;
  if (goal === null) return { numbers, room: null };
  const stays = alwaysSent({ sent: context.sent, pins: stand.pins });
  const movable = context.sent.filter((one) => !stays(one));
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
