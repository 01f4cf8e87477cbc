// Cuts Markdown into the blocks that are drawn independently, keeping raw HTML together with what it encloses.
import type { Links, Token } from 'marked';
import { type GrammarOptions, readBlocks } from './grammar';

/** One independent block: `raw` is its source and `start` its offset in the text that was cut. */
export type Piece = {
  type: string;
  raw: string;
  start: number;
  /** A tag in it is not closed yet, so what follows may still belong to it. */
  unclosed: boolean;
};

/** An HTML block that is not closed within this many characters is left to stand alone. */
const enclosureLimit = 8_000;

const enclosing = new Set(['details', 'div', 'section', 'table', 'center', 'p', 'ul', 'ol', 'dl', 'blockquote', 'figure']);
const tag = /<!--[\s\S]*?(?:-->|$)|<(\/?)([a-zA-Z][a-zA-Z0-9-]*)((?:"[^"]*"|'[^']*'|[^<>"'])*)>/g;

export type OpenTag = { name: string; raw: string };

/** Follows the tags in `html`, changing `open`, the stack of tags that are still open. */
export function followTags(html: string, open: OpenTag[], names: ReadonlySet<string> = enclosing): void {
  for (const hit of html.matchAll(tag)) {
    const name = hit[2]?.toLowerCase();
    if (!name || !names.has(name) || hit[3]?.endsWith('/')) continue;
    if (hit[1] !== '/') {
      open.push({ name, raw: hit[0] });
      continue;
    }
    const at = open.map((one) => one.name).lastIndexOf(name);
    if (at >= 0) open.length = at;
  }
}

type Enclosure = { end: number; closed: boolean };

/** Index of the token that closes the HTML block at `from`. */
function enclosureEnd(tokens: Token[], from: number): Enclosure {
  const open: OpenTag[] = [];
  let length = 0;
  for (let at = from; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    if (token.type === 'html') followTags(token.raw, open);
    if (open.length === 0) return { end: at, closed: true };
    length += token.raw.length;
    if (length > enclosureLimit) return { end: from, closed: true };
  }
  return { end: from, closed: false };
}

/** Pieces of `source` in order; blank lines between them belong to none. Definitions met are added to `links`. */
export function cutPieces(source: string, options: GrammarOptions, links: Links): Piece[] {
  const tokens = readBlocks(source, options, links);
  const pieces: Piece[] = [];
  let start = 0;
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (!token) break;
    let raw = token.raw;
    let unclosed = false;
    if (token.type === 'html') {
      const { end, closed } = enclosureEnd(tokens, at);
      unclosed = !closed;
      for (; at < end; at++) raw += tokens[at + 1]?.raw ?? '';
    }
    if (token.type !== 'space') pieces.push({ type: token.type, raw, start, unclosed });
    start += raw.length;
  }
  return pieces;
}
