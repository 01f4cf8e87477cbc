// N10: exact counts in the program's thread beside prose of the same length, and the estimate beside reading every character.
import { fileURLToPath } from 'node:url';
import { createTokenCounter } from '../../../main/context/tokens/tokenCounter';
import { openAskedWorker } from '../../../main/lib/askedWorker';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { seeded } from '../data/random';
import { makeTexts } from '../data/texts';
import type { Measurement } from '../goals';
import { contest, type Effort } from '../measure';
import { compare, median, type Pair } from '../statistics';

const script = fileURLToPath(new URL('./tokens.mjs', import.meta.url));
const megabyte = 1_000_000;
const rounds = 12;

export async function measureTokens(effort: Effort): Promise<Measurement[]> {
  // The thread keeps no program running.
  const running = setInterval(() => undefined, 60_000);
  const worker = openAskedWorker(script, { workerData: undefined, idle: 600_000 });
  const { countTokens } = createTokenCounter(worker.ask);
  const timed = async (text: string) => {
    const begin = performance.now();
    await countTokens([text]);
    return performance.now() - begin;
  };
  try {
    const first = await timed('the first question');
    const texts = makeTexts(seeded(10));
    // No text twice: what was counted is known.
    const prose = () => {
      let text = '';
      while (text.length < megabyte) text += `${texts.answer()}\n\n`;
      return text.slice(0, megabyte);
    };
    const pairs: Pair[] = [];
    const characters = ['a', ' ', '-', '字', '\n', '0'];
    for (let round = 0; round < rounds; round++) {
      const floor = await timed(prose());
      pairs.push({ ours: await timed(`${round}${(characters[round % characters.length] ?? 'a').repeat(megabyte)}`), floor });
    }
    const proseTime = median(pairs.map(({ floor }) => floor));
    const chunk = texts.answer().slice(0, 200);
    const answers = prose();
    const estimate = contest({ ours: () => void estimateTokens(answers), floor: () => void readAll(answers) }, effort);
    const streamed = contest({ ours: () => void estimateTokens(chunk), floor: () => void readAll(chunk) }, effort);
    return [
      { id: 'N10', operation: 'exact count of 1 MB of unseen prose, in its thread', unit: 'ms', ours: proseTime, goal: { kind: 'none' } },
      {
        id: 'N10',
        operation: 'the same of one character; floor: of prose',
        unit: 'ms',
        ...compare(pairs),
        goal: { kind: 'ratio', max: 5 },
      },
      { id: 'N10', operation: 'the first question: thread and tokenizer', unit: 'ms', ours: first, goal: { kind: 'none' } },
      { id: 'N10', operation: 'estimate of 1 MB; floor: reading its characters', unit: 'ms', ...estimate, goal: { kind: 'none' } },
      {
        id: 'N10',
        operation: 'estimate of a streamed chunk of 200',
        unit: 'ms',
        ours: streamed.ours,
        goal: { kind: 'absolute', max: 0.1 },
      },
    ];
  } finally {
    await worker.close();
    clearInterval(running);
  }
}

/** What no pass over a text can do without. */
function readAll(text: string): number {
  let sum = 0;
  for (let index = 0; index < text.length; index++) sum += text.charCodeAt(index);
  return sum;
}
