// The fact sheet (S8): what must be exact (ids, paths, hashes, addresses, numbers) of the paged text, as text beside the pages. Pure.

import { estimateTokens } from '../../../shared/text/estimateTokens';
import { identifiersIn } from '../card/identifiers';

/** Tokens. */
export const mostOfFacts = 400;
/** Characters; what is longer is data. */
const longest = 120;

/** Most exact first where there is not room for all: what is named often, then what is long; in the order of the text. */
export function factsOf(text: string, most = mostOfFacts): string[] {
  const places = new Map<string, { first: number; count: number }>();
  let at = 0;
  for (const line of pieces(text)) {
    // Most prose has none, and to find that out is the longest part.
    if (!exact.test(line)) continue;
    for (const id of identifiersIn(line)) {
      const known = places.get(id);
      if (known) known.count++;
      else if (id.length <= longest && isExact(id)) places.set(id, { first: at++, count: 1 });
    }
  }
  const ranked = [...places].sort(([a, one], [b, other]) => rank(b, other.count) - rank(a, one.count) || other.first - one.first);
  const chosen: [id: string, first: number][] = [];
  let tokens = 0;
  for (const [id, { first }] of ranked) {
    const cost = estimateTokens(`${id}\n`) + 1;
    if (tokens + cost > most) continue;
    tokens += cost;
    chosen.push([id, first]);
    if (most - tokens < 3) break;
  }
  return chosen.sort(([, a], [, b]) => a - b).map(([id]) => id);
}

/** Lines; what has none is looked at in pieces, cut at a blank where there is one. */
function* pieces(text: string): Iterable<string> {
  for (const line of text.split('\n')) {
    let from = 0;
    while (line.length - from > pieceLength) {
      const blank = line.lastIndexOf(' ', from + pieceLength);
      const to = blank > from ? blank : from + pieceLength;
      yield line.slice(from, to);
      from = to;
    }
    if (from < line.length) yield line.slice(from);
  }
}
const pieceLength = 4000;

const exact = /\d|[/\\_]|\p{L}\.\p{L}|\p{Ll}\p{Lu}/u;

/** Quoted prose and plain words are found as identifiers, too; they read well enough from a page. */
function isExact(id: string): boolean {
  return !/\s.*\s|[¶\n]/.test(id) && exact.test(id);
}

/** The last part of a file's name, as opposed to a member's. */
const ending =
  /\.(?:[cm]?[jt]sx?|json[cl]?|md|mdx|py|rs|go|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|sh|bat|ps1|sql|css|scss|html?|vue|ya?ml|toml|ini|txt|log|csv|xml|lock|env|db|png|jpe?g|svg|pdf|zip|gz)$/i;

/** A name that is used everywhere is known to who reads the rest; what is used once, and exact, is not. */
function rank(id: string, count: number): number {
  const isHash = /^[0-9a-f-]{7,64}$/i.test(id) && /\d/.test(id);
  const isPath = /[/\\]/.test(id) || ending.test(id);
  const hasDigit = /\d/.test(id);
  return (isHash ? 4 : 0) + (isPath ? 3 : 0) + (hasDigit ? 2 : 0) + Math.min(2, Math.log2(count) / 2) + (id.length > 40 ? -1 : 0);
}
