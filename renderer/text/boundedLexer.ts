// marked with limits: text made to be slow (deep nesting, thousands of unmatched marks) costs no more than its length.
import { Lexer, type Token, Tokenizer, type Tokens } from 'marked';

/** Quotations and lists inside each other; what is deeper is read as text. */
const depthLimit = 24;
/** Every mark may look ahead to the end of its text: this bounds marks × characters looked at in one go. */
const workLimit = 8_000_000;
const cheapChars = 2_000;
const segmentChars = 1_000;

/** True when the first line opens more blocks inside each other than anyone would: marked's patterns recurse over such a line. */
function isTooDeep(source: string): boolean {
  let opened = 0;
  for (let at = 0; opened <= depthLimit; at++) {
    const char = source[at];
    if (char === '>') opened++;
    else if ((char === '-' || char === '*' || char === '+') && /[ \t]/.test(source[at + 1] ?? '')) opened++;
    else if (char === '.' || char === ')') opened++;
    else if (char === undefined || !/[ \t\d]/.test(char)) return false;
  }
  return true;
}

const marks = /[[*_`~<$\\!@&]|https?:|www\./g;

/** Every element of HTML, SVG's and MathML's roots among them. */
const elements = new Set(
  `a abbr acronym address applet area article aside audio b base basefont bdi bdo bgsound big blink blockquote body br button canvas caption
  center cite code col colgroup data datalist dd del details dfn dialog dir div dl dt em embed fieldset figcaption figure font footer form
  frame frameset h1 h2 h3 h4 h5 h6 head header hgroup hr html i iframe image img input ins isindex kbd keygen label legend li link listing
  main map mark marquee math menu meta meter nav nobr noembed noframes noscript object ol optgroup option output p param picture plaintext
  portal pre progress q rb rp rt rtc ruby s samp script search section select slot small source span strike strong style sub summary sup svg
  table tbody td template textarea tfoot th thead time title tr track tt u ul var video wbr xmp`.split(/\s+/),
);
const opening = /^ {0,3}<\/?([A-Za-z][^\s/>]*)/;

/** A type in angle brackets, a tag of XML or of a prompt: as HTML it would only vanish, so it is text. */
function isForeign(source: string): boolean {
  const name = opening.exec(source)?.[1];
  return name !== undefined && !elements.has(name.toLowerCase());
}

export class BoundedTokenizer extends Tokenizer {
  #depth = 0;

  #deeper<T>(source: string, read: () => T | undefined): T | undefined {
    if (this.#depth >= depthLimit || isTooDeep(source)) return undefined;
    this.#depth++;
    try {
      return read();
    } finally {
      this.#depth--;
    }
  }

  override blockquote(source: string): Tokens.Blockquote | undefined {
    return this.#deeper(source, () => super.blockquote(source));
  }

  override html(source: string): Tokens.HTML | undefined {
    return isForeign(source) ? undefined : super.html(source);
  }

  override tag(source: string): Tokens.Tag | undefined {
    return isForeign(source) ? undefined : super.tag(source);
  }

  override list(source: string): Tokens.List | undefined {
    return this.#deeper(source, () => super.list(source));
  }
}

/** For what people type: markup in it is a text about markup, and is shown as it stands. */
export class TypedTokenizer extends BoundedTokenizer {
  override html(): undefined {
    return undefined;
  }
  override tag(): undefined {
    return undefined;
  }
}

function isCostly(source: string): boolean {
  if (source.length <= cheapChars) return false;
  return (source.match(marks)?.length ?? 0) * source.length > workLimit;
}

/** Where the segment that starts at `from` ends: after a line, else a word, else anywhere. */
function segmentEnd(source: string, from: number): number {
  const limit = from + segmentChars;
  if (limit >= source.length) return source.length;
  const line = source.lastIndexOf('\n', limit);
  if (line > limit - 300) return line + 1;
  const space = source.lastIndexOf(' ', limit);
  return space > limit - 300 ? space + 1 : limit;
}

export class BoundedLexer extends Lexer {
  override inlineTokens(source: string, tokens: Token[] = []): Token[] {
    if (!isCostly(source)) return super.inlineTokens(source, tokens);
    for (let from = 0; from < source.length; ) {
      const end = segmentEnd(source, from);
      super.inlineTokens(source.slice(from, end), tokens);
      from = end;
    }
    return tokens;
  }
}
