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
const melting = /[\p{M}\uff9e\uff9f\u1100-\u11ff\u3131-\u318e\ua960-\ua97f\ud7b0-\ud7ff\uffa0-\uffdc]/u;
const melts = new Map<number, boolean>();
/** Single characters folded before: nearly all of a text are of a few. */
const single = new Map<number, string>();

function doesMelt(code: number): boolean {
  if (code < 0x300) return false;
  let known = melts.get(code);
  if (known === undefined) {
    known = melting.test(String.fromCodePoint(code));
    melts.set(code, known);
  }
  return known;
}

function foldOne(code: number): string {
  let known = single.get(code);
  if (known === undefined) {
    known = foldForSearch(String.fromCodePoint(code));
    single.set(code, known);
  }
  return known;
}

const widthOf = (code: number) => (code > 0xffff ? 2 : 1);

/** The same text, and where in `text` each of its characters comes from (one more entry for the end); null stands for "in its place". */
export function foldWithPlaces(text: string): { folded: string; places: Uint32Array | null } {
  if (ascii.test(text)) return { folded: text.toLowerCase(), places: null };
  let folded = '';
  const places: number[] = [];
  for (let at = 0; at < text.length; ) {
    const code = text.codePointAt(at) ?? 0;
    let end = at + widthOf(code);
    const alone = end >= text.length || !doesMelt(text.codePointAt(end) ?? 0);
    while (end < text.length) {
      const next = text.codePointAt(end) ?? 0;
      if (!doesMelt(next)) break;
      end += widthOf(next);
    }
    const made = alone ? foldOne(code) : foldForSearch(text.slice(at, end));
    const inPlace = made.length === end - at;
    for (let place = 0; place < made.length; place++) places.push(at + (inPlace ? place : 0));
    folded += made;
    at = end;
  }
  places.push(text.length);
  return { folded, places: Uint32Array.from(places) };
}
