// How many conversations there are and how long each is: as measured in practice, and a few that are extreme.
import type { Random } from './random';

export type Shape = 'usual' | 'deep' | 'wide' | 'long' | 'short';
/** A conversation to be made; `id` is all that is needed to find it again. */
export type Plan = { id: string; shape: Shape; messages: number };

export type Scale = { messages: number; conversations: number };
export const fullScale: Scale = { messages: 1_000_000, conversations: 2_000 };
export const quickScale: Scale = { messages: 100_000, conversations: 200 };

/** Messages of the extreme ones at a scale. */
export function extremes(scale: Scale): { deep: number; wide: number; long: number; short: number } {
  return { deep: scale.messages / 10, wide: scale.messages / 100, long: scale.messages / 100, short: 20 };
}
const copiesOfLong = 8;
const copiesOfShort = 8;

/** Half of the usual conversations have up to about 236 messages, one in ten more than about 1,230, none more than 2,011. */
export function planConversations(random: Random, scale: Scale): Plan[] {
  const { deep, wide, long, short } = extremes(scale);
  const plans: Plan[] = [
    { id: 'cnv_bench_deep', shape: 'deep', messages: deep },
    { id: 'cnv_bench_wide', shape: 'wide', messages: wide },
    ...Array.from({ length: copiesOfLong }, (_, at): Plan => ({ id: `cnv_bench_long${at}`, shape: 'long', messages: long })),
    ...Array.from({ length: copiesOfShort }, (_, at): Plan => ({ id: `cnv_bench_short${at}`, shape: 'short', messages: short })),
  ];
  const left = scale.messages - plans.reduce((sum, plan) => sum + plan.messages, 0);
  const count = scale.conversations - plans.length;
  const drawn = Array.from({ length: count }, () => Math.min(2_011, Math.max(2, Math.round(236 * Math.exp(1.288 * random.normal())))));
  return [...plans, ...fitted(drawn, left).map((messages, at): Plan => ({ id: `cnv_bench_${at}`, shape: 'usual', messages }))];
}

/** Stretched so that they sum up exactly. */
function fitted(sizes: readonly number[], total: number): number[] {
  const sum = sizes.reduce((all, size) => all + size, 0);
  const made = sizes.map((size) => Math.max(2, Math.round((size * total) / sum)));
  let over = made.reduce((all, size) => all + size, 0) - total;
  for (let at = 0; over !== 0; at = (at + 1) % made.length) {
    const step = Math.sign(over);
    if (step > 0 && (made[at] ?? 0) <= 2) continue;
    made[at] = (made[at] ?? 0) - step;
    over -= step;
  }
  return made;
}
