// Where a paragraph that is still being written can be cut so that nothing before the cut can change its meaning.
import type { CompileContext } from '../compile';
import { readTokens } from '../grammar';

const undecided = /[*~[<`]|(?<!\w)_|\$|\\[([]|https?:|www\./;
/** A paragraph that leaves a mark open for longer than this is cut at a space all the same. */
const patience = 6_000;
const wanted = 1_200;

function lastWordStart(text: string, from: number, to: number): number {
  const sentence = /[.!?…。！？]["'”’)]?\s+(?=\p{L})|[。！？]/gu;
  let found = -1;
  sentence.lastIndex = from;
  for (let hit = sentence.exec(text); hit && hit.index + hit[0].length <= to; hit = sentence.exec(text)) found = hit.index + hit[0].length;
  if (found > 0) return found;
  const word = /\s(?=\p{L}{2})/gu;
  word.lastIndex = from;
  for (let hit = word.exec(text); hit && hit.index < to; hit = word.exec(text)) found = hit.index + 1;
  return found;
}

/** Length of the part of `source` (an open paragraph) that may settle, or 0 when none may yet. */
export function safeCut(source: string, context: CompileContext): number {
  const block = readTokens(source, context.options, context.links)[0];
  if (block?.type !== 'paragraph' || !('tokens' in block)) return 0;
  const end = source.length - 200;
  let at = 0;
  let cut = -1;
  for (const token of block.tokens ?? []) {
    const stop = at + token.raw.length;
    if (token.type === 'text') {
      if (undecided.test(token.raw)) break;
      if (stop > wanted) cut = Math.max(cut, lastWordStart(source, Math.max(at, wanted), Math.min(stop, end)));
    }
    at = stop;
    if (at > end) break;
  }
  if (cut > 0) return cut;
  return source.length > patience ? Math.max(lastWordStart(source, wanted, end), 0) || end : 0;
}
