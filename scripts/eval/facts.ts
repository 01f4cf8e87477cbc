// What is planted in a conversation and asked for afterwards, kind by kind. Seeded: the same run plants the same facts. Pure.
import { type Random, seeded } from '../bench/data/random';

export const kinds = ['early', 'contradicted', 'directive', 'identifier', 'task', 'result'] as const;
export type Kind = (typeof kinds)[number];

/** `says`: the sentence that plants it. `was`: what was said before it and holds no longer. */
export type Fact = { kind: Kind; says: string; question: string; value: string; was?: { says: string; value: string } };

const nouns = [
  'harbour',
  'workshop',
  'archive',
  'kitchen',
  'greenhouse',
  'library',
  'tower',
  'garden',
  'bakery',
  'station',
  'museum',
  'quarry',
];
const adjectives = ['northern', 'old', 'green', 'upper', 'quiet', 'western', 'small', 'red', 'lower', 'bright', 'eastern', 'long'];

export const mostFacts = nouns.length;

/** `count` of each kind. */
export function factsOf(run: number, count: number): Fact[] {
  const random = seeded(run + 1);
  return kinds.flatMap((kind) => Array.from({ length: Math.min(count, mostFacts) }, (_, at) => makers[kind](placeOf(kind, at), random)));
}

/** No two facts are about the same thing. */
function placeOf(kind: Kind, at: number): string {
  const shift = kinds.indexOf(kind) * 5;
  return `${adjectives[(at + shift) % adjectives.length]} ${nouns[at % nouns.length]}`;
}

const digits = (random: Random, length: number) => Array.from({ length }, () => random.between(0, 9)).join('');
const letters = (random: Random, length: number) => Array.from({ length }, () => 'BCDFGHKLMNPRSTVXZ'[random.between(0, 16)]).join('');
const hex = (random: Random, length: number) => Array.from({ length }, () => '0123456789abcdef'[random.between(0, 15)]).join('');

/** As said by a person, an answer, a task list or a file: always `the NAME is VALUE`. */
const plain = (kind: Kind, name: string, value: string): Fact => ({
  kind,
  says: `The ${name} is ${value}.`,
  question: `What is the ${name}?`,
  value,
});

const makers: Record<Kind, (place: string, random: Random) => Fact> = {
  early: (place, random) => plain('early', `door code of the ${place}`, `${digits(random, 4)}-${letters(random, 3)}`),
  contradicted: (place, random) => {
    const name = `keeper of the ${place}`;
    const value = `${letters(random, 2)}-${digits(random, 3)}`;
    const was = `${letters(random, 2)}-${digits(random, 3)}`;
    return {
      ...plain('contradicted', name, value),
      says: `I have to correct myself. The ${name} is ${value}.`,
      was: { says: `The ${name} is ${was}.`, value: was },
    };
  },
  directive: (place, random) => {
    const mark = `${letters(random, 2)}${digits(random, 2)}`;
    const fact = plain('directive', `height of the ${place}`, `${digits(random, 2)}.5 metres`);
    return { ...fact, says: `From now on end every answer about the ${place} with the mark ${mark}. ${fact.says}`, value: mark };
  },
  identifier: (place, random) => {
    const made = [hex(random, 12), `/srv/${letters(random, 4).toLowerCase()}/plan-${digits(random, 3)}.yaml`, `${digits(random, 5)}`];
    return plain('identifier', `build id of the ${place}`, made[random.between(0, 2)] ?? '');
  },
  task: (place, random) => plain('task', `part still to be ordered for the ${place}`, `P-${digits(random, 5)}`),
  result: (place, random) => plain('result', `checksum of the ${place}`, hex(random, 10)),
};
