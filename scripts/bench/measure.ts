// Runs two operations alternately in one process until the ratio can be trusted: absolutes drift with the machine's load, ratios do not.
import { type Compared, compare, isWarm, median, type Pair } from './statistics';

export type Effort = {
  /** Rounds that are enough, once warm. */
  rounds: number;
  /** Milliseconds after which fewer rounds are enough, too. */
  time: number;
};
export const thorough: Effort = { rounds: 300, time: 20_000 };
export const brief: Effort = { rounds: 200, time: 1_200 };

export type Work = () => void;
/** `between` runs before each timed call and is not timed. */
export type Contest = { ours: Work; floor: Work; between?: (() => void) | undefined };

const warmUpRounds = 20;
const mostWarmUps = 30;

/** Which of the two goes first changes with every round. */
export function contest(work: Contest, effort: Effort): Compared {
  warmUp(work, effort);
  const pairs: Pair[] = [];
  const start = performance.now();
  while (pairs.length < effort.rounds && (pairs.length < 20 || performance.now() - start < effort.time))
    pairs.push(round(work, pairs.length));
  return compare(pairs);
}

export type AsyncContest = { ours: () => Promise<void>; floor: Work; between?: (() => void) | undefined };

/** The same for what answers later; the floor is still a plain call. */
export async function contestAsync({ ours, floor, between }: AsyncContest, effort: Effort): Promise<Compared> {
  const pairs: Pair[] = [];
  const warm = Math.min(warmUpRounds, effort.rounds);
  const start = performance.now();
  for (let number = 0; number < effort.rounds + warm; number++) {
    if (pairs.length >= 20 && performance.now() - start > effort.time) break;
    const floorFirst = number % 2 === 1 ? time(floor, undefined) : undefined;
    between?.();
    const begin = process.hrtime.bigint();
    await ours();
    const took = Number(process.hrtime.bigint() - begin) / 1e6;
    const pair = { ours: took, floor: floorFirst ?? time(floor, undefined) };
    if (number >= warm) pairs.push(pair);
  }
  return compare(pairs);
}

function round(work: Contest, number: number): Pair {
  if (number % 2 === 0) {
    const ours = time(work.ours, work.between);
    return { ours, floor: time(work.floor, work.between) };
  }
  const floor = time(work.floor, work.between);
  return { ours: time(work.ours, work.between), floor };
}

function time(run: Work, between: (() => void) | undefined): number {
  between?.();
  const start = process.hrtime.bigint();
  run();
  return Number(process.hrtime.bigint() - start) / 1e6;
}

function warmUp(work: Contest, effort: Effort): void {
  let last: Pair | undefined;
  const start = performance.now();
  for (let turn = 0; turn < mostWarmUps && performance.now() - start < effort.time; turn++) {
    const pairs = Array.from({ length: warmUpRounds }, (_, at) => round(work, at));
    const next = { ours: median(pairs.map(({ ours }) => ours)), floor: median(pairs.map(({ floor }) => floor)) };
    if (last && isWarm(last.ours, next.ours) && isWarm(last.floor, next.floor)) return;
    last = next;
  }
}
