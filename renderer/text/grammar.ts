// Our Markdown: marked's GitHub flavour with mathematics and footnotes, as functions that read blocks and write HTML.
import { type Lexer, type Links, Marked, type MarkedOptions, Parser, type RendererObject, type Token, type Tokens } from 'marked';
import { BoundedLexer, BoundedTokenizer, TypedTokenizer } from './boundedLexer';
import { escapeHtml } from './escapeHtml';
import { footnoteMark, footnoteNote } from './footnotes';
import { isMath, mathBlock, mathInline } from './mathSyntax';

/** Formula behind a placeholder in a piece of HTML; its index is the placeholder's number. */
export type MathRef = { tex: string; display: boolean };

export type GrammarOptions = {
  /** For what people type: a line break in the source is one on screen, and markup is text. */
  breaks: boolean;
};

// Formulas found while one piece is written; marked's renderers have no context of their own.
let formulas: MathRef[] = [];

const renderer: RendererObject = {
  listitem(item) {
    const body = this.parser.parse(item.tokens);
    if (!item.task) return `<li>${body}</li>\n`;
    const name = escapeHtml(item.text.replace(/\s+/g, ' ').trim().slice(0, 80));
    return `<li class="md-item">${body.replace(/<input /, `<input aria-label="${name}" `)}</li>\n`;
  },
};

function writeMath(token: Tokens.Generic): string {
  if (!isMath(token)) return '';
  formulas.push({ tex: token.tex, display: token.display });
  return `<span data-math="${formulas.length - 1}"></span>`;
}

const marked = new Marked({
  gfm: true,
  renderer,
  extensions: [{ ...mathInline, renderer: writeMath }, { ...mathBlock, renderer: writeMath }, footnoteMark, footnoteNote],
});

const plain: MarkedOptions = { ...marked.defaults, tokenizer: new BoundedTokenizer() };
const typed: MarkedOptions = { ...marked.defaults, tokenizer: new TypedTokenizer(), breaks: true };

function lexer(options: GrammarOptions, links: Links): Lexer {
  const made = new BoundedLexer(options.breaks ? typed : plain);
  made.tokens.links = links;
  return made;
}

/** What no pattern could read within the stack is text, as it stands. */
function orText(source: string, read: () => Token[]): Token[] {
  try {
    return read();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const text: Tokens.Text = { type: 'text', raw: source, text: source, escaped: false };
    return [{ type: 'paragraph', raw: source, text: source, tokens: [text] }];
  }
}

/** Top-level blocks only, without looking inside lines. Definitions met are added to `links`. */
export function readBlocks(source: string, options: GrammarOptions, links: Links): Token[] {
  return orText(source, () => lexer(options, links).blockTokens(source, []));
}

/** Blocks with everything inside them, definitions resolved from `links`. */
export function readTokens(source: string, options: GrammarOptions, links: Links): Token[] {
  return orText(source, () => lexer(options, { ...links }).lex(source));
}

/** HTML of tokens, not yet sanitized, with a placeholder for each formula. */
export function writeHtml(tokens: Token[], options: GrammarOptions): { html: string; math: MathRef[] } {
  formulas = [];
  const html = Parser.parse(tokens, options.breaks ? typed : plain);
  const math = formulas;
  formulas = [];
  return { html, math };
}
