// P3: parts `<think>…</think>` at the start of an answer from its text, however the tags are split over deltas.

export type Piece = { type: 'text' | 'reasoning'; text: string };

const tags = ['think', 'thinking', 'thought', 'reasoning'];
const longestOpening = Math.max(...tags.map((tag) => tag.length + 2));

/**
 * Only a tag that opens the answer (after white space) is reasoning; anywhere else, in code for example, it stays text.
 * A tag that is never closed leaves everything behind it as reasoning.
 */
export class ThinkSplitter {
  #state: 'start' | 'inside' | 'after' | 'text' = 'start';
  #held = '';
  #closing = '';

  push(delta: string): Piece[] {
    if (this.#state === 'text') return piece('text', delta);
    this.#held += delta;
    const pieces: Piece[] = [];
    if (this.#state === 'start') this.#start(pieces);
    if (this.#state === 'inside') this.#inside(pieces);
    if (this.#state === 'after') this.#after(pieces);
    return pieces;
  }

  /** What is still held back when the answer ends. */
  flush(): Piece[] {
    const rest = this.#held;
    this.#held = '';
    if (this.#state === 'after') return [];
    return piece(this.#state === 'inside' ? 'reasoning' : 'text', rest);
  }

  #start(pieces: Piece[]): void {
    const text = this.#held.trimStart();
    const opening = new RegExp(`^<(${tags.join('|')})>`, 'i').exec(text);
    if (opening) {
      this.#closing = `</${opening[1]?.toLowerCase()}>`;
      this.#held = text.slice(opening[0].length);
      this.#state = 'inside';
    } else if (text === '' || (text.length < longestOpening && tags.some((tag) => `<${tag}>`.startsWith(text.toLowerCase())))) {
      return;
    } else {
      pieces.push(...piece('text', this.#held));
      this.#held = '';
      this.#state = 'text';
    }
  }

  #inside(pieces: Piece[]): void {
    const lower = this.#held.toLowerCase();
    const end = lower.indexOf(this.#closing);
    if (end >= 0) {
      pieces.push(...piece('reasoning', this.#held.slice(0, end)));
      this.#held = this.#held.slice(end + this.#closing.length);
      this.#state = 'after';
      return;
    }
    const keep = overlap(lower, this.#closing);
    pieces.push(...piece('reasoning', this.#held.slice(0, this.#held.length - keep)));
    this.#held = this.#held.slice(this.#held.length - keep);
  }

  /** The blank lines between the reasoning and the answer belong to neither. */
  #after(pieces: Piece[]): void {
    const text = this.#held.trimStart();
    this.#held = '';
    if (text === '') return;
    this.#state = 'text';
    pieces.push(...piece('text', text));
  }
}

/** Length of the longest end of `text` that begins `tag`. */
function overlap(text: string, tag: string): number {
  for (let length = Math.min(text.length, tag.length - 1); length > 0; length -= 1) if (tag.startsWith(text.slice(-length))) return length;
  return 0;
}

function piece(type: Piece['type'], text: string): Piece[] {
  return text === '' ? [] : [{ type, text }];
}
