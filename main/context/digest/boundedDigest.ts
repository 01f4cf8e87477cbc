// The digest of a stretch of a path for a model that summarizes it (L18): whatever the stretch, its size is bounded and half of that model's
// window is left. Tool calls give way before texts, texts before requests; what is too long at the least detail is told as an overview. Pure.
import { estimateTokens } from '../../../shared/text/estimateTokens';
import type { WorkspacePlace } from '../touchedFiles';
import { type Detail, type Entry, entriesOf, linesAt, type Told } from './entries';
import { digestHead } from './frame';
import { overviewOf } from './overview';

/** `worker`: it can read files itself, so calls are an index. `simple`: it sees nothing but the digest, so results come along, shortened. */
export type DigestMode = 'worker' | 'simple';
/** `warned`: larger than it should be, and used as it is. */
export type DigestLevel = 'full' | 'warned' | 'overview';
export type BoundedDigest = { text: string; tokens: number; level: DigestLevel };
export type DigestInput = Told & {
  mode: DigestMode;
  /** Of the model that reads the digest, in tokens. */
  window: number;
  /** Where the paths of calls belong. */
  place: WorkspacePlace;
};

export type DigestLimits = { target: number; warning: number; most: number };

/** In tokens; each capped by half of the reader's window (L21). */
export function digestLimits(window: number): DigestLimits {
  const half = Math.max(0, Math.floor(window / 2));
  return { target: Math.min(8_000, half), warning: Math.min(16_000, half), most: Math.min(40_000, half) };
}

/** From the richest to the poorest: the first that fits the target is taken, else the last. */
const simple: readonly Detail[] = [
  { request: 16_000, text: 8_000, args: 400, result: 4_000, summary: 300 },
  { request: 12_000, text: 6_000, args: 200, result: 1_500, summary: 300 },
  { request: 8_000, text: 4_000, args: 200, result: 600, summary: 200 },
  { request: 6_000, text: 3_000, args: 120, result: 300, summary: 200 },
  { request: 4_000, text: 2_000, args: 120, result: 160, summary: 160 },
  { request: 3_000, text: 1_000, args: 80, result: 0, summary: 160 },
  { request: 2_000, text: 600, args: 0, result: 0, summary: 120 },
  { request: 800, text: 240, args: 0, result: 0, summary: 80 },
];
const details: Record<DigestMode, readonly Detail[]> = {
  simple,
  worker: simple.map((detail) => ({ ...detail, args: 0, result: 0 })),
};

/** `tokens` is never above half of `window`, nor above 40,000. The same input gives the same text. */
export function boundedDigest(input: DigestInput): BoundedDigest {
  const { target, warning, most } = digestLimits(input.window);
  const entries = entriesOf(input);
  const ladder = details[input.mode];
  for (const [at, detail] of ladder.entries()) {
    const text = told(entries, detail, at === ladder.length - 1 ? most : target);
    if (text === null) continue;
    const tokens = estimateTokens(text);
    return { text, tokens, level: tokens > warning ? 'warned' : 'full' };
  }
  const text = overviewOf({ messages: input.messages, entries, place: input.place, tokens: target });
  return { text, tokens: estimateTokens(text), level: 'overview' };
}

/** Null as soon as it is above `most` tokens: what does not fit is not made. */
function told(entries: readonly Entry[], detail: Detail, most: number): string | null {
  const blocks = [digestHead];
  let tokens = estimateTokens(digestHead);
  for (const entry of entries) {
    if (tokens > most) return null;
    const lines = linesAt(entry, detail);
    if (lines.length === 0) continue;
    const block = lines.join('\n');
    tokens += estimateTokens(`\n${block}`);
    blocks.push(block);
  }
  return tokens > most ? null : blocks.join('\n');
}
