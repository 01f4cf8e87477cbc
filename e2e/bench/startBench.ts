// N14: from spawn to content, beside an empty window of the same runtime; and what was loaded by then.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Measurement } from '../../scripts/bench/goals';
import { compare, median } from '../../scripts/bench/statistics';
import { whenPainted } from './inPage';
import { type BareKind, type Machine, openApp, spawnBare } from './launch';
import type { BenchFolders } from './workspace';

/** `full`: with the whole data; `none`: with no message at all. */
export type Starts = { machine: Machine; full: BenchFolders; none: BenchFolders; quick: boolean };

/** Milliseconds after which a page is asked; the answer waits for what is not painted yet. */
const patience = 2_000;

async function start(machine: Machine, what: BareKind, inside: string | null): Promise<number> {
  const bare = spawnBare(machine, what);
  try {
    await new Promise((resolve) => setTimeout(resolve, patience));
    const page = await bare.page();
    return (await page.evaluate(whenPainted, inside)) - bare.spawnedAt;
  } finally {
    await bare.end();
  }
}

export async function measureStart({ machine, full, none, quick }: Starts): Promise<Measurement[]> {
  const rounds = quick ? 2 : 15;
  const times: { empty: number; full: number; none: number }[] = [];
  const one = {
    empty: () => start(machine, { kind: 'empty' }, null),
    full: () => start(machine, { kind: 'app', folders: full }, '[role=feed]'),
    none: () => start(machine, { kind: 'app', folders: none }, 'main'),
  };
  // Once unmeasured: files come from the disk, and the first start makes what later ones find.
  for (const kind of [one.empty, one.full, one.none]) await kind();
  for (let round = 0; round < rounds; round++) {
    const order = (['empty', 'full', 'none'] as const).map((_, at, all) => all[(at + round) % 3] ?? 'empty');
    const time = { empty: 0, full: 0, none: 0 };
    for (const kind of order) time[kind] = await one[kind]();
    times.push(time);
  }
  const versus = (ours: 'full' | 'none', floor: 'empty' | 'none') =>
    compare(times.map((time) => ({ ours: time[ours], floor: time[floor] })));
  const messages = quick ? '100,000' : '1,000,000';
  return [
    {
      id: 'N14',
      operation: `start: spawn → messages painted, ${messages} stored, floor: empty window`,
      unit: 'ms',
      ...versus('full', 'empty'),
      goal: { kind: 'ratio', max: 1.1 },
    },
    {
      id: 'N14',
      operation: 'start without a message, floor: empty window',
      unit: 'ms',
      ...versus('none', 'empty'),
      goal: { kind: 'none' },
    },
    {
      id: 'N14',
      operation: `start with ${messages} messages, floor: with none`,
      unit: 'ms',
      ...versus('full', 'none'),
      goal: { kind: 'ratio', max: 1.03 },
    },
    {
      id: 'N14',
      operation: 'start of the empty window',
      unit: 'ms',
      ours: median(times.map(({ empty }) => empty)),
      goal: { kind: 'none' },
    },
  ];
}

/** Words that only the text of one library holds: they must be in what is built, and not in what is loaded before the first paint. */
const heavy: Record<string, RegExp> = {
  'OpenAI SDK': /x-stainless-lang/i,
  'Google SDK': /x-goog-api-client/,
  highlighter: /Could not find the language/,
  KaTeX: /katex-html|katex-mathml/,
  Mermaid: /mermaidAPI|mermaid\.initialize/,
  'PDF reader': /getDocumentProxy|pdfjs/i,
};
/** Not among the built files: a module of its own, or none yet. */
const foreign = /@napi-rs\/canvas|gpt-tokenizer|tiktoken|ai-tokenizer/;

export type Loaded = { measurements: Measurement[]; files: string[] };

/** Every script that main and page had loaded when the messages were painted. */
export async function countLoaded({ machine, full }: Starts): Promise<Loaded> {
  const driven = await openApp(machine, full);
  try {
    // Files of an own scheme leave no entries in the page's list: they are watched from outside while the page loads once more.
    const asked: { path: string; at: number }[] = [];
    driven.page.on(
      'request',
      (request) => void asked.push({ path: request.url().replace(/^app:\/\/bough\//, ''), at: request.timing().startTime }),
    );
    await driven.page.waitForSelector('[role=feed] [data-index]');
    await driven.page.reload();
    const painted = await driven.page.evaluate(whenPainted, '[role=feed]');
    const page = asked.flatMap(({ path, at }) => (path.endsWith('.js') && at <= painted ? [path] : []));
    const main = await driven.app.evaluate(loadedModules);
    const built = filesBelow(join(machine.root, 'out'));
    const files = [...main, ...page.map((path) => join(machine.root, 'out/renderer', path))];
    return { files, measurements: holding(files, built) };
  } finally {
    await driven.close();
  }
}

/** Runs in main: the files that its `require` has read. */
function loadedModules(): string[] {
  const loader: unknown = process.mainModule?.constructor;
  if (typeof loader !== 'function' || !('_cache' in loader)) throw new Error('The list of loaded modules is not there.');
  return Object.keys(loader._cache as object);
}

function holding(files: readonly string[], built: readonly string[]): Measurement[] {
  const read = (path: string) => readFileSync(path, 'utf8');
  const ours = new Set(built);
  const loaded = files.filter((path) => ours.has(path)).map(read);
  const all = built.filter((path) => /\.(?:c?js|mjs)$/.test(path)).map(read);
  const found = Object.entries(heavy).map(([name, words]): Measurement => {
    if (!all.some((text) => words.test(text))) throw new Error(`Nothing that is built holds ${name}: its words are out of date.`);
    const ours = loaded.filter((text) => words.test(text)).length;
    return { id: 'N14', operation: `${name}: scripts loaded before the first paint`, unit: '', ours, goal: { kind: 'count', max: 0 } };
  });
  const modules = files.filter((path) => foreign.test(path)).length;
  const bytes = loaded.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [
    ...found,
    {
      id: 'N14',
      operation: 'canvas or tokenizer modules before the first paint',
      unit: '',
      ours: modules,
      goal: { kind: 'count', max: 0 },
    },
    { id: 'N14', operation: 'scripts loaded before the first paint', unit: 'MB', ours: bytes / 1024 ** 2, goal: { kind: 'none' } },
  ];
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    return entry.isDirectory() ? filesBelow(path) : [path];
  });
}
