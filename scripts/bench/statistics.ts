// The numbers of the benchmarks: medians, spreads, and when a measurement has warmed up.

/** The value below which the share `at` (0 to 1) of the values lies, between neighbours in proportion. NaN for none. */
export function quantile(values: readonly number[], at: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  const place = (sorted.length - 1) * at;
  const low = sorted[Math.floor(place)] ?? Number.NaN;
  const high = sorted[Math.ceil(place)] ?? Number.NaN;
  return low + (high - low) * (place - Math.floor(place));
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);

/** One round: the same work done by our code and by the floor, in milliseconds. */
export type Pair = { ours: number; floor: number };

export type Compared = {
  ours: number;
  floor: number;
  ratio: number;
  /** Quarter and three-quarter points of the ratio over blocks of rounds: how far to trust it. */
  spread: [number, number];
  rounds: number;
};

const blocks = 10;

/** Ratio of the medians, and how it varies over ten blocks in order of time. */
export function compare(pairs: readonly Pair[]): Compared {
  const ratioOf = (part: readonly Pair[]) => median(part.map(({ ours }) => ours)) / median(part.map(({ floor }) => floor));
  const size = Math.max(1, Math.floor(pairs.length / blocks));
  const ratios = Array.from({ length: Math.min(blocks, pairs.length) }, (_, at) => ratioOf(pairs.slice(at * size, (at + 1) * size)));
  return {
    ours: median(pairs.map(({ ours }) => ours)),
    floor: median(pairs.map(({ floor }) => floor)),
    ratio: ratioOf(pairs),
    spread: [quantile(ratios, 0.25), quantile(ratios, 0.75)],
    rounds: pairs.length,
  };
}

/** Warm when two successive medians agree within 3 %. */
export function isWarm(last: number, next: number): boolean {
  return Math.abs(next - last) <= 0.03 * last;
}
