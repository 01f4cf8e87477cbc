// The first rung (L2): contents of old, unremarkable results are left out, their summaries stay. Which ones, and whether it is worth it. Pure.
import type { MessageId } from '../../../shared/model/ids';
import type { Elision } from '../../../shared/model/memoryRecord';
import type { BuiltMessage } from '../pathMessage';
import { builtTokens } from '../requestSize';
import type { ResultFacts } from '../resultFacts';

export type ElideArgs = {
  /** As they are sent now. */
  sent: readonly BuiltMessage[];
  /** Left out already. */
  before: readonly Elision[];
  pins: ReadonlySet<MessageId>;
  numbers: { protectTokens: number; minSavings: number; minResultTokens: number };
  /** Tokens of the provider in one of the estimate. */
  scale: number;
  /** `free`: outside a pass, where the prompt cache is the price; `pass`: minSavings is enough; `hand`: whatever there is. */
  occasion: 'free' | 'pass' | 'hand';
};

/** `saves` in tokens of the estimate. */
export type ElidePlan = { elided: Elision[]; saves: number };

/** Results that are never left out: what they say is needed as it stands, or is what brought left out contents back. */
const kept = new Set(['checkpoint', 'rewind', 'recall', 'tasks']);

/** Null when nothing is to be left out, or when it is not worth a rewritten prefix. */
export function planElide(args: ElideArgs): ElidePlan | null {
  const { numbers, occasion, scale } = args;
  const candidates = candidatesOf(args);
  let saves = 0;
  let best = 0;
  for (const [at, one] of candidates.entries()) {
    saves += one.saves;
    const isWorth = occasion !== 'free' || saves >= one.after / 4;
    if (isWorth) best = at + 1;
  }
  const chosen = candidates.slice(0, best);
  const total = chosen.reduce((sum, one) => sum + one.saves, 0);
  if (chosen.length === 0 || (occasion !== 'hand' && total * scale < numbers.minSavings)) return null;
  return { elided: chosen.map(({ messageId, callId }) => ({ messageId, callId })).reverse(), saves: total };
}

/** `after`: tokens from its message on. */
type Candidate = Elision & { saves: number; after: number };

/** From the newest to the oldest. */
function candidatesOf({ sent, before, pins, numbers, scale }: ElideArgs): Candidate[] {
  const gone = new Set(before.map(({ messageId, callId }) => `${messageId} ${callId}`));
  const newer = new NewerReads();
  const found: Candidate[] = [];
  let after = 0;
  for (const one of [...sent].reverse()) {
    const isOld = after * scale >= numbers.protectTokens;
    after += builtTokens(one, true);
    for (const result of [...one.results()].reverse()) {
      const isSuperseded = newer.supersede(result);
      if (pins.has(one.id) || !mayGo(result, numbers.minResultTokens) || gone.has(`${one.id} ${result.callId}`)) continue;
      if (isOld || isSuperseded || result.useless) found.push({ messageId: one.id, callId: result.callId, saves: result.saves, after });
    }
  }
  return found;
}

function mayGo({ name, isError, saves, tokens }: ResultFacts, least: number): boolean {
  return !isError && !kept.has(name) && saves > 0 && tokens >= least;
}

/** Reads of files, from the newest on: an older one is superseded by a whole read, or by one of the same range. */
class NewerReads {
  readonly #ranges = new Map<string, Set<string>>();

  supersede({ read }: ResultFacts): boolean {
    if (!read) return false;
    const ranges = this.#ranges.get(read.path) ?? new Set();
    const isSuperseded = ranges.has('') || ranges.has(read.range);
    this.#ranges.set(read.path, ranges.add(read.range));
    return isSuperseded;
  }
}
