// Pages from a history (S): told, cut into a verbatim beginning and end and a middle, printed, laid out, drawn, and read back; or why there are none.
// The same arguments give the same bytes. Pure.
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { type ImageReader, imagePriceOf, imageRuleOf } from '../imagePrice';
import { cheapestHeights, mostOfText, priceOfPages } from './billing';
import { readPage } from './decode';
import { factsOf, mostOfFacts } from './facts';
import { asSeen, type Glyphs } from './glyphs';
import { cellsIn, type Layout, layoutsOf, type Page, spansOf } from './layout';
import { encodePng } from './png';
import { lineMark, type Printed, printText } from './print';
import { rasterPage } from './raster';
import { forWideText, isAsDense, mostPages, type Shape, shapeFor } from './shapes';
import { type Told, tellHistory, wholePairs } from './text';
import { sizeOf, sizeOfAll, withinBytes } from './withinBytes';

/** More than this share without a bitmap is not printed (S5). */
const mostUnprintable = 0.05;
/** Bytes of all pages in base64 (S4). */
export const mostBytes = 3_000_000;
/** Characters of the told text that stay text at each end. */
export const verbatimEnd = 4000;
/** From this share of wide characters on, pages take the shape for them. */
const largelyWide = 0.25;

export type PagesArgs = Told & {
  reader: ImageReader;
  /** Whether the model is known to see: unknown counts as not (S10). */
  vision: boolean | undefined;
  /** Tokens that the text and the pages may take together. */
  room: number;
  /** Where the reader's server takes fewer than its family does. */
  most?: number | undefined;
  /** Images that the request carries beside them. */
  otherImages?: number | undefined;
  /** What texts have cost this model beside the estimate. */
  textRatio?: number | undefined;
};

export type MadePage = Omit<Page, 'from' | 'to'> & { png: Uint8Array; text: string };
export type Pages = {
  /** Verbatim, before and after the pages. */
  head: string;
  tail: string;
  pages: MadePage[];
  facts: string[];
  /** Printed characters that are missing before page `gapBefore`. */
  dropped: number;
  gapBefore: number;
  /** Characters of arguments, results and files that are left out, each place marked. */
  missing: number;
  unprintable: number;
  /** Tokens of the pages, of the text they stand for, and of the texts beside them. */
  pageTokens: number;
  pagedTextTokens: number;
  textTokens: number;
  /** Of all pages in base64. */
  bytes: number;
  shape: string;
};
export type Refusal = 'blind' | 'reader' | 'short' | 'unprintable' | 'notCheaper' | 'noRoom' | 'unreadable';
export type PagesOutcome = { ok: true; pages: Pages } | { ok: false; refusal: Refusal };

/** How a character without a bitmap is printed: nobody's id. */
const numbered = /\[U\+[0-9A-F]{4,6}\]/g;

const refuse = (refusal: Refusal): PagesOutcome => ({ ok: false, refusal });

export function makePages(glyphs: Glyphs, args: PagesArgs): PagesOutcome {
  if (args.vision !== true) return refuse('blind');
  const family = shapeFor(args.reader);
  if (!family) return refuse('reader');
  const told = tellHistory(args);
  const { head, middle, tail } = parted(told.text);
  const printed = printText(glyphs, middle);
  if (printed.text.length === 0) return refuse('short');
  if (printed.unprintable > mostUnprintable * printed.characters) return refuse('unprintable');
  const ratio = args.textRatio ?? 1;
  const ends = estimateTokens(head) + estimateTokens(tail);
  const cells = cellsIn(glyphs, printed.text);
  const job: Job = {
    glyphs,
    printed,
    cells,
    shape: isLargelyWide(printed.text, cells) ? forWideText(family) : family,
    price: imagePriceOf({ imageRule: imageRuleOf(args.reader) }),
    room: args.room - Math.ceil((ends + mostOfFacts) * ratio),
    most: Math.min(mostPages, args.most ?? mostPages, family.pages - (args.otherImages ?? 0)),
    tokenPrice: (Math.ceil(estimateTokens(middle)) * ratio) / printed.text.length,
  };
  const made = fitting(job);
  if (typeof made === 'string') return refuse(made);
  const facts = factsOf(made.pages.map(({ text }) => text.replaceAll(lineMark, '\n').replaceAll(numbered, ' ')).join(''));
  const textTokens = Math.ceil((ends + estimateTokens(facts.join('\n'))) * ratio);
  const { missing } = told;
  return { ok: true, pages: { head, tail, facts, missing, unprintable: printed.unprintable, textTokens, shape: family.name, ...made } };
}

/** Beginning and end are cut after a line where there is one near. */
function parted(text: string): { head: string; middle: string; tail: string } {
  if (text.length <= 2 * verbatimEnd) return { head: text, middle: '', tail: '' };
  const from = text.lastIndexOf('\n', verbatimEnd) + 1;
  const to = text.indexOf('\n', text.length - verbatimEnd) + 1;
  const headEnd = from > verbatimEnd / 2 ? from : wholePairs(text, verbatimEnd);
  const isNear = to > 0 && to < text.length - verbatimEnd / 2;
  const tailStart = isNear ? to : wholePairs(text, text.length - verbatimEnd);
  return { head: text.slice(0, headEnd), middle: text.slice(headEnd, tailStart), tail: text.slice(tailStart) };
}

function isLargelyWide(text: string, cells: Uint8Array): boolean {
  let [wide, seen] = [0, 0];
  for (let at = 0; at < text.length; at++) {
    if (text.charCodeAt(at) === 0x20) continue;
    seen++;
    if (cells[at] === 2) wide++;
  }
  return wide > largelyWide * seen;
}

type Job = {
  glyphs: Glyphs;
  printed: Printed;
  /** Of the printed text. */
  cells: Uint8Array;
  shape: Shape;
  price: ReturnType<typeof imagePriceOf>;
  /** Tokens. */
  room: number;
  /** Pages. */
  most: number;
  /** Tokens that a printed character costs as text. */
  tokenPrice: number;
};
type Drawn = Pick<Pages, 'pages' | 'dropped' | 'gapBefore' | 'pageTokens' | 'pagedTextTokens' | 'bytes'>;

/** The most readable layout that fits and is cheaper than its text; fewer pages where their bytes are too many. */
function fitting(job: Job): Drawn | Refusal {
  let most = Math.min(job.most, Math.floor(job.room / Math.max(1, job.price(job.shape))));
  let sizeOfWeight: number | null = null;
  while (most >= 1) {
    const layout = cheapEnough(job, most);
    if (!layout) return 'notCheaper';
    // One page tells nearly what the others weigh, so that few are drawn in vain.
    sizeOfWeight ??= sizeOf(pngOf(job, layout.pages[0])) / weightOf(job, layout.pages.slice(0, 1));
    let bytes: number = sizeOfWeight * weightOf(job, layout.pages);
    if (bytes <= mostBytes) {
      const drawn = { layout, pngs: layout.pages.map((page) => pngOf(job, page)) };
      const within = withinBytes(drawn, mostBytes, ({ dense }) => dense || isAsDense(job.shape));
      if (within && isCheap(job, within.layout)) return readBack(job, within.layout, within.pngs);
      bytes = sizeOfAll(drawn.pngs);
      sizeOfWeight = bytes / weightOf(job, layout.pages);
    }
    most = Math.min(layout.pages.length - 1, Math.floor((layout.pages.length * mostBytes) / bytes));
  }
  return 'noRoom';
}

/** What pages weigh beside each other: a wide character has about three times the bytes of a narrow one. */
function weightOf({ cells }: Job, pages: readonly Page[]): number {
  let weight = 0;
  for (const { from, to } of pages) for (let at = from; at < to; at++) weight += cells[at] === 2 ? 3 : 1;
  return weight;
}

function pngOf({ glyphs, printed: { text } }: Job, page: Page | undefined): Uint8Array {
  return page ? encodePng(rasterPage(glyphs, text, page)) : new Uint8Array();
}

function cheapEnough(job: Job, most: number): Layout | null {
  const { glyphs, printed, shape, price, cells } = job;
  for (const found of layoutsOf({ glyphs, text: printed.text, shape, most, cells })) {
    const layout = { ...found, pages: cheapestHeights(found.pages, shape, price) };
    if (isCheap(job, layout)) return layout;
  }
  return null;
}

function isCheap({ printed, price, tokenPrice }: Job, { pages, dropped }: Layout): boolean {
  return priceOfPages(pages, price) <= mostOfText * (printed.text.length - dropped) * tokenPrice;
}

function readBack(job: Job, { pages, dropped, gapBefore }: Layout, pngs: readonly Uint8Array[]): Drawn | 'unreadable' {
  const { glyphs, printed, price, tokenPrice } = job;
  const made: MadePage[] = [];
  for (const [at, page] of pages.entries()) {
    const { from, to, ...rest } = page;
    const text = printed.text.slice(from, to);
    const png = pngs[at] ?? new Uint8Array();
    if (readPage(glyphs, png, page, spansOf(glyphs, printed.text, page)) !== asSeen(glyphs, text)) return 'unreadable';
    made.push({ ...rest, png, text });
  }
  const pagedTextTokens = Math.ceil((printed.text.length - dropped) * tokenPrice);
  const bytes = sizeOfAll(pngs);
  return { pages: made, dropped, gapBefore, pageTokens: priceOfPages(made, price), pagedTextTokens, bytes };
}
