// N15: memory of all processes, at rest and after a day's work, beside an empty window of the same runtime.
import type { Measurement } from '../../scripts/bench/goals';
import { median } from '../../scripts/bench/statistics';
import type { BarePage } from './debugPort';
import { installMarks, switchTo } from './inPage';
import { type Bare, type BareKind, type Machine, spawnBare } from './launch';
import { memoryOf, othersOf } from './processes';
import type { BenchFolders } from './workspace';

export type MemoryOptions = { machine: Machine; folders: BenchFolders; quick: boolean };

const settled = 6_000;
/** After work: the engine gives memory back when it has been idle for a while. */
const restAfterWork = 30_000;
const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Median of a few looks: the numbers breathe. */
async function look(bare: Bare): Promise<number> {
  const looks: number[] = [];
  for (let turn = 0; turn < 5; turn++) {
    looks.push(memoryOf(bare.child.pid ?? 0).megabytes);
    await rest(400);
  }
  return median(looks);
}

async function atRest(machine: Machine, what: BareKind): Promise<number> {
  const bare = spawnBare(machine, what);
  try {
    await rest(settled);
    return await look(bare);
  } finally {
    await bare.end();
  }
}

export async function measureMemory({ machine, folders, quick }: MemoryOptions): Promise<Measurement[]> {
  const rounds = quick ? 1 : 3;
  const empty: number[] = [];
  const resting: number[] = [];
  for (let round = 0; round < rounds; round++) {
    empty.push(await atRest(machine, { kind: 'empty' }));
    resting.push(await atRest(machine, { kind: 'app', folders }));
  }
  const work = quick ? { conversations: 30, answers: 8 } : { conversations: 200, answers: 100 };
  const { after, others } = await afterWork({ machine, folders, quick }, work);
  empty.push(await atRest(machine, { kind: 'empty' }));
  const floor = median(empty);
  const compared = (operation: string, ours: number, max: number): Measurement => ({
    id: 'N15',
    operation,
    unit: 'MB',
    ours,
    floor,
    ratio: ours / floor,
    goal: { kind: 'ratio', max },
  });
  const note = others > 0 ? `${others} other processes of this runtime shared its pages meanwhile` : undefined;
  return [
    { ...compared('memory at rest (PSS of all processes), floor: empty window', median(resting), 1.25), note },
    { ...compared(`memory after ${work.conversations} conversations and ${work.answers} streamed answers`, after, 1.35), note },
  ];
}

async function afterWork({ machine, folders, quick }: MemoryOptions, work: { conversations: number; answers: number }) {
  const bare = spawnBare(machine, { kind: 'app', folders });
  try {
    await rest(settled / 2);
    const page = await bare.page();
    await page.evaluate(installMarks);
    await openMany(page, work.conversations);
    await streamMany(page, work.answers);
    await rest(quick ? settled : restAfterWork);
    return { after: await look(bare), others: othersOf(machine.binary, bare.child.pid ?? 0) };
  } finally {
    await bare.end();
  }
}

/** Down the list, one conversation after the other. */
async function openMany(page: BarePage, count: number): Promise<void> {
  await page.evaluate(() => document.querySelector('nav')?.scrollTo(0, 0));
  const seen = new Set<string>();
  while (seen.size < count) {
    const ids = await page.evaluate(() =>
      [...document.querySelectorAll<HTMLElement>('nav a[data-id]:not([aria-current])')].map((link) => link.dataset.id ?? ''),
    );
    const fresh = ids.filter((id) => !seen.has(id)).slice(0, count - seen.size);
    for (const id of fresh) {
      await page.evaluate(switchTo, id);
      seen.add(id);
    }
    const moved = await page.evaluate(async () => {
      const nav = document.querySelector('nav');
      const before = nav?.scrollTop ?? 0;
      nav?.scrollBy(0, nav.clientHeight);
      await window.marks?.afterFrame();
      await window.marks?.afterFrame();
      return (nav?.scrollTop ?? 0) > before;
    });
    if (!moved && fresh.length === 0) throw new Error('The list has too few conversations.');
  }
}

/** Answers of the demo at full speed, each read to its end. */
async function streamMany(page: BarePage, count: number): Promise<void> {
  for (let turn = 0; turn < count; turn++) await page.evaluate(ask, `Write ${250 + (turn % 5) * 50} words, fast, number ${turn}`);
}

/** Runs in the page: types a message, sends it, and waits until the answer is complete. */
async function ask(text: string): Promise<void> {
  const feed = () => document.querySelector('[role=feed]');
  const size = () => Number(feed()?.querySelector('[aria-setsize]')?.getAttribute('aria-setsize') ?? 0);
  const box = document.querySelector<HTMLTextAreaElement>('section textarea');
  if (!box) throw new Error('There is no message box.');
  const before = size();
  box.focus();
  Object.getOwnPropertyDescriptor(HTMLTextAreaElement.prototype, 'value')?.set?.call(box, text);
  box.dispatchEvent(new Event('input', { bubbles: true }));
  await window.marks?.afterFrame();
  box.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }));
  const start = performance.now();
  while (!(feed()?.getAttribute('aria-busy') === 'false' && size() >= before + 2)) {
    await window.marks?.afterFrame();
    if (performance.now() - start > 60_000) throw new Error(`No answer to: ${text}`);
  }
}
