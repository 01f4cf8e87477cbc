// Messages of a request counted by a tokenizer where the model's is known, once each and in a thread: until then they weigh what is estimated (N10).
import type { BuiltMessage } from '../../context/pathMessage';
import { noteExact, textsToCount } from '../../context/requestSize';
import { encodingOf } from '../../context/tokens/exact';
import type { TokenCounter } from '../../context/tokens/tokenCounter';
import type { Logger } from '../../lib/logger';
import type { Standpoint } from '../answering';

/** Characters of one job: a tenth of a second of the thread. */
const mostCharacters = 1_000_000;

export class ExactCounts {
  readonly #counter: TokenCounter;
  readonly #logger: Logger;
  #busy = false;

  constructor(counter: TokenCounter, logger: Logger) {
    this.#counter = counter;
    this.#logger = logger;
  }

  /** Begins to count what of this request was not; a long past is counted over several requests, the newest first. */
  learn({ context, model }: Pick<Standpoint, 'context' | 'model'>): Promise<void> {
    const encoding = encodingOf(model.id);
    if (encoding === null || this.#busy) return Promise.resolve();
    const job = nextJob(context.sent);
    if (job.length === 0) return Promise.resolve();
    this.#busy = true;
    const texts = job.flatMap(({ sent, reasoning }) => [...sent, ...reasoning]);
    return this.#counter
      .countTokens(texts, encoding)
      .then((counts) => keep(job, counts))
      .catch((cause: unknown) => this.#logger.log('warn', 'tokens were not counted', { cause }))
      .finally(() => {
        this.#busy = false;
      });
  }
}

type Counted = { one: BuiltMessage; sent: string[]; reasoning: string[] };

function nextJob(all: readonly BuiltMessage[]): Counted[] {
  const job: Counted[] = [];
  let characters = 0;
  for (let at = all.length - 1; at >= 0 && characters < mostCharacters; at--) {
    const one = all[at];
    const texts = one && textsToCount(one);
    if (!one || !texts || texts.isDone) continue;
    job.push({ one, sent: texts.sent, reasoning: texts.reasoning });
    characters += [...texts.sent, ...texts.reasoning].reduce((sum, text) => sum + text.length, 0);
  }
  return job;
}

function keep(job: readonly Counted[], counts: readonly number[]): void {
  let at = 0;
  const next = (texts: readonly string[]) => texts.reduce((sum) => sum + (counts[at++] ?? 0), 0);
  for (const { one, sent, reasoning } of job) noteExact(one, { sent: next(sent), reasoning: next(reasoning) });
}
