// Random trees with turns in them, and outlines made from them, for property tests of the navigator.
import fc from 'fast-check';
import type { MessageId } from '../model/ids';
import type { Outline, OutlineTurn } from '../model/outline';
import type { OutlineBone, OutlineIndex, Run } from './outline';
import { randomTree } from './treeArbitrary';

/** Sound trees; prompts and answers as they come. */
export const randomTurns: fc.Arbitrary<OutlineBone[]> = randomTree.chain((bones) =>
  fc
    .array(fc.tuple(fc.constantFrom('user' as const, 'assistant' as const, 'assistant' as const, 'digest' as const), fc.nat(3)), {
      minLength: bones.length,
      maxLength: bones.length,
    })
    .map((made) =>
      bones.map((bone, at) => ({ ...bone, role: made[at]?.[0] ?? ('user' as const), turnId: made[at]?.[1] ? `t${made[at]?.[1]}` : null })),
    ),
);

/** The outline of an index with the lines that `shows` chooses beside the first and last. */
export function outlineOf(index: OutlineIndex, tipId: string | null, shows: (run: Run, at: number) => boolean = () => false): Outline {
  const runs = [...index.runs].sort((a, b) => a.first - b.first);
  const tip = tipId === null ? undefined : index.spot(tipId);
  return {
    messages: index.size,
    tip: tip ? { run: runs.indexOf(tip.run), at: tip.at } : null,
    runs: runs.map((run) => {
      const parent = index.parentRun(run);
      const lastAt = run.starts.length - 1;
      const shown = run.starts.flatMap((place, at): OutlineTurn[] => {
        const isShown = at === 0 || at === lastAt || shows(run, at) || (tip?.run === run && tip.at === at);
        const bone = index.bones[place];
        if (!isShown || !bone) return [];
        return [{ id: bone.id as MessageId, at, depth: index.depthAt(place), role: bone.role, text: bone.id, createdAt: bone.seq }];
      });
      return {
        id: (index.bones[run.first]?.id ?? '') as MessageId,
        parent: parent ? runs.indexOf(parent) : -1,
        turns: run.starts.length,
        shown,
      };
    }),
  };
}
