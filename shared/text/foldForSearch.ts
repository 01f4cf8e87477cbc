// One way to compare words a person types with words on record: case, accents, width and ё/е do not matter.

/** Folds `text` for `includes`: NFKD without combining marks of Latin, Greek and Cyrillic, lower case. Kana keep their voicing marks. */
export function foldForSearch(text: string): string {
  return text
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFKC')
    .toLowerCase();
}
