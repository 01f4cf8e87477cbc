// N11: snapshot pages beside zlib of the same bytes, and a long history beside the sum of its parts.
import { deflateSync } from 'node:zlib';
import narrow from '../../../assets/glyphs/narrow.bin?inline';
import wide from '../../../assets/glyphs/wide.bin?inline';
import { readPage } from '../../../main/context/snapshot/decode';
import { type Glyphs, readGlyphs } from '../../../main/context/snapshot/glyphs';
import { layoutsOf, type Page, spansOf } from '../../../main/context/snapshot/layout';
import { makePages, type PagesArgs } from '../../../main/context/snapshot/makePages';
import { encodePng } from '../../../main/context/snapshot/png';
import { printText } from '../../../main/context/snapshot/print';
import { type Bitmap, rasterPage } from '../../../main/context/snapshot/raster';
import { shapeFor } from '../../../main/context/snapshot/shapes';
import { cleaned } from '../../../main/context/snapshot/text';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { seeded } from '../data/random';
import { makeTexts } from '../data/texts';
import type { Measurement } from '../goals';
import { contest, type Effort } from '../measure';
import { compare, type Pair } from '../statistics';

const characters = 800_000;
const reader = { modelId: 'gpt-5.5', kind: 'openai-responses' } as const;

type Drawn = { page: Page; bitmap: Bitmap; png: Uint8Array };

export function measurePages(effort: Effort): Measurement[] {
  const glyphs = readGlyphs({ narrow: bytesOf(narrow), wide: bytesOf(wide) });
  const shape = shapeFor(reader);
  if (!shape) throw new Error('the reader has no pages');
  const told = history();
  const { text } = printText(glyphs, cleaned(told));
  const pagesOf = (printed: string) => layoutsOf({ glyphs, text: printed, shape, most: 80 })[0]?.pages ?? [];
  const all = pagesOf(text).map((page): Drawn => {
    const bitmap = rasterPage(glyphs, text, page);
    return { page, bitmap, png: encodePng(bitmap) };
  });
  const first = all[0];
  if (!first) throw new Error('nothing was laid out');
  const one = text.slice(0, first.page.to);
  const draw = () => {
    for (const page of pagesOf(one)) encodePng(rasterPage(glyphs, one, page));
  };
  const drawn = contest({ ours: draw, floor: () => void deflateSync(first.bitmap.rows, { level: 6 }) }, effort);
  const job: PagesArgs = { ...asMessage(told), reader, vision: true, room: 1_000_000 };
  const whole = long(
    () => void makePages(glyphs, job),
    () => parts(glyphs, text, all),
  );
  const bytes = all.reduce((sum, { png }) => sum + png.length, 0);
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
      operation: '800 kB to verified pages; floor: raster, zlib and decode of each',
      unit: 'ms',
      ...whole,
      goal: { kind: 'ratio', max: 1.2 },
      note: `${all.length} pages`,
    },
    { id: 'N11', operation: 'bytes of PNG a character', unit: '', ours: bytes / text.length, goal: { kind: 'none' } },
  ];
}

function parts(glyphs: Glyphs, text: string, all: readonly Drawn[]): void {
  for (const { page, bitmap, png } of all) {
    rasterPage(glyphs, text, page);
    deflateSync(bitmap.rows, { level: 6 });
    readPage(glyphs, png, page, spansOf(glyphs, text, page));
  }
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

function history(): string {
  const texts = makeTexts(seeded(11));
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
