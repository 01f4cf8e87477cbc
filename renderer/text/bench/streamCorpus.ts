// Seeded texts for the streaming benchmark: what models write, and one block of each kind that grows to the full size.

const words =
  'parser tree branch message window token memory stream commit index cache query block layout frame worker schema adapter retry budget context snapshot pointer boundary durable append vector'.split(
    ' ',
  );

/** Small seeded generator (mulberry32), so that every run streams the same text. */
export function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

function sentence(random: () => number): string {
  const length = 7 + Math.floor(random() * 12);
  const made = Array.from({ length }, () => words[Math.floor(random() * words.length)] ?? 'word');
  const at = Math.floor(random() * length);
  const marked = random();
  if (marked < 0.2) made[at] = `**${made[at]}**`;
  else if (marked < 0.4) made[at] = `\`${made[at]}()\``;
  else if (marked < 0.45) made[at] = `[${made[at]}](https://example.org/${made[at]})`;
  const text = made.join(' ');
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

function sentences(random: () => number, count: number): string {
  return Array.from({ length: count }, () => sentence(random)).join(' ');
}

function codeLine(random: () => number): string {
  const pick = () => words[Math.floor(random() * words.length)] ?? 'word';
  return `${'  '.repeat(Math.floor(random() * 3))}const ${pick()} = ${pick()}(${pick()}, ${Math.floor(random() * 100)});`;
}

function section(random: () => number, number: number): string {
  const parts = [`## ${number}. ${sentence(random)}`, sentences(random, 3)];
  const kind = number % 4;
  if (kind === 0) parts.push(`\`\`\`ts\n${Array.from({ length: 14 }, () => codeLine(random)).join('\n')}\n\`\`\``);
  else if (kind === 1) parts.push(Array.from({ length: 6 }, () => `- ${sentence(random)}`).join('\n'));
  else if (kind === 2)
    parts.push(
      `| name | value | note |\n| --- | ---: | --- |\n${Array.from({ length: 5 }, (_, row) => `| ${words[row]} | ${number + row} | ${words[row + 5]} |`).join('\n')}`,
    );
  else parts.push(Array.from({ length: 5 }, (_, row) => `${row + 1}. ${sentence(random)}`).join('\n'), `> ${sentence(random)}`);
  parts.push(sentences(random, 2));
  return parts.join('\n\n');
}

function upTo(size: number, next: (number: number) => string, join: string, head = ''): string {
  const parts = [];
  let length = head.length;
  for (let number = 1; length < size; number++) {
    const part = next(number);
    parts.push(part);
    length += part.length + join.length;
  }
  return (head + parts.join(join)).slice(0, size);
}

export type CorpusKind = 'typical' | 'fence' | 'paragraph' | 'html' | 'list' | 'plain';
export const corpusKinds: readonly CorpusKind[] = ['typical', 'fence', 'paragraph', 'html', 'list'];

/** `size` characters of one kind; all but `typical` and `plain` are one single block. */
export function makeCorpus(kind: CorpusKind, size: number, seed = 7): string {
  const random = seeded(seed);
  switch (kind) {
    case 'typical':
      return upTo(size, (number) => section(random, number), '\n\n');
    case 'fence':
      return upTo(size, () => codeLine(random), '\n', '```ts\n');
    case 'paragraph':
      return upTo(size, () => sentence(random), ' ');
    case 'html':
      return upTo(size, (number) => `<p>${sentence(random)} <b>${number}</b></p>`, '\n', '<div align="center">\n');
    case 'list':
      return upTo(size, () => `- ${sentence(random)}`, '\n');
    case 'plain':
      return upTo(size, () => sentences(random, 4), '\n\n');
  }
}
