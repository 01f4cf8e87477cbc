// Which of many identifiers stand somewhere in a long text, in one walk over it. Compared by tokens (runs of letters, runs of digits, single
// marks), so that 12 is not found in 123 and blanks do not count. Pure.

const token = /\p{N}+|\p{L}+|[^\s\p{L}\p{N}]/gu;

/** Flat, since there may be a hundred thousand identifiers: (node, token) → node. Node 0 is the root, token 0 is in no identifier. */
type Trie = { numbers: Map<string, number>; next: Map<number, number>; ends: Map<number, string[]> };

const tokensOf = (text: string): string[] => text.match(token) ?? [];
/** Tokens of any trie are fewer. */
const span = 2 ** 26;

export function presentIn(ids: ReadonlySet<string>, texts: readonly string[]): Set<string> {
  const found = new Set<string>();
  const trie = trieOf(ids);
  for (const text of texts) {
    if (found.size === ids.size) break;
    walk(trie, text, found);
  }
  return found;
}

function trieOf(ids: ReadonlySet<string>): Trie {
  const trie: Trie = { numbers: new Map(), next: new Map(), ends: new Map() };
  let nodes = 0;
  for (const id of ids) {
    let node = 0;
    for (const word of tokensOf(id)) {
      let number = trie.numbers.get(word);
      if (number === undefined) {
        number = trie.numbers.size + 1;
        trie.numbers.set(word, number);
      }
      const step = node * span + number;
      node = trie.next.get(step) ?? ++nodes;
      trie.next.set(step, node);
    }
    trie.ends.set(node, [...(trie.ends.get(node) ?? []), id]);
  }
  return trie;
}

function walk({ numbers, next, ends }: Trie, text: string, found: Set<string>): void {
  const tokens = tokensOf(text).map((word) => numbers.get(word) ?? 0);
  for (let start = 0; start < tokens.length; start++) {
    let node = 0;
    for (let at = start; at < tokens.length; at++) {
      const number = tokens[at];
      const step = number === undefined || number === 0 ? undefined : next.get(node * span + number);
      if (step === undefined) break;
      node = step;
      for (const id of ends.get(node) ?? []) found.add(id);
    }
  }
}
