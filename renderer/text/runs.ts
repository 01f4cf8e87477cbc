// Long rows of blocks are handed to React in runs: a run whose members did not change is skipped whole, so that React's own
// work does not grow with the text.

const runLength = 24;

export function inRuns<T>(members: readonly T[]): T[][] {
  const runs: T[][] = [];
  for (let from = 0; from < members.length; from += runLength) runs.push(members.slice(from, from + runLength));
  return runs;
}

export function sameMembers<T>(before: readonly T[], after: readonly T[]): boolean {
  return before.length === after.length && before.every((member, at) => member === after[at]);
}
