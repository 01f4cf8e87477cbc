// What a measurement is held against, and whether it holds (docs/benchmarks.md). Pure.
import { assertNever } from '../../shared/model/assertNever';

export type Goal =
  /** Ours ÷ floor, both measured in this run. */
  | { kind: 'ratio'; max: number }
  /** An absolute; `floorThen` is the floor of the table of goals: the limit grows and shrinks with the floor measured now. */
  | { kind: 'absolute'; max: number; floorThen?: number | undefined }
  /** A count: no tolerance, no scaling. */
  | { kind: 'count'; max: number }
  /** Reported only. */
  | { kind: 'none' };

export type Unit = 'ms' | 'MB' | '';
export type Measurement = {
  /** `N1` … as in docs/benchmarks.md. */
  id: string;
  operation: string;
  unit: Unit;
  ours: number;
  floor?: number | undefined;
  ratio?: number | undefined;
  spread?: [number, number] | undefined;
  rounds?: number | undefined;
  goal: Goal;
  note?: string | undefined;
};

/** The limit that counts now, in the unit of what is compared; null when there is none. */
export function limitOf({ goal, floor }: Measurement): number | null {
  switch (goal.kind) {
    case 'ratio':
    case 'count':
      return goal.max;
    case 'absolute':
      return goal.floorThen === undefined || floor === undefined ? goal.max : goal.max * (floor / goal.floorThen);
    case 'none':
      return null;
    default:
      return assertNever(goal);
  }
}

/** What is compared with the limit. */
export function comparedOf({ goal, ours, ratio }: Measurement): number | undefined {
  return goal.kind === 'ratio' ? ratio : ours;
}

export const isNumber = (value: number | null | undefined): value is number => typeof value === 'number' && Number.isFinite(value);

/** A measurement that is missing its number has not met its goal. */
export function isMet(measurement: Measurement): boolean {
  const limit = limitOf(measurement);
  if (limit === null) return true;
  const compared = comparedOf(measurement);
  return isNumber(compared) && compared <= limit;
}

export const missed = (measurements: readonly Measurement[]): Measurement[] => measurements.filter((one) => !isMet(one));
