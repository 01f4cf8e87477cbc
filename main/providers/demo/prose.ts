// Text to order: the same number of words gives the same words, so that tests can name them.

const sentences = [
  'A tree keeps every ring it has ever grown.',
  'The first branch leaves the trunk lower than most people would guess.',
  'Nothing is cut away when a new shoot appears beside an old one.',
  'In spring the sap rises again through wood that looked quite dead.',
  'You can follow one path from the root to a single leaf, and then another.',
  'Two branches may start from the same place and never meet again.',
  'The gardener ties a small label to the twig she wants to find later.',
  'Rain runs down the bark and leaves the inside dry.',
  'An old oak carries more weight on one side and does not mind.',
  'Some winters are long, and the rings of those years are thin.',
  'When the light moves, the leaves move with it.',
  'Whoever wants to climb back has to remember where the good holds were.',
  'A graft joins two histories without mixing them.',
  'The roots reach about as far as the crown, only nobody sees them.',
  'Birds do not ask which branch was there first.',
  'What falls in autumn feeds what grows in April.',
  'There is always one more bud than the frost can reach.',
  'The map of a tree is the tree itself, drawn smaller.',
] as const;

/** Exactly `count` words in paragraphs. */
export function prose(count: number): string {
  const random = seeded(count);
  const paragraphs: string[] = [];
  let paragraph: string[] = [];
  let left = count;
  while (left > 0) {
    const words = (sentences[Math.floor(random() * sentences.length)] ?? sentences[0]).split(' ').slice(0, left);
    left -= words.length;
    paragraph.push(left === 0 ? words.join(' ').replace(/[.,]?$/, '.') : words.join(' '));
    if (paragraph.length === 5 || left === 0) {
      paragraphs.push(paragraph.join(' '));
      paragraph = [];
    }
  }
  return paragraphs.join('\n\n');
}

/** mulberry32: small, well spread, the same everywhere. */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}
