// What an answer is worth: the value that holds, an honest "I do not know", or something else. Pure.
import { type Fact, type Kind, kinds } from './facts';

export type Verdict = 'kept' | 'honest' | 'wrong' | 'failed';
export type Answer = { fact: Fact; text: string; verdict: Verdict };
export type Tally = Record<Verdict, number>;

const honest =
  /\b(?:do not|don[’']t|cannot|can[’']t|could not|couldn[’']t|no longer) (?:know|have|recall|remember|find|see|say|tell|answer)\b|\bno (?:record|information|mention)\b|\bnot (?:mentioned|specified|known|available|sure)\b|\bunknown\b/i;

/** The value counts where the one that it replaced is not named beside it. A directive is kept where it was followed. */
export function verdictOf({ kind, value, was }: Fact, answer: string): Verdict {
  const said = answer.toLowerCase();
  const holds = contains(said, value);
  if (holds && (was === undefined || !contains(said, was.value))) return 'kept';
  if (kind !== 'directive' && !holds && (was === undefined || !contains(said, was.value)) && honest.test(answer)) return 'honest';
  return 'wrong';
}

/** As a word of its own: `48213` is not in `148213`. */
function contains(said: string, value: string): boolean {
  const wanted = value.toLowerCase();
  for (let at = said.indexOf(wanted); at >= 0; at = said.indexOf(wanted, at + 1)) {
    const around = `${said[at - 1] ?? ' '}${said[at + wanted.length] ?? ' '}`;
    if (!/[\p{L}\p{N}]/u.test(around)) return true;
  }
  return false;
}

export function tally(answers: readonly Answer[]): Record<Kind | 'all', Tally> {
  const count = (of: readonly Answer[]): Tally => {
    const found: Tally = { kept: 0, honest: 0, wrong: 0, failed: 0 };
    for (const { verdict } of of) found[verdict]++;
    return found;
  };
  const byKind = kinds.map((kind) => [kind, count(answers.filter(({ fact }) => fact.kind === kind))]);
  return { ...(Object.fromEntries(byKind) as Record<Kind, Tally>), all: count(answers) };
}
