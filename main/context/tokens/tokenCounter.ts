// Exact token counts off the main thread (N10): texts that were counted before are not sent again.
import { createHash } from 'node:crypto';
import type { Encoding } from './exact';

export type CountJob = { encoding: Encoding; texts: readonly string[] };
export type TokenCounter = {
  /** In the order of the texts. Rejects only when the thread itself breaks. */
  countTokens(texts: readonly string[], encoding?: Encoding): Promise<number[]>;
};

/** Some hundred bytes each. */
const maxKnown = 20_000;
/** Shorter texts are their own name. */
const longName = 64;

/** `ask` sends a job to the thread of `main/workers/tokens.ts`. */
export function createTokenCounter(ask: (job: CountJob) => Promise<unknown>): TokenCounter {
  const known = new Map<string, Promise<number>>();
  const keep = (name: string, count: Promise<number>) => {
    known.delete(name);
    known.set(name, count);
    const oldest = known.size > maxKnown ? known.keys().next().value : undefined;
    if (oldest !== undefined) known.delete(oldest);
  };
  return {
    countTokens(texts, encoding = 'o200k') {
      const counts = new Map<string, Promise<number>>();
      const fresh = new Map<string, string>();
      const names = texts.map((text) => nameOf(encoding, text));
      for (const [at, name] of names.entries()) {
        const count = known.get(name);
        if (count !== undefined) counts.set(name, count);
        else fresh.set(name, texts[at] ?? '');
      }
      if (fresh.size > 0) {
        const asked = ask({ encoding, texts: [...fresh.values()] }).then((value) => asNumbers(value, fresh.size));
        for (const [at, name] of [...fresh.keys()].entries()) counts.set(name, countAt(asked, at));
      }
      for (const [name, count] of counts) {
        keep(name, count);
        // What could not be counted is asked for again; the caller hears of the failure.
        if (fresh.has(name)) count.catch(() => known.get(name) === count && known.delete(name));
      }
      return Promise.all(names.map((name) => counts.get(name) ?? 0));
    },
  };
}

async function countAt(asked: Promise<number[]>, at: number): Promise<number> {
  return (await asked)[at] ?? 0;
}

function nameOf(encoding: Encoding, text: string): string {
  return `${encoding} ${text.length <= longName ? text : createHash('sha256').update(text).digest('base64')}`;
}

function asNumbers(value: unknown, length: number): number[] {
  if (!Array.isArray(value) || value.length !== length || !value.every((one) => typeof one === 'number'))
    throw new Error('the token thread answered with something else');
  return value;
}
