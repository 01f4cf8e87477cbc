// When a pass is due (L6a to c), and why automatic ones rest (L12, L13, L19). Pure.
import type { NumbersInForce } from '../../../shared/model/compaction';
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryRecord, Receipt } from '../../../shared/model/memoryRecord';
import type { BuiltContext } from '../buildRequest';
import type { PathPlace } from '../pathMessage';
import { changedAt, type Weight } from './weigh';

/** Of a known body limit a request may take this much before bytes are pressing. */
const bodyShare = 0.6;

export type Due = {
  trigger: Extract<Receipt['trigger'], 'turnStart' | 'betweenSteps' | 'bytes'>;
  measure: 'tokens' | 'bytes';
  line: number;
};

/** Null when nothing is pressing. Lines of tokens come first: such a pass shrinks the bytes, too. */
export function duePass(args: {
  built: readonly PathPlace[];
  weight: Weight;
  numbers: NumbersInForce;
  bodyLimit: number | undefined;
}): Due | null {
  const { built, weight, numbers, bodyLimit } = args;
  const isStart = isTurnStart(built);
  const line = isStart ? numbers.threshold : numbers.requestThreshold;
  if (line !== null && weight.tokens > line) return { trigger: isStart ? 'turnStart' : 'betweenSteps', measure: 'tokens', line };
  const most = Math.min(numbers.maxRequestBytes, bodyLimit === undefined ? Number.POSITIVE_INFINITY : bodyLimit * bodyShare);
  return weight.bytes > most ? { trigger: 'bytes', measure: 'bytes', line: most } : null;
}

/** Before the first call of a turn: nothing of it was answered yet. */
export function isTurnStart(built: readonly Pick<PathPlace, 'role' | 'turnId'>[]): boolean {
  const last = built.at(-1);
  return (
    last === undefined || last.turnId === undefined || !built.some(({ role, turnId }) => role === 'assistant' && turnId === last.turnId)
  );
}

/** The record whose undo makes automatic passes rest on this path, until the next message or a pass by hand. */
export function restingUndo(
  { layout }: Pick<BuiltContext, 'layout'>,
  built: readonly PathPlace[],
): (typeof layout.path.undone)[number] | null {
  const newest = built.at(-1)?.createdAt ?? 0;
  const resting = layout.path.undone.findLast((record) => changedAt(record) >= newest) ?? null;
  const isCalledFor = ({ receipt }: MemoryRecord) =>
    receipt.trigger === 'hand' && resting !== null && receipt.createdAt >= changedAt(resting);
  return layout.path.holding.some(isCalledFor) ? null : resting;
}

/** Steps that came since, beyond which a pass that freed too little is worth another try (L13). */
const newWork = 2;

/** Whether a word of thrash, said at `head`, still holds at the end of this path: no new request, and hardly any new step since. */
export function isStillThrashing(built: readonly PathPlace[], head: MessageId): boolean {
  const at = built.findIndex(({ id }) => id === head);
  if (at < 0) return false;
  const since = built.slice(at + 1);
  return !since.some(({ role }) => role === 'user') && since.length < newWork;
}
