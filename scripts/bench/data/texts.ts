// Texts of messages: five kinds of real-looking paragraphs in a seeded pool, joined to lengths as they are met in practice.
import type { Random } from './random';
import { chinese, english, japanese, names, russian } from './words';

export type Texts = { prompt(): string; answer(): string };

export type Kind = 'en' | 'code' | 'ru' | 'zh' | 'ja';
/** Shares of the kinds over all text. */
const kinds: readonly Kind[] = ['en', 'en', 'en', 'en', 'en', 'code', 'code', 'ru', 'zh', 'ja'];
const poolSize = 1200;

export function makeTexts(random: Random, among: readonly Kind[] = kinds): Texts {
  const pools = {
    en: pool(random, 'en'),
    code: pool(random, 'code'),
    ru: pool(random, 'ru'),
    zh: pool(random, 'zh'),
    ja: pool(random, 'ja'),
  };
  const text = (characters: number): string => {
    const kind = among[random.between(0, among.length - 1)] ?? 'en';
    const paragraphs: string[] = [];
    let length = 0;
    while (length < characters) {
      const paragraph = pools[kind][random.between(0, poolSize - 1)] ?? '';
      paragraphs.push(paragraph);
      length += paragraph.length + 2;
    }
    const whole = paragraphs.join('\n\n');
    // Code is not cut: an open fence would swallow what follows.
    return kind === 'code' ? whole : whole.slice(0, Math.max(characters, 12)).trimEnd();
  };
  const lengthAround = (typical: number, least: number, most: number) =>
    Math.round(Math.min(most, Math.max(least, typical * Math.exp(0.95 * random.normal()))));
  return { prompt: () => text(lengthAround(120, 8, 6_000)), answer: () => text(lengthAround(440, 20, 16_000)) };
}

function pool(random: Random, kind: Kind): string[] {
  return Array.from({ length: poolSize }, () => paragraph(random, kind));
}

function paragraph(random: Random, kind: Kind): string {
  switch (kind) {
    case 'code':
      return code(random);
    case 'zh':
      return sentences(random, chinese, '', '。');
    case 'ja':
      return sentences(random, japanese, '', '。');
    case 'ru':
      return marked(random, sentences(random, russian, ' ', '. '));
    case 'en':
      return marked(random, sentences(random, english, ' ', '. '));
  }
}

function sentences(random: Random, words: readonly string[], space: string, stop: string): string {
  const count = random.between(1, 5);
  return Array.from({ length: count }, () => {
    const sentence = Array.from({ length: random.between(5, 16) }, () => random.pick(words)).join(space);
    return sentence.charAt(0).toUpperCase() + sentence.slice(1);
  })
    .join(stop)
    .concat(stop)
    .trim();
}

/** Some paragraphs are headings, lists or quotations, as in answers of models. */
function marked(random: Random, text: string): string {
  const share = random.next();
  if (share < 0.06) return `## ${text.split('. ')[0]}`;
  if (share < 0.2) {
    return text
      .split('. ')
      .map((item) => `- **${item.split(' ')[0]}**: ${item}`)
      .join('\n');
  }
  if (share < 0.24) return `> ${text}`;
  return text;
}

function code(random: Random): string {
  const name = () => random.pick(names);
  const lines = Array.from({ length: random.between(3, 14) }, () => {
    const indent = '  '.repeat(random.between(0, 2));
    return random.next() < 0.2
      ? `${indent}// ${random.pick(english)} ${random.pick(english)} ${random.pick(english)}`
      : `${indent}const ${name()}${random.between(1, 99)} = ${name()}(${name()}, ${random.between(0, 4096)});`;
  });
  return `${sentences(random, english, ' ', '. ')}\n\n\`\`\`ts\n${lines.join('\n')}\n\`\`\``;
}
