// An open paragraph: sentences that nothing later can change settle into pieces of their own.
import { type CompileContext, compileBlock } from '../compile';
import { readBlocks } from '../grammar';
import { heal } from '../heal';
import type { TextNode } from '../nodes';
import { longBlock, type OpenBlock } from './openBlock';
import { safeCut } from './safeCut';

/** Marks nodes as pieces that go on without a gap. */
function asParts(nodes: TextNode[]): TextNode[] {
  return nodes.map((node) => (node.kind === 'html' ? { ...node, part: true } : node));
}

export function openParagraph(start: number, context: CompileContext): OpenBlock {
  const settled: TextNode[] = [];
  let at = start;
  let tail = '';
  return {
    update(text) {
      tail = text.slice(at);
      // An unfinished line decides nothing: "- " may become a list and "-x" may not.
      const whole = tail.slice(0, tail.lastIndexOf('\n') + 1);
      if (whole) {
        const blocks = readBlocks(whole, context.options, { ...context.links });
        if (blocks.length !== 1 || blocks[0]?.type !== 'paragraph') return false;
      }
      while (tail.length > longBlock) {
        const cut = safeCut(tail, context);
        if (cut <= 0) break;
        settled.push(...asParts(compileBlock(tail.slice(0, cut), context, { keep: false })));
        at += cut;
        tail = text.slice(at);
      }
      return true;
    },
    nodes: () => [...settled, ...asParts(compileBlock(heal(tail), context, { keep: false }))],
  };
}
