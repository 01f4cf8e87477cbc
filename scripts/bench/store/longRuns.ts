// LR: agents that work far beyond their window, one run in the dialect of each provider family, against a server that enforces window and body
// limit: nothing fails, nothing planted is lost, and the last steps cost what the first did.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type LongRun, type LongRunOptions, runLong } from '../../../main/agents/ladder/longRunFixture';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { Measurement } from '../goals';
import { median } from '../statistics';

type Row = (operation: string, ours: number, more?: Partial<Measurement>) => Measurement;
type Wanted = Omit<LongRunOptions, 'onStep'> & { dialect: NonNullable<LongRunOptions['dialect']> };

/** Together somewhat more than 11,000 steps and nearly 5 million tokens; the first alone has 5,000 and 2 million. The last two see, and say more than they read. */
const runs: readonly Wanted[] = [
  { dialect: 'chat', steps: 5_000, turnSteps: 120, window: 32_000, bodyLimit: 400_000, resultTokens: 400, badCards: 0 },
  {
    dialect: 'responses',
    steps: 1_700,
    turnSteps: 40,
    window: 16_000,
    bodyLimit: 200_000,
    resultTokens: 400,
    badCards: 1 / 3,
    counts: 1.1,
  },
  { dialect: 'gemini', steps: 1_700, turnSteps: 40, window: 24_000, bodyLimit: 60_000, resultTokens: 400, badCards: 0, counts: 0.9 },
  ...[32_000, 100_000].map((window) => ({
    ...{ dialect: 'chat' as const, model: 'gpt-4o', steps: 1_700, turnSteps: 60, window, bodyLimit: 4_000_000 },
    ...{ resultTokens: 100, saidTokens: 250, badCards: 0 },
  })),
];

/** In MB: after each step, and after a collection at the two that are compared. */
type Used = { rss: number[]; heap: number[] };

export async function measureLongRuns(quick: boolean, say: (text: string) => void): Promise<Measurement[]> {
  const found: Measurement[] = [];
  for (const wanted of runs) {
    const options = quick ? { ...wanted, steps: wanted.steps / 10 } : wanted;
    const used: Used = { rss: [], heap: [] };
    const onStep = (step: number) => {
      used.rss.push(process.memoryUsage.rss() / 1e6);
      if (step === heapAt(quick) || step === options.steps) used.heap.push(heapInUse());
      if (step % 500 === 0) say(`LR ${nameOf(wanted)}: ${step} of ${options.steps} steps`);
    };
    const start = performance.now();
    const run = await runLong({ ...options, onStep });
    found.push(...rowsOf(options, run, used, { quick, minutes: (performance.now() - start) / 60_000 }));
  }
  return found;
}

function rowsOf(options: Wanted, run: LongRun, used: Used, { quick, minutes }: { quick: boolean; minutes: number }): Measurement[] {
  const { window } = options;
  const row: Row = (operation, ours, more = {}) => ({
    id: 'LR',
    operation: `${nameOf(options)}: ${operation}`,
    unit: '',
    ours,
    goal: { kind: 'none' },
    ...more,
  });
  const scale = quick ? 0.1 : 1;
  const none = { goal: { kind: 'count' as const, max: 0 } };
  const { kept, total } = run.identifiers;
  const told = `${count(run.steps)} steps in ${run.turns} turns, ${count(run.produced)} tokens, window ${count(window)}, ${minutes.toFixed(1)} min`;
  return [
    row(`${told}: failures`, run.failures.length, none),
    row(`directives lost of ${run.directives}`, run.directives - run.directivesKept, none),
    row('largest request in tokens; floor: the window', run.mostTokens, {
      floor: window,
      ratio: run.mostTokens / window,
      goal: { kind: 'ratio', max: 1 },
    }),
    row(`requests refused of ${count(run.requests)}`, run.refused),
    row(`passes: ${byKind(run.records)}`, run.records.length),
    ...(options.model === undefined ? [] : pagesRows(run, row)),
    row('identifiers still there; floor: all that were folded', kept, { floor: total, ratio: total === 0 ? 1 : kept / total }),
    row(`ms of a step, last ${500 * scale}; floor: steps ${200 * scale} to ${700 * scale}`, ...flat(run.stepMs, scale)),
    row('the same in processor time', ...flat(run.stepCpuMs, scale, 1.5)),
    row(`memory (RSS) at the end; floor: at ${count(1_000 * scale)} steps`, ...grown(used.rss, quick)),
    row(`heap in use after a collection; floor: at ${count(heapAt(quick))} steps`, ...collected(used.heap)),
  ];
}

const nameOf = ({ dialect, model, window }: Wanted) => (model === undefined ? dialect : `${model}, ${count(window)}`);

function pagesRows({ pages, passedAt, steps, directivesMissed }: LongRun, row: Row): Measurement[] {
  const gaps = passedAt.slice(1).map((step, at) => step - (passedAt[at] ?? 0));
  return [
    row('directives that were neither said nor on a page at the end of any turn', directivesMissed, { goal: { kind: 'count', max: 0 } }),
    row(`directives on pages alone, at most; pages of a request: ${pages.most}`, pages.alone),
    row('steps between two passes, the fewest', Math.min(...gaps)),
    row('pages and their texts in the blob store, of 1,000 steps', ((pages.bytes / steps) * 1_000) / 1e6, { unit: 'MB' }),
  ];
}

/** After the steps whose resident memory is compared: a collection would make it smaller. */
const heapAt = (quick: boolean) => (quick ? 160 : 1_100);

const count = (value: number) => value.toLocaleString('en-US');

/** `trigger, method number`, the most frequent first. */
function byKind(records: readonly MemoryRecord[]): string {
  const counts = new Map<string, number>();
  for (const { kind, receipt } of records) {
    const name = `${receipt.trigger} ${kind === 'card' ? (receipt.method ?? kind) : kind === 'pages' ? 'pages' : 'without a card'}`;
    counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, a], [, b]) => b - a)
    .map(([name, times]) => `${times} ${name}`)
    .join(', ');
}

type Flat = [number, Partial<Measurement>];

function flat(values: readonly number[], scale: number, max?: number): Flat {
  const first = median(values.slice(200 * scale, 700 * scale));
  const last = median(values.slice(-500 * scale));
  return [last, { unit: 'ms', floor: first, ratio: last / first, goal: max === undefined ? { kind: 'none' } : { kind: 'ratio', max } }];
}

/** A tenth of the steps is over before a program has settled: no goal there. */
function grown(rss: readonly number[], quick: boolean): Flat {
  const at = quick ? 100 : 1_000;
  const first = median(rss.slice(at - 50, at + 50));
  const last = median(rss.slice(-100));
  return [last, { unit: 'MB', floor: first, ratio: last / first, goal: quick ? { kind: 'none' } : { kind: 'ratio', max: 1.3 } }];
}

function collected([first = Number.NaN, last = Number.NaN]: readonly number[]): Flat {
  return [last, { unit: 'MB', floor: first, ratio: last / first }];
}

function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed / 1e6;
}
