// Cuts a JSON file of any size into the elements of its outermost list, or the members of its outermost object, without reading what is in them:
// only brackets, quotes and commas count. What follows the outermost one, as in lines of JSON, comes whole. Each piece then goes through JSON.parse (docs/decisions/013-import.md says why).

/** `element`: JSON of one. `member`: `"key": value`. `after`: a list or object behind the outermost one. `cut`: the file ends inside it. `tooLarge`: its bytes are not kept. */
export type Piece = { kind: 'element' | 'member' | 'after'; bytes: Buffer; cut: boolean; tooLarge: boolean };

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const curly = 0x7b;
const square = 0x5b;
/** Letters, digits and blanks between these mean nothing here. */
const speaks = new Uint8Array(256);
for (const byte of [quote, comma, curly, square, 0x7d, 0x5d]) speaks[byte] = 1;
const blank = (byte: number): boolean => byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;

/** The member whose elements are pieces of their own: some exports wrap their list, and Bough's JSON its lines. */
const wrapped = /^\s*"(?:conversations|lines)"\s*:\s*$/;
/** JSON.parse takes a string, and the engine's strings end at half a gigabyte. */
const mostBytes = 400 * 1024 * 1024;

/** A mark at `at`; what belongs to the piece before it begins at `from`. No buffer is made for marks that mean nothing. */
type Found = { chunk: Buffer; from: number; at: number; pieces: Piece[] };

export class JsonPieces {
  #depth = 0;
  /** At this depth commas part pieces. */
  #level = 1;
  #inString = false;
  #escaped = false;
  #kind: Piece['kind'] = 'element';
  #parts: Buffer[] = [];
  #size = 0;
  #limit: number;
  /** The outermost list or object has been closed. */
  isClosed = false;

  constructor(limit = mostBytes) {
    this.#limit = limit;
  }

  /** The pieces that end in this chunk. */
  push(chunk: Buffer): Piece[] {
    const pieces: Piece[] = [];
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      if (this.#inString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      const byte = chunk[at] ?? 0;
      if (speaks[byte] === 0) continue;
      // Deep inside a piece nothing but strings and depth counts.
      if (this.#depth > 2) this.#deep(byte);
      else if (this.isClosed) from = this.#after(byte, { chunk, from, at, pieces });
      else if (this.#mark(byte, { chunk, from, at, pieces })) from = at + 1;
    }
    if (this.#depth > 0) this.#keep(chunk.subarray(from));
    return pieces;
  }

  #deep(byte: number): void {
    if (byte === quote) this.#inString = true;
    else if (byte === curly || byte === square) this.#depth += 1;
    else if (byte !== comma) this.#depth -= 1;
  }

  /** Whether a new piece begins behind this bracket, quote or comma. */
  #mark(byte: number, found: Found): boolean {
    if (byte === quote) {
      this.#inString = this.#depth > 0;
      return false;
    }
    if (byte === curly || byte === square) return this.#open(byte, found);
    const ends = this.#depth === this.#level;
    if (ends) this.#finish(found.pieces, found.chunk.subarray(found.from, found.at));
    if (byte !== comma) this.#close();
    return ends;
  }

  /** Where the piece begins that goes on behind this mark. */
  #after(byte: number, { chunk, from, at, pieces }: Found): number {
    if (byte === quote) this.#inString = this.#depth > 0;
    if (byte === quote || byte === comma) return from;
    if (byte === curly || byte === square) {
      this.#depth += 1;
      if (this.#depth > 1) return from;
      this.#kind = 'after';
      return at;
    }
    this.#depth = Math.max(0, this.#depth - 1);
    if (this.#depth > 0 || this.#kind !== 'after') return from;
    this.#finish(pieces, chunk.subarray(from, at + 1));
    this.#kind = 'element';
    return at + 1;
  }

  /** What is left of a file that ends too early. */
  end(): Piece[] {
    const pieces: Piece[] = [];
    if (this.#depth > 0) this.#finish(pieces, Buffer.alloc(0), true);
    return pieces;
  }

  /** Goes to the end of the string or of the chunk; gives the last byte that was looked at. */
  #skipString(chunk: Buffer, start: number): number {
    let at = start;
    if (this.#escaped) {
      this.#escaped = false;
      at += 1;
    }
    while (at < chunk.length && chunk[at] !== quote && chunk[at] !== backslash) at++;
    if (at >= chunk.length) return at;
    if (chunk[at] === quote) this.#inString = false;
    else this.#escaped = true;
    return at;
  }

  /** Whether pieces begin behind this bracket. */
  #open(byte: number, { chunk, from, at }: Found): boolean {
    this.#depth += 1;
    if (this.#depth === 1) {
      this.#kind = byte === square ? 'element' : 'member';
      return true;
    }
    if (this.#depth !== 2 || this.#level !== 1 || this.#kind !== 'member' || byte !== square || this.#size + at - from > 200) return false;
    if (!wrapped.test(Buffer.concat([...this.#parts, chunk.subarray(from, at)]).toString('latin1'))) return false;
    this.#level = 2;
    this.#kind = 'element';
    this.#forget();
    return true;
  }

  #close(): void {
    this.#depth -= 1;
    if (this.#depth < this.#level && this.#level === 2) {
      this.#level = 1;
      this.#kind = 'member';
    }
    if (this.#depth === 0) this.isClosed = true;
  }

  #finish(pieces: Piece[], last: Buffer, cut = false): void {
    this.#keep(last);
    const tooLarge = this.#size > this.#limit;
    const bytes = tooLarge ? Buffer.alloc(0) : Buffer.concat(this.#parts);
    if (tooLarge || !bytes.every(blank)) pieces.push({ kind: this.#kind, bytes, cut, tooLarge });
    this.#forget();
  }

  #keep(bytes: Buffer): void {
    this.#size += bytes.length;
    if (this.#size > this.#limit) this.#parts = [];
    else if (bytes.length > 0) this.#parts.push(bytes);
  }

  #forget(): void {
    this.#parts = [];
    this.#size = 0;
  }
}
