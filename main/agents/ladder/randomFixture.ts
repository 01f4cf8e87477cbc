// Numbers and texts from a seed, the same each time, for rough and long runs.

/** Numbers in [0, 1). */
export function randomOf(seed: number): () => number {
  let at = seed * 2654435761 + 1;
  return () => {
    at = (Math.imul(at ^ (at >>> 15), 2246822519) + 0x9e3779b9) >>> 0;
    return ((at ^ (at >>> 13)) >>> 0) / 4294967296;
  };
}

const vocabulary =
  'the a of to in that this it is was for on with as be at by we so not or from which one all there when file line test value name call type list path build error check change before after while should because module function server request answer window index cache token message branch commit reader writer record page count order number'.split(
    ' ',
  );

/** Words in no order, so that pages of them take the bytes that prose takes. */
export function prose(seed: number, tokens: number): string {
  const random = randomOf(seed);
  return `${Array.from({ length: tokens }, () => vocabulary[Math.floor(random() * vocabulary.length)] ?? '').join(' ')}.`;
}
