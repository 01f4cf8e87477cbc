// One way to compare words a person types with words on record: case, accents, width and ё/е do not matter.

const ascii = /^[\0-\x7f]*$/;
/** Soft hyphens, joiners and variation selectors: nobody sees or types them. */
const unseen = /\u00ad|\u034f|[\u200b-\u200f]|\u2060|[\ufe00-\ufe0f]|\ufeff|[\u{e0100}-\u{e01ef}]/gu;

/**
 * Folds `text` for `includes`: NFKD without combining marks of Latin, Greek and Cyrillic, lower case, quotation marks straight. Kana keep their
 * voicing marks.
 */
export function foldForSearch(text: string): string {
  if (ascii.test(text)) return text.toLowerCase();
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .replace(unseen, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/ς/g, 'σ')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"');
}

/** Characters that may melt into the one before them, so that a text must not be folded in two parts there: marks and Korean letters. */
const melts = '\\p{M}\\uff9e\\uff9f\\u1100-\\u11ff\\u3131-\\u318e\\ua960-\\ua97f\\ud7b0-\\ud7ff\\uffa0-\\uffdc';
const pieces = new RegExp(`[\\0-\\x7f]+(?![${melts}])|[^${melts}][${melts}]*|[${melts}]+`, 'gsu');

/** The same text, and where in `text` each of its characters comes from (one more entry for the end); null stands for "in its place". */
export function foldWithPlaces(text: string): { folded: string; places: Uint32Array | null } {
  if (ascii.test(text)) return { folded: text.toLowerCase(), places: null };
  const folded: string[] = [];
  const places: number[] = [];
  for (const { 0: piece, index } of text.matchAll(pieces)) {
    const made = foldForSearch(piece);
    folded.push(made);
    const inPlace = made.length === piece.length;
    for (let at = 0; at < made.length; at++) places.push(index + (inPlace ? at : 0));
  }
  places.push(text.length);
  return { folded: folded.join(''), places: Uint32Array.from(places) };
}
