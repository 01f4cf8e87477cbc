// A text that is still being written: reads only the end that is not settled yet, and keeps every settled node as it is.
import type { Links } from 'marked';
import { type CompileContext, compileBlock, languageOf } from './compile';
import { compileDocument, normalizeText, sameNodes } from './document';
import { type GrammarOptions, readBlocks } from './grammar';
import { heal } from './heal';
import type { TextNode } from './nodes';
import { longBlock, type OpenBlock } from './open/openBlock';
import { openFence } from './open/openFence';
import { openHtml } from './open/openHtml';
import { openList } from './open/openList';
import { openParagraph } from './open/openParagraph';
import { cutPieces, type Piece } from './pieces';

/** A rule, a bullet or a heading's mark is shorter than this. */
const longestMark = 60;
const longEnd = 4_000;

export class StreamDocument {
  /** Blocks that nothing that follows can change; only ever grows, except when the text is replaced. */
  settled: TextNode[] = [];
  /** What stands after them, drawn anew with each chunk. */
  tail: TextNode[] = [];
  #text = '';
  #end = 0;
  #links: Links = {};
  #open: OpenBlock | null = null;
  /** Length of the unsettled end when it was last read. */
  #readLength = 0;
  readonly #options: GrammarOptions;

  constructor(options: GrammarOptions) {
    this.#options = options;
  }

  get #context(): CompileContext {
    return { options: this.#options, links: this.#links };
  }

  /** Takes the whole text so far; cheap when it only grew. */
  update(whole: string): void {
    const text = normalizeText(whole);
    if (text === this.#text) return;
    if (!text.startsWith(this.#text)) this.#reset();
    this.#text = text;
    if (this.#open?.update(text)) {
      this.tail = this.#open.nodes();
      return;
    }
    // A block that has just ended is read whole, once.
    if (this.#open) this.#readLength = 0;
    this.#open = null;
    this.#read();
  }

  /** The same nodes as reading the whole text at once would give, keeping those that are already here. */
  finish(whole: string): TextNode[] {
    return sameNodes(compileDocument(whole, this.#options), [...this.settled, ...this.tail]);
  }

  #reset(): void {
    this.settled = [];
    this.tail = [];
    this.#end = 0;
    this.#links = {};
    this.#open = null;
    this.#readLength = 0;
  }

  /** A long end that no open block settles (a table, a quotation) is read again only when it has grown by a twelfth or a block ended. */
  #mayWait(): boolean {
    const length = this.#text.length - this.#end;
    const grown = length - this.#readLength;
    return length > longEnd && grown >= 0 && grown < length / 12 && !this.#text.slice(-grown - 1).includes('\n\n');
  }

  #read(): void {
    if (this.#mayWait()) return;
    const from = this.#end;
    const pieces = cutPieces(this.#text.slice(from), this.#options, { ...this.#links });
    const open = this.#settle(pieces.map((piece) => ({ ...piece, start: piece.start + from })));
    const last = open.at(-1);
    this.tail = open.slice(0, -1).flatMap((piece) => compileBlock(piece.raw, this.#context));
    if (last) this.tail.push(...this.#drawLast(last, open.length === 1));
    this.#readLength = this.#text.length - this.#end;
  }

  /** Settles all pieces but those that what is still to come could change, and returns these. */
  #settle(pieces: Piece[]): Piece[] {
    let stop = pieces.findIndex((piece) => piece.unclosed);
    if (stop < 0) stop = pieces.length - 1;
    const next = pieces[stop];
    if (!next) return pieces;
    const count = this.#hasBegun(next) ? stop : Math.max(0, stop - 1);
    const added: TextNode[] = [];
    for (const piece of pieces.slice(0, count)) {
      if (piece.raw.includes(']:')) readBlocks(piece.raw, this.#options, this.#links);
      added.push(...compileBlock(piece.raw, this.#context));
    }
    if (added.length > 0) this.settled = [...this.settled, ...added];
    const rest = pieces.slice(count);
    if (count > 0) this.#end = rest[0]?.start ?? this.#text.length;
    return rest;
  }

  /** A block is over once another has begun, and another has begun once its first line is whole or too long to be a mere mark. */
  #hasBegun(piece: Piece): boolean {
    const line = this.#text.indexOf('\n', piece.start);
    return line >= 0 || this.#text.length - piece.start > longestMark;
  }

  #drawLast(piece: Piece, alone: boolean): TextNode[] {
    const open = this.#openAt(piece);
    if (open?.update(this.#text)) {
      if (alone) this.#open = open;
      return open.nodes();
    }
    const source = piece.type === 'code' || piece.type === 'html' ? piece.raw : heal(piece.raw);
    return compileBlock(source, this.#context, { keep: false });
  }

  #openAt(piece: Piece): OpenBlock | null {
    const { start } = piece;
    if (piece.type === 'code') return openFence(this.#text, start, languageOf);
    if (piece.raw.length < longBlock) return null;
    if (piece.type === 'paragraph') return openParagraph(start, this.#context);
    if (piece.type === 'html' && !piece.raw.includes('\n\n')) return openHtml(this.#text, start);
    if (piece.type === 'list') return openList(this.#text, start, this.#context);
    return null;
  }
}
