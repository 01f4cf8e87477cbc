// An open block of raw HTML: cut between tags; each piece is wrapped in the tags that were open at its start and sanitized by itself.
import type { TextNode } from '../nodes';
import { followTags, type OpenTag } from '../pieces';
import { sanitizeHtml } from '../sanitize';
import type { OpenBlock } from './openBlock';

const followed = new Set(
  'a b i u s em strong code pre kbd sub sup small span div p ul ol li dl dt dd table thead tbody tfoot tr td th caption details blockquote section center figure h1 h2 h3 h4 h5 h6'.split(
    ' ',
  ),
);
const depthLimit = 24;
/** Every piece is parsed and sanitized anew with each chunk until it is cut off, so pieces are short. */
const longPiece = 700;

/** What ends this kind of HTML block. */
function ending(head: string): RegExp {
  if (head.startsWith('<!--')) return /-->/g;
  const raw = /^<(script|pre|style|textarea)[\s>]/i.exec(head)?.[1];
  return raw ? new RegExp(`</${raw}>`, 'gi') : /\n[ \t]*\n/g;
}

function cutAt(source: string): number {
  const from = source.length - longPiece / 3;
  const line = source.lastIndexOf('>\n', from);
  if (line > 200) return line + 2;
  const tag = source.lastIndexOf('>', from);
  if (tag > 200) return tag + 1;
  // Text without any tag: between words, and never inside a tag.
  const space = source.lastIndexOf(' ', from);
  const inTag = source.lastIndexOf('<', from) > source.lastIndexOf('>', from);
  return space > 200 && (!inTag || source.length > longPiece * 6) ? space + 1 : 0;
}

export function openHtml(text: string, start: number): OpenBlock {
  const end = ending(text.slice(start, start + 40).trimStart());
  const settled: TextNode[] = [];
  const open: OpenTag[] = [];
  let scanned = start;
  let at = start;
  let tail = '';
  const draw = (piece: string): TextNode => {
    const html = sanitizeHtml(
      open
        .slice(-depthLimit)
        .map((one) => one.raw)
        .join('') + piece,
    );
    return { kind: 'html', key: `html ${at} ${piece.length}`, html, math: [], part: true };
  };
  return {
    update(source) {
      end.lastIndex = scanned;
      if (end.test(source)) return false;
      scanned = Math.max(start, source.length - 80);
      tail = source.slice(at);
      while (tail.length > longPiece) {
        const cut = cutAt(tail);
        if (cut <= 0) break;
        const piece = tail.slice(0, cut);
        settled.push(draw(piece));
        followTags(piece, open, followed);
        at += cut;
        tail = source.slice(at);
      }
      return true;
    },
    nodes: () => [...settled, draw(tail.replace(/<[^<>]*$/, ''))],
  };
}
