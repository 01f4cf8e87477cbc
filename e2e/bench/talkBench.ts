// N13, N17 and N18 in the real window over the whole data, beside the same page by hand.
import type { Measurement } from '../../scripts/bench/goals';
import { compare, median, type Pair, quantile } from '../../scripts/bench/statistics';
import { countNodes, jumpTo, type Shown, scrollFrames, switchPlain, switchTo } from './inPage';
import type { Driven } from './launch';

/** `app` has the data's workspace open, `floor` the page of the floor. */
export type Windows = { app: Driven; floor: Driven; hundred: string; quick: boolean };

/** Rows of the list that can be clicked now, after it was scrolled somewhere else. */
async function rowsAt(app: Driven, share: number): Promise<string[]> {
  const { page } = app;
  await page.evaluate(async (at) => {
    const nav = document.querySelector('nav');
    if (nav) nav.scrollTop = (nav.scrollHeight - nav.clientHeight) * at;
    await window.marks?.afterFrame();
    await window.marks?.afterFrame();
  }, share);
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('nav a[data-id]:not([aria-current])')]
      .filter((link) => {
        const box = link.getBoundingClientRect();
        const nav = document.querySelector('nav')?.getBoundingClientRect();
        return nav !== undefined && box.top >= nav.top && box.bottom <= nav.bottom;
      })
      .map((link) => link.dataset.id ?? ''),
  );
}

export async function measureSwitch({ app, floor, quick }: Windows): Promise<Measurement[]> {
  const shown: Shown[] = [];
  const plain: Shown[] = [];
  const rounds = quick ? 24 : 100;
  for (let round = 0; round < rounds + 5; round++) {
    // The usual conversations lie below the pinned ones; each is opened for the first time.
    const ids = await rowsAt(app, 0.05 + (0.94 * round) / (rounds + 5));
    const id = ids[Math.floor(ids.length / 2)];
    if (!id) throw new Error('The list shows no conversation.');
    const [ours, bare] = [await app.page.evaluate(switchTo, id), await floor.page.evaluate(switchPlain)];
    if (round >= 5) {
      shown.push(ours);
      plain.push(bare);
    }
  }
  const [ours, bare] = [shown.map(({ ms }) => ms), plain.map(({ ms }) => ms)];
  const floorNow = median(bare);
  return [
    {
      id: 'N13',
      operation: 'switch conversation, click → frame, p50',
      unit: 'ms',
      ours: median(ours),
      floor: floorNow,
      ratio: median(ours) / floorNow,
      rounds,
      goal: { kind: 'absolute', max: 33.4, floorThen: 16.7 },
    },
    {
      id: 'N13',
      operation: 'the same, p95',
      unit: 'ms',
      ours: quantile(ours, 0.95),
      floor: quantile(bare, 0.95),
      rounds,
      goal: { kind: 'absolute', max: 50, floorThen: 26 },
    },
    {
      id: 'N13',
      operation: 'frames from click to content, p50',
      unit: '',
      ours: median(shown.map(({ frames }) => frames)),
      floor: median(plain.map(({ frames }) => frames)),
      goal: { kind: 'none' },
    },
    await switchBySize(app, quick),
  ];
}

/** Long conversations against short ones, in turn. */
async function switchBySize(app: Driven, quick: boolean): Promise<Measurement> {
  const pairs: Pair[] = [];
  await rowsAt(app, 0);
  for (let round = 0; round < (quick ? 24 : 64); round++) {
    const at = round % 8;
    const long = await app.page.evaluate(switchTo, `cnv_bench_long${at}`);
    const short = await app.page.evaluate(switchTo, `cnv_bench_short${at}`);
    if (round >= 8) pairs.push({ ours: long.ms, floor: short.ms });
  }
  const size = quick ? '1,000' : '10,000';
  return {
    id: 'N13',
    operation: `switch to ${size} messages, floor: to 20`,
    unit: 'ms',
    ...compare(pairs),
    goal: { kind: 'ratio', max: 1.2 },
  };
}

const feed = '[role=feed]';
const floorList = '#view';

export async function measureScroll({ app, floor, hundred, quick }: Windows): Promise<Measurement[]> {
  await rowsAt(app, 0);
  await app.page.evaluate(switchTo, 'cnv_bench_deep');
  await leaveTheEnd(app);
  const frames = quick ? 80 : 240;
  const times: { ours: number[]; floor: number[] } = { ours: [], floor: [] };
  for (let round = 0; round < 4; round++) {
    const share = 0.2 + 0.15 * round;
    await app.page.evaluate(jumpTo, { selector: feed, share });
    await floor.page.evaluate(jumpTo, { selector: floorList, share });
    times.ours.push(...(await app.page.evaluate(scrollFrames, { selector: feed, frames })));
    times.floor.push(...(await floor.page.evaluate(scrollFrames, { selector: floorList, frames })));
  }
  const nodes = await app.page.evaluate(countNodes);
  const p95 = { ours: quantile(times.ours, 0.95), floor: quantile(times.floor, 0.95) };
  const messages = quick ? '10,000' : '100,000';
  return [
    {
      id: 'N17',
      operation: `scroll in ${messages} messages, frame p95`,
      unit: 'ms',
      ...p95,
      ratio: p95.ours / p95.floor,
      rounds: times.ours.length,
      goal: { kind: 'ratio', max: 1.2 },
    },
    {
      id: 'N17',
      operation: 'the same, frame p50',
      unit: 'ms',
      ours: median(times.ours),
      floor: median(times.floor),
      goal: { kind: 'none' },
    },
    {
      id: 'N17',
      operation: 'the same, slowest frame',
      unit: 'ms',
      ours: Math.max(...times.ours),
      floor: Math.max(...times.floor),
      goal: { kind: 'absolute', max: 50, floorThen: 33.4 },
    },
    { id: 'N17', operation: 'DOM nodes of the whole window', unit: '', ours: nodes, goal: { kind: 'count', max: 2_500 } },
    await measureJump(app, hundred, quick),
  ];
}

/** The list follows its end until a person turns the wheel. */
async function leaveTheEnd(app: Driven): Promise<void> {
  const box = await app.page.locator(feed).boundingBox();
  if (!box) throw new Error('There is no list of messages.');
  await app.page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  for (let turn = 0; turn < 3; turn++) await app.page.mouse.wheel(0, -600);
  await app.page.waitForFunction(() => document.querySelector('[role=feed]')?.getAttribute('data-following') === 'false');
}

const jumpsInTurn = 4;

async function measureJump(app: Driven, hundred: string, quick: boolean): Promise<Measurement> {
  const pairs: Pair[] = [];
  const rounds = quick ? 12 : 32;
  const shares = Array.from({ length: rounds }, (_, at) => 0.03 + (0.94 * ((at * 7) % rounds)) / rounds);
  const jumps = async (id: string, part: readonly number[]) => {
    await app.page.evaluate(switchTo, id);
    await leaveTheEnd(app);
    const times: number[] = [];
    for (const share of part) times.push((await app.page.evaluate(jumpTo, { selector: feed, share })).ms);
    return times;
  };
  await app.page.evaluate(switchTo, hundred);
  for (let at = 0; at < rounds; at += jumpsInTurn) {
    const part = shares.slice(at, at + jumpsInTurn);
    const [many, few] = [await jumps('cnv_bench_deep', part), await jumps(hundred, part)];
    for (const [place, ours] of many.entries()) pairs.push({ ours, floor: few[place] ?? Number.NaN });
  }
  return {
    id: 'N17',
    operation: 'jump anywhere, floor: among 100 messages',
    unit: 'ms',
    ...compare(pairs),
    goal: { kind: 'ratio', max: 2 },
  };
}

const lines = 20_000;

export async function measurePaste({ app, quick }: Windows): Promise<Measurement[]> {
  const { page } = app;
  const times: number[] = [];
  for (let round = 0; round < (quick ? 5 : 15); round++) {
    const text = Array.from({ length: lines }, (_, at) => `${round} ${at} a line of a log with some words in it`).join('\n');
    await app.app.evaluate(({ clipboard }, value) => clipboard.writeText(value), text);
    await app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.focus());
    await page.locator('section textarea').focus();
    await page.evaluate(watchPaste);
    await app.app.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.webContents.paste());
    times.push(await page.evaluate(() => window.pasted ?? Number.NaN));
    await page.evaluate(clearComposer);
  }
  return [
    {
      id: 'N18',
      operation: `paste ${lines.toLocaleString('en')} lines → usable`,
      unit: 'ms',
      ours: median(times),
      spread: [quantile(times, 0.25), quantile(times, 0.75)],
      rounds: times.length,
      goal: { kind: 'absolute', max: 100 },
    },
  ];
}

declare global {
  interface Window {
    /** Milliseconds from the paste to the moment when its file is shown and the next frame has come. */
    pasted?: Promise<number>;
  }
}

function watchPaste(): void {
  window.pasted = new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error('Nothing was pasted within 20 s.')), 20_000);
    const shown = () => document.querySelector('section textarea')?.closest('section')?.querySelector('ul li button');
    const wait = async () => {
      const start = performance.now();
      while (!shown()) await window.marks?.frame();
      await window.marks?.afterFrame();
      resolve(performance.now() - start);
    };
    document.addEventListener('paste', () => void wait(), { capture: true, once: true });
  });
}

async function clearComposer(): Promise<void> {
  for (;;) {
    const remove = document.querySelector('section textarea')?.closest('section')?.querySelector<HTMLElement>('ul li button:last-of-type');
    if (!remove) return;
    remove.click();
    await window.marks?.afterFrame();
  }
}
