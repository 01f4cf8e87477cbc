// A block that is still being written and already long: each kind settles what it can, so that a chunk costs the same at 2 kB and at 50 kB.
import type { TextNode } from '../nodes';

export type OpenBlock = {
  /** Takes the whole text so far (only longer than before). False once the block has ended, or is not what it seemed. */
  update: (text: string) => boolean;
  /** What to show now; settled nodes keep their identity. */
  nodes: () => TextNode[];
};

/** Blocks shorter than this are simply read again. */
export const longBlock = 1_500;
