// Looks at a memory that cost little: where dividers stand in the talk (L20), and how full the next request would be (L7).
import type { NumbersInForce } from '../../../shared/model/compaction';
import type { ContextBlock, ContextView } from '../../../shared/model/contextView';
import { isMemory, type PathMemory } from '../../../shared/model/memoryRecord';
import type { MemoryMark, PlanBlock, PlanBlockName } from '../../../shared/model/memoryView';
import type { Weight } from '../../context/ladder/weigh';
import type { Standpoint } from '../answering';
import { planBlocks } from './planView';

/** Dividers given; older ones are in the list of receipts. */
const mostMarks = 200;

/** Of memories that hold; of those with one anchor the newest. `holding` in the order they were made. */
export function marksOf({ holding, undone, memory }: Pick<PathMemory, 'holding' | 'undone' | 'memory'>): MemoryMark[] {
  const memories = holding.filter(isMemory);
  const newest = new Map(memories.map((record) => [record.anchorId, record]));
  return [...newest.values()].slice(-mostMarks).map((record) => {
    const { id, kind, anchorId, receipt, body, previousId } = record;
    return {
      recordId: id,
      kind,
      anchorId,
      receipt,
      text: body?.text ?? '',
      pages: body?.pages ?? [],
      isInForce: record === memory,
      isOverUndone: undone.some((one) => one.id === previousId),
    };
  });
}

const ownBlocks = ['system', 'tools', 'memory', 'reserve'] as const;
const blockOf = (name: PlanBlockName): ContextBlock['name'] => ownBlocks.find((own) => own === name) ?? 'messages';

/** The same measure as the ladder's, for the ring. */
export function contextOf(stand: Standpoint, numbers: NumbersInForce, weight: Weight): ContextView {
  const blocks = sumsOf(planBlocks(stand, numbers));
  const estimate = blocks.reduce((sum, { name, tokens }) => (name === 'reserve' ? sum : sum + tokens), 0);
  const more = Math.max(0, weight.tokens - estimate);
  return {
    tokens: weight.tokens,
    window: numbers.window,
    blocks: blocks.map((block) => (block.name === 'messages' ? { ...block, tokens: block.tokens + more } : block)),
    reported: weight.reported !== null && weight.reported >= weight.tokens,
    lines: { threshold: numbers.threshold, requestThreshold: numbers.requestThreshold },
  };
}

function sumsOf(plan: readonly PlanBlock[]): ContextBlock[] {
  const sums = new Map<ContextBlock['name'], number>();
  for (const { name, tokens } of plan) sums.set(blockOf(name), (sums.get(blockOf(name)) ?? 0) + tokens);
  const order = ['system', 'tools', 'memory', 'messages', 'reserve'] as const;
  return order.flatMap((name) => {
    const tokens = sums.get(name) ?? 0;
    return tokens > 0 ? [{ name, tokens }] : [];
  });
}
