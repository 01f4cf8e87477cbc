// N11: snapshot pages beside zlib of the same bytes, and a long history beside the sum of its parts.
import { deflateSync } from 'node:zlib';
import narrow from '../../../assets/glyphs/narrow.bin?inline';
import wide from '../../../assets/glyphs/wide.bin?inline';
import { readPage } from '../../../main/context/snapshot/decode';
import { type Glyphs, readGlyphs } from '../../../main/context/snapshot/glyphs';
import { layoutsOf, spansOf } from '../../../main/context/snapshot/layout';
import { type MadePage, makePages, type PagesArgs } from '../../../main/context/snapshot/makePages';
import { encodePng } from '../../../main/context/snapshot/png';
import { printText } from '../../../main/context/snapshot/print';
import { rasterPage } from '../../../main/context/snapshot/raster';
import { forWideText, shapeFor } from '../../../main/context/snapshot/shapes';
import { cleaned } from '../../../main/context/snapshot/text';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { jsonLog } from '../data/jsonLog';
import { seeded } from '../data/random';
import { type Kind, makeTexts } from '../data/texts';
import type { Measurement } from '../goals';
import { contest, type Effort } from '../measure';
import { compare, type Pair } from '../statistics';

const characters = 800_000;
const reader = { modelId: 'gpt-5.5', kind: 'openai-responses' } as const;

export function measurePages(effort: Effort): Measurement[] {
  const glyphs = readGlyphs({ narrow: bytesOf(narrow), wide: bytesOf(wide) });
  const shape = shapeFor(reader);
  if (!shape) throw new Error('the reader has no pages');
  const told = history();
  const { text } = printText(glyphs, cleaned(told));
  const pagesOf = (printed: string) => [...layoutsOf({ glyphs, text: printed, shape, most: 80 })][0]?.pages ?? [];
  const one = text.slice(0, pagesOf(text)[0]?.to);
  const draw = () => pagesOf(one).map((page) => encodePng(rasterPage(glyphs, one, page)));
  const rows = pagesOf(one).map((page) => rasterPage(glyphs, one, page).rows)[0] ?? new Uint8Array();
  const drawn = contest({ ours: () => void draw(), floor: () => void deflateSync(rows, { level: 6 }) }, effort);
  const job: PagesArgs = { ...asMessage(told), reader, vision: true, room: 1_000_000 };
  const made = makePages(glyphs, job);
  if (!made.ok) throw new Error(`no pages: ${made.refusal}`);
  const { pages, dropped, bytes } = made.pages;
  const shown = pages.reduce((sum, page) => sum + page.text.length, 0);
  const whole = long(
    () => void makePages(glyphs, job),
    () => pages.forEach((page) => void partsOf(glyphs, page)),
  );
  return [
    {
      id: 'N11',
      operation: 'page of 1568²: layout, raster, PNG; floor: zlib of its bytes',
      unit: 'ms',
      ...drawn,
      goal: { kind: 'ratio', max: 1.4 },
    },
    {
      id: 'N11',
      operation: '800,000 characters to verified pages; floor: the parts of each',
      unit: 'ms',
      ...whole,
      goal: { kind: 'ratio', max: 1.2 },
      note: `${pages.length} pages; ${dropped} characters dropped for the limit of bytes`,
    },
    {
      id: 'N11',
      operation: 'bytes of PNG a character, a fifth Chinese and Japanese',
      unit: '',
      ours: Math.round((bytes * 75) / shown) / 100,
      goal: { kind: 'none' },
    },
    ...bytesByKind(glyphs),
  ];
}

/** One page each: what a character of it takes. Those of Chinese and Japanese are two cells wide. */
function bytesByKind(glyphs: Glyphs): Measurement[] {
  const kinds: [name: string, text: string, isWide: boolean][] = [
    ['English', history(['en']), false],
    ['code', history(['code']), false],
    ['a log in JSON', jsonLog(200_000), false],
    ['Russian', history(['ru']), false],
    ['Chinese', history(['zh']), true],
    ['Japanese', history(['ja']), true],
  ];
  return kinds.map(([name, told, isWide]) => {
    const family = shapeFor(reader);
    if (!family) throw new Error('the reader has no pages');
    const { text } = printText(glyphs, cleaned(told.slice(0, 200_000)));
    const shape = isWide ? forWideText(family) : family;
    const page = [...layoutsOf({ glyphs, text, shape, most: 80 })][0]?.pages[0];
    if (!page) throw new Error('no page');
    const ours = Math.round((100 * encodePng(rasterPage(glyphs, text, page)).length) / (page.to - page.from)) / 100;
    return { id: 'N11', operation: `the same, ${name}`, unit: '', ours, goal: isWide ? { kind: 'none' } : { kind: 'absolute', max: 3.1 } };
  });
}

function partsOf(glyphs: Glyphs, page: MadePage): string | null {
  const whole = { ...page, from: 0, to: page.text.length };
  deflateSync(rasterPage(glyphs, page.text, whole).rows, { level: 6 });
  return readPage(glyphs, page.png, page, spansOf(glyphs, page.text, whole));
}

/** Seconds each: a few rounds, by turns. */
function long(ours: () => void, floor: () => void): ReturnType<typeof compare> {
  const pairs: Pair[] = [];
  const timed = (run: () => void) => {
    const begin = performance.now();
    run();
    return performance.now() - begin;
  };
  ours();
  floor();
  for (let round = 0; round < 7; round++) pairs.push({ floor: timed(floor), ours: timed(ours) });
  return compare(pairs);
}

function history(kinds?: Kind[]): string {
  const texts = makeTexts(seeded(11), kinds);
  let told = '';
  while (told.length < characters) told += `${texts.answer()}\n\n`;
  return told.slice(0, characters);
}

function asMessage(text: string): Pick<PagesArgs, 'messages'> {
  const [id, conversationId] = ['msg_1' as MessageId, 'cnv_1' as ConversationId];
  return {
    messages: [{ id, conversationId, parentId: null, role: 'user', status: 'complete', parts: [{ type: 'text', text }], createdAt: 0 }],
  };
}

function bytesOf(url: string): Uint8Array {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}
