// A finished text to nodes, and the cache that makes opening a conversation again free.
import type { Links } from 'marked';
import { boundedCache } from './boundedCache';
import { compileBlock } from './compile';
import type { GrammarOptions } from './grammar';
import type { TextNode } from './nodes';
import { cutPieces } from './pieces';

const documents = boundedCache<TextNode[]>(8_000_000);

export function clearDocuments(): void {
  documents.clear();
}

/** One kind of line end, and no NUL: what every reader below may rely on. */
export function normalizeText(text: string): string {
  if (!text.includes('\r') && !text.includes('\0')) return text;
  return text.replace(/\r\n?/g, '\n').replaceAll('\0', '\ufffd');
}

/** Nodes of a whole text. Their keys depend on the text alone, never on how it arrived. */
export function compileDocument(whole: string, options: GrammarOptions): TextNode[] {
  const key = `${options.breaks ? 'b' : 'p'}${whole}`;
  const known = documents.get(key);
  if (known) return known;
  const links: Links = {};
  const pieces = cutPieces(normalizeText(whole), options, links);
  const nodes = pieces.flatMap((piece) => compileBlock(piece.raw, { options, links }));
  documents.set(key, nodes, whole.length * 2 + nodes.length * 16);
  return nodes;
}

/** `made`, with each node that equals the one in its place in `before` replaced by that one, so that React sees no change. */
export function sameNodes(made: TextNode[], before: readonly TextNode[]): TextNode[] {
  return made.map((node, at) => {
    const old = before[at];
    return old && old.key === node.key && old.kind === node.kind && !('part' in old) ? old : node;
  });
}
