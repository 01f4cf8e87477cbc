// Measures what one streamed chunk costs, layout included, at several lengths of the answer, beside the same by hand as the floor.
import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { clearCompiled } from '../compile';
import { clearDocuments } from '../document';
import { readTokens, writeHtml } from '../grammar';
import { MarkdownView } from '../MarkdownView';
import { type CorpusKind, corpusKinds, makeCorpus } from './streamCorpus';

export type StreamBenchRow = {
  kind: CorpusKind;
  /** Median milliseconds per chunk around 2, 10, 25 and 50 thousand characters. */
  at: { size: number; ours: number; floor: number }[];
  /** All chunks together, milliseconds. */
  total: number;
  floorTotal: number;
  /** 95th percentile and maximum over all chunks, milliseconds. */
  p95: number;
  worst: number;
  /** Renders of a block that had settled before the chunk, over the whole answer. */
  settledRenders: number;
  /** Mounting the finished text in one go, with cold and with warm caches, milliseconds. */
  mountCold: number;
  mountWarm: number;
};

const size = 50_000;
const chunk = 200;
const marks = [2_000, 10_000, 25_000, 50_000];
/** Chunks around a mark that its median is taken from. */
const window = 9;

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

function around(times: number[], mark: number): number {
  const last = Math.min(times.length, Math.round(mark / chunk));
  return median(times.slice(Math.max(0, last - window), last));
}

function stage(): { box: HTMLElement; remove: () => void } {
  const box = document.createElement('div');
  box.style.cssText = 'width:680px;height:600px;overflow:auto;position:relative';
  document.body.append(box);
  return { box, remove: () => box.remove() };
}

function layout(box: HTMLElement): void {
  box.scrollTop = box.scrollHeight;
}

type Appender = (box: HTMLElement, text: string, at: number) => void;

function appendBlock(box: HTMLElement): HTMLElement {
  const block = document.createElement('div');
  box.append(block);
  return block;
}

/** Markdown by hand: blocks before the last blank line are written once, the last is parsed and set again; nothing is sanitized. */
function floorMarkdown(): Appender {
  let settled = 0;
  let last: HTMLElement | null = null;
  const set = (block: HTMLElement, source: string) => {
    const { html } = writeHtml(readTokens(source, { breaks: false }, {}), { breaks: false });
    block.innerHTML = html;
  };
  return (box, text, at) => {
    const whole = text.slice(0, at);
    for (let end = whole.indexOf('\n\n', settled); end >= 0; end = whole.indexOf('\n\n', settled)) {
      set(last ?? appendBlock(box), whole.slice(settled, end));
      last = null;
      settled = end + 2;
    }
    last ??= appendBlock(box);
    set(last, whole.slice(settled));
  };
}

/** One open block by hand: an element for every few lines, and text or HTML that is only ever appended. */
function floorAppend(html: boolean): Appender {
  let block: HTMLElement | null = null;
  return (box, text, at) => {
    if (!block || (at / chunk) % 4 === 0) {
      block = appendBlock(box);
      block.style.whiteSpace = 'pre-wrap';
    }
    const piece = text.slice(at - chunk, at);
    if (html) block.insertAdjacentHTML('beforeend', piece);
    else block.append(piece);
  };
}

function floorOf(kind: CorpusKind): Appender {
  return kind === 'typical' || kind === 'plain' ? floorMarkdown() : floorAppend(kind === 'html');
}

/** What no renderer that shows the same can beat. */
function streamFloor(kind: CorpusKind, text: string): number[] {
  const { box, remove } = stage();
  const append = floorOf(kind);
  const inner = document.createElement('div');
  inner.className = 'md';
  box.append(inner);
  const times: number[] = [];
  for (let at = chunk; at <= text.length; at += chunk) {
    const start = performance.now();
    append(inner, text, at);
    layout(box);
    times.push(performance.now() - start);
  }
  remove();
  return times;
}

function streamOurs(text: string): { times: number[]; settledRenders: number } {
  clearCompiled();
  clearDocuments();
  const { box, remove } = stage();
  const root = createRoot(box);
  const times: number[] = [];
  const seen = new Map<string, number>();
  let settledRenders = 0;
  let turn = 0;
  const onBlockRender = (key: string) => {
    // A block met in an earlier chunk may be drawn again only while it is the end of the text, under a new key.
    if ((seen.get(key) ?? turn) < turn - 2) settledRenders++;
    seen.set(key, turn);
  };
  for (let at = chunk; at <= text.length; at += chunk) {
    const start = performance.now();
    turn++;
    flushSync(() => root.render(<MarkdownView text={text.slice(0, at)} streaming onBlockRender={onBlockRender} />));
    layout(box);
    times.push(performance.now() - start);
  }
  root.unmount();
  remove();
  return { times, settledRenders };
}

function mount(text: string): number {
  const { box, remove } = stage();
  const root = createRoot(box);
  const start = performance.now();
  flushSync(() => root.render(<MarkdownView text={text} />));
  layout(box);
  const time = performance.now() - start;
  root.unmount();
  remove();
  return time;
}

function measure(kind: CorpusKind): StreamBenchRow {
  const text = makeCorpus(kind, size);
  const runs = [0, 1, 2].map(() => ({ floor: streamFloor(kind, text), ours: streamOurs(text) }));
  // Chunk by chunk the median of the runs: one collection of garbage in one of them is not the chunk's price.
  const merge = (pick: (run: (typeof runs)[number]) => number[]) =>
    pick(runs[0] ?? { floor: [], ours: { times: [], settledRenders: 0 } }).map((_, at) => median(runs.map((run) => pick(run)[at] ?? 0)));
  const ours = merge((run) => run.ours.times);
  const floor = merge((run) => run.floor);
  const sorted = ours.toSorted((a, b) => a - b);
  clearCompiled();
  clearDocuments();
  const mountCold = mount(text);
  return {
    kind,
    at: marks.map((mark) => ({ size: mark, ours: around(ours, mark), floor: around(floor, mark) })),
    total: ours.reduce((sum, one) => sum + one, 0),
    floorTotal: floor.reduce((sum, one) => sum + one, 0),
    p95: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    worst: sorted.at(-1) ?? 0,
    settledRenders: Math.max(...runs.map((run) => run.ours.settledRenders)),
    mountCold,
    mountWarm: median([mount(text), mount(text), mount(text)]),
  };
}

/** Runs in a page that has the window's styles; takes about 15 s. */
export async function runStreamBench(kinds: readonly CorpusKind[] = corpusKinds): Promise<StreamBenchRow[]> {
  streamOurs(makeCorpus('typical', 20_000, 3));
  const rows: StreamBenchRow[] = [];
  for (const kind of kinds) {
    rows.push(measure(kind));
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return rows;
}
