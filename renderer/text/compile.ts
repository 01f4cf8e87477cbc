// From one block of Markdown to nodes: everything plain becomes one piece of sanitized HTML, the rest keeps its structure.
import type { Links, Token, Tokens } from 'marked';
import { boundedCache } from './boundedCache';
import { chunkCode } from './codeChunks';
import { type GrammarOptions, readBlocks, readTokens, writeHtml } from './grammar';
import { isMath } from './mathSyntax';
import type { ListItem, TextNode } from './nodes';
import { usedReferences } from './references';
import { sanitizeHtml } from './sanitize';

export type CompileContext = { options: GrammarOptions; links: Links };

/** Above this many characters a list is made of items of its own, so that a longer one never redraws the earlier items. */
const longList = 1_200;
/** A table of more cells is shown as it was written. */
const mostCells = 20_000;

const cached = boundedCache<TextNode[]>(12_000_000);
const cachedItems = boundedCache<ListItem>(6_000_000);

/** For tests and benchmarks: the next compile of anything is a first one. */
export function clearCompiled(): void {
  cached.clear();
  cachedItems.clear();
  recent = { key: '', nodes: [] };
}

export function isList(token: Token | undefined): token is Tokens.List {
  return token?.type === 'list';
}

function isTable(token: Token): token is Tokens.Table {
  return token.type === 'table';
}

function children(token: Token): Token[] {
  if (isList(token)) return token.items;
  return 'tokens' in token && token.tokens ? token.tokens : [];
}

/** True when HTML alone can show it. */
function isPlain(token: Token): boolean {
  if (token.type === 'code' || token.type === 'table' || token.type === 'mathBlock') return false;
  if (isList(token)) return token.raw.length <= longList && children(token).every(isPlain);
  if (token.type === 'blockquote' || token.type === 'list_item') return children(token).every(isPlain);
  return true;
}

/** What the writer of a fence called its language: the first word of the info string. */
export function languageOf(info: string | undefined): string {
  return (
    (info ?? '')
      .trim()
      .split(/[\s{,:]/, 1)[0]
      ?.toLowerCase()
      .slice(0, 40) ?? ''
  );
}

function htmlNode(tokens: Token[], key: string, context: CompileContext): TextNode {
  const { html, math } = writeHtml(tokens, context.options);
  const [first] = tokens;
  const heading = first?.type === 'heading' && 'depth' in first ? { heading: Number(first.depth) } : {};
  return { kind: 'html', key, html: sanitizeHtml(html), math, ...heading };
}

export function compileItem(raw: string, loose: boolean, context: CompileContext): ListItem {
  const key = `${context.options.breaks ? 'b' : 'p'}${loose ? 'l' : 't'}${usedReferences(raw, context.links)}\n${raw.trimEnd()}`;
  const known = cachedItems.get(key);
  if (known) return known;
  const list = readTokens(raw, context.options, context.links).find(isList);
  const item = list?.items[0];
  const tokens = item && loose ? loosen(item) : (item?.tokens ?? []);
  const made: ListItem = { key, task: item?.task ?? false, nodes: item ? compileItemTokens(item, tokens, key, context) : [] };
  cachedItems.set(key, made, sizeOf(made.nodes) + key.length * 2);
  return made;
}

/** An item read alone does not know that its list is loose: its texts become paragraphs here. */
function loosen(item: Tokens.ListItem): Token[] {
  const box = item.tokens[0]?.type === 'checkbox' ? item.tokens[0] : undefined;
  const rest = box ? item.tokens.slice(1) : item.tokens;
  return rest.map((token, at): Token => {
    if (token.type !== 'text' && token.type !== 'paragraph') return token;
    const inner = token.tokens ?? [];
    return { type: 'paragraph', raw: token.raw, text: String(token.text), tokens: box && at === 0 ? [box, ...inner] : inner };
  });
}

function compileItemTokens(item: Tokens.ListItem, tokens: Token[], key: string, context: CompileContext): TextNode[] {
  if (!tokens.every(isPlain)) return compileTokens(tokens, key, context);
  // Written as a list of one, so that task boxes get their name in one place, then unwrapped.
  const { html, math } = writeHtml(
    [{ type: 'list', raw: '', ordered: false, start: '', loose: item.loose, items: [{ ...item, tokens }] }],
    context.options,
  );
  const inner = html.replace(/^<ul>\n<li[^>]*>/, '').replace(/<\/li>\n<\/ul>\n$/, '');
  return [{ kind: 'html', key, html: sanitizeHtml(inner), math }];
}

function compileList(list: Tokens.List, key: string, context: CompileContext): TextNode {
  const items = list.items.map((item) => compileItem(item.raw, list.loose, context));
  return { kind: 'list', key, ordered: list.ordered, start: list.start === '' ? 1 : list.start, items };
}

function compileRich(token: Token, key: string, context: CompileContext): TextNode {
  if (token.type === 'code') {
    const language = languageOf(token.lang);
    if (language === 'math') return { kind: 'math', key, tex: String(token.text) };
    return { kind: 'code', key, language, chunks: chunkCode(String(token.text).replace(/\n$/, '')), open: false };
  }
  if (isMath(token)) return { kind: 'math', key, tex: token.tex };
  if (isTable(token)) {
    // A wide head makes every short row as wide: 30 kB could ask for half a million cells.
    if (token.header.length * token.rows.length > mostCells) {
      return { kind: 'code', key, language: '', chunks: chunkCode(token.raw.trimEnd()), open: false };
    }
    const { html, math } = writeHtml([token], context.options);
    return { kind: 'table', key, html: sanitizeHtml(html), math };
  }
  if (isList(token)) return compileList(token, key, context);
  return { kind: 'quote', key, nodes: compileTokens(children(token), key, context) };
}

function compileTokens(tokens: Token[], key: string, context: CompileContext): TextNode[] {
  // Raw HTML that encloses Markdown only means something in one piece.
  if (tokens[0]?.type === 'html' && tokens.length > 1) return [htmlNode(tokens, key, context)];
  const nodes: TextNode[] = [];
  let plain: Token[] = [];
  const flush = () => {
    if (plain.some((token) => token.type !== 'space' && token.type !== 'def'))
      nodes.push(htmlNode(plain, `${nodes.length} ${key}`, context));
    plain = [];
  };
  for (const token of tokens) {
    if (isPlain(token)) {
      plain.push(token);
      continue;
    }
    flush();
    nodes.push(compileRich(token, `${nodes.length} ${key}`, context));
  }
  flush();
  return nodes;
}

function sizeOf(nodes: TextNode[]): number {
  let size = 0;
  for (const node of nodes) {
    if (node.kind === 'html' || node.kind === 'table') size += node.html.length * 2;
    else if (node.kind === 'code') for (const chunk of node.chunks) size += chunk.length * 2;
    else if (node.kind === 'quote') size += sizeOf(node.nodes);
    size += 200;
  }
  return size;
}

/** The block read last without being kept: when it settles unchanged, its nodes must not become new ones. */
let recent: { key: string; nodes: TextNode[] } = { key: '', nodes: [] };

/** The nodes of one top-level block, from the cache when the same text was met before. */
export function compileBlock(raw: string, context: CompileContext, options: { keep: boolean } = { keep: true }): TextNode[] {
  const source = raw.replace(/\n+$/, '');
  const key = `${context.options.breaks ? 'b' : 'p'}${usedReferences(source, context.links)}\n${source}`;
  const known = cached.get(key);
  if (known) return known;
  const nodes = recent.key === key ? recent.nodes : compileTokens(blockTokens(source, context), key, context);
  recent = { key, nodes };
  if (options.keep) cached.set(key, nodes, sizeOf(nodes) + key.length * 2);
  return nodes;
}

/** A long list is cut into items before its lines are read, since each item reads its own. */
function blockTokens(source: string, context: CompileContext): Token[] {
  if (source.length > longList && /^ {0,3}(?:[-*+]|\d{1,9}[.)])[ \t]/.test(source)) {
    const blocks = readBlocks(source, context.options, { ...context.links });
    if (blocks.length === 1 && isList(blocks[0])) return blocks;
  }
  return readTokens(source, context.options, context.links);
}
