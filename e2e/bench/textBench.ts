// N12: the Markdown of a streaming answer in a real window; the page itself is renderer/text/bench.
import type { StreamBenchRow } from '../../renderer/text/bench/streamBench';
import type { Goal, Measurement } from '../../scripts/bench/goals';
import { type Machine, openFloor } from './launch';

const names: Record<string, string> = {
  typical: 'typical Markdown',
  fence: 'one code fence',
  paragraph: 'one paragraph',
  html: 'raw HTML',
  list: 'one list',
};
/** Milliseconds a chunk of typical Markdown took by hand when the goals were set: how fast this machine is, for all kinds of text. */
const floorThen = 0.7;

export async function measureStreaming(machine: Machine): Promise<Measurement[]> {
  const driven = await openFloor(machine, 'renderer/text/bench/bench.html');
  try {
    await driven.page.waitForFunction(() => window.streamBench !== undefined, undefined, { timeout: 300_000 });
    const rows = await driven.page.evaluate(() => window.streamBench);
    if (!Array.isArray(rows)) throw new Error(`The streaming page failed: ${rows?.error}`);
    const floorNow = rows.find(({ kind }) => kind === 'typical')?.at.at(-1)?.floor;
    if (floorNow === undefined) throw new Error('The streaming page measured no floor.');
    return rows.flatMap((row) => measurementsOf(row, floorNow));
  } finally {
    await driven.close();
  }
}

/** One list of 50 kB has no goal of its own: it is watched. */
function measurementsOf(row: StreamBenchRow, floorNow: number): Measurement[] {
  const name = names[row.kind] ?? row.kind;
  const [first, last] = [row.at[0], row.at.at(-1)];
  if (!(first && last)) throw new Error('The streaming page measured nothing.');
  const typical = row.kind === 'typical';
  const watched = row.kind === 'list';
  const limit: Goal = { kind: 'absolute', max: (typical ? 2 : 2.5) * (floorNow / floorThen) };
  const growth: Goal = { kind: 'ratio', max: typical ? 1.5 : 2 };
  return [
    {
      id: 'N12',
      operation: `${name}: a chunk of 200 at 50 kB, floor: by hand`,
      unit: 'ms',
      ours: last.ours,
      floor: last.floor,
      ratio: last.ours / last.floor,
      goal: watched ? { kind: 'none' } : limit,
    },
    {
      id: 'N12',
      operation: `${name}: a chunk at 50 kB, floor: at 2 kB`,
      unit: 'ms',
      ours: last.ours,
      floor: first.ours,
      ratio: last.ours / first.ours,
      goal: watched ? { kind: 'none' } : growth,
    },
    {
      id: 'N12',
      operation: `${name}: settled blocks drawn again`,
      unit: '',
      ours: row.settledRenders,
      // Items of a list are known by their text: two that begin alike count as one drawn again.
      goal: watched ? { kind: 'none' } : { kind: 'count', max: 0 },
    },
  ];
}
