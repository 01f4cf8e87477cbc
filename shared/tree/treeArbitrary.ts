// Random trees and random damage, for property tests here and in the store.
import fc from 'fast-check';
import type { Bone } from './derive';

/** A sound tree: each message is a root or hangs under an earlier one; deep and bushy shapes alike. */
export const randomTree: fc.Arbitrary<Bone[]> = fc
  .array(fc.oneof({ arbitrary: fc.constant(1), weight: 3 }, { arbitrary: fc.nat(60), weight: 2 }), { minLength: 1, maxLength: 60 })
  .map((backs) =>
    backs.map((back, index) => {
      const parent = index - back;
      return { seq: index + 1, id: `m${index}`, parentId: parent >= 0 && parent < index ? `m${parent}` : null };
    }),
  );

/** Any parents at all: rings, self-parents and missing ones among them. Order of creation is not the order of the list. */
export const randomSkeleton: fc.Arbitrary<Bone[]> = fc.integer({ min: 1, max: 30 }).chain((size) =>
  fc
    .tuple(
      fc.array(fc.oneof(fc.constant(null), fc.nat(size + 3)), { minLength: size, maxLength: size }),
      fc.shuffledSubarray(
        Array.from({ length: size }, (_, index) => index),
        { minLength: size, maxLength: size },
      ),
    )
    .map(([parents, order]) =>
      parents.map((parent, index) => ({
        seq: (order[index] ?? index) + 1,
        id: `m${index}`,
        parentId: parent === null ? null : `m${parent}`,
      })),
    ),
);

/** One path, `m0` at the root. */
export const tallTree = (size: number): Bone[] =>
  Array.from({ length: size }, (_, index) => ({ seq: index + 1, id: `m${index}`, parentId: index === 0 ? null : `m${index - 1}` }));
