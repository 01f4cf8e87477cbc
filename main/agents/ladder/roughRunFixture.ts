// Runs as they go wrong, from a seed: results of any size, long prompts, a summarizer that fails or floods, a server that counts otherwise than the
// estimate or reports nothing, and a window that turns out smaller on the way.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Recorded, type ScriptedServer, type Step, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { listFailedTurns } from '../../store/failedTurns';
import { helper, makeTurnFixture, type TurnFixture } from '../agentsFixture';
import { dialects } from './dialectsFixture';
import { randomOf } from './randomFixture';

export type RoughOptions = {
  seed: number;
  steps: number;
  window: number;
  /** From this step on the server takes no more than that. */
  shrinks?: { at: number; window: number } | undefined;
  bodyLimit?: number | undefined;
  /** Tokens by the server's count in one of the estimate. */
  counts: number;
  reports: 'nothing' | 'half' | 'all' | 'double';
  cards: 'good' | 'flood' | 'broken' | 'silent';
  /** Tokens of the largest result and of the largest prompt. */
  result: number;
  prompt: number;
};

export type RoughRun = {
  steps: number;
  refused: number;
  cards: number;
  failures: { code: string; parts: string[] }[];
  records: MemoryRecord[];
  /** Requests that were sent again as they were after a refusal. */
  repeated: number;
  notices: string[];
};

export async function runRough(options: RoughOptions): Promise<RoughRun> {
  const server = await startScriptedServer();
  const fixture = await makeTurnFixture(`${server.url}/v1`, {
    agents: [{ ...helper, tools: ['read_file', 'recall'], approval: 'auto-edit' }],
    compaction: { summaryMode: 'simple' },
  });
  const model = { id: 'm1', contextWindow: options.window, maxOutput: 500, ...(options.bodyLimit ? { bodyLimit: options.bodyLimit } : {}) };
  Object.assign(fixture.settings.providers[0] ?? {}, { models: [model] });
  try {
    return await live(fixture, server, options);
  } finally {
    await fixture.close();
    await server.close();
    fixture.remove();
  }
}

async function live(fixture: TurnFixture, server: ScriptedServer, options: RoughOptions): Promise<RoughRun> {
  const random = randomOf(options.seed);
  const model = new RoughModel(fixture, options, random);
  server.script('POST /v1/chat/completions', (request) => model.answer(request));
  let id: ConversationId | null = null;
  const notices: string[] = [];
  for (let turn = 1; model.steps < options.steps && turn <= options.steps; turn++) {
    const after = fixture.events.length;
    const size = random() < 0.15 ? options.prompt * random() : 20;
    const text = `Part ${turn}. ${words(size, `p${turn}`)}`;
    const started = fixture.scheduler.start({ conversationId: id, text, attachments: [], agentId: null });
    id = started.conversationId;
    model.left = Math.ceil(random() * 12);
    await fixture.event('stepEnded', (event) => !event.goesOn && fixture.events.indexOf(event) >= after);
    notices.push(...fixture.events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : [])));
    fixture.events.length = 0;
    server.requests.length = 0;
  }
  const conversationId = id as ConversationId;
  const failures = listFailedTurns(fixture.db, { conversationId }).map(({ failure }) => ({
    code: failure.code,
    parts: failure.detail?.parts?.map(({ name, tokens }) => `${name} ${tokens}`) ?? [failure.message],
  }));
  const records = [...fixture.transcripts.open({ conversationId, agentId: helper.id }).standing.records.values()];
  const { steps, refused, cards, repeated } = model;
  return { steps, refused, cards, repeated, failures, records, notices };
}

class RoughModel {
  steps = 0;
  refused = 0;
  repeated = 0;
  cards = 0;
  /** Calls of this turn. */
  left = 0;
  #lastRefused = '';
  readonly #fixture: TurnFixture;
  readonly #options: RoughOptions;
  readonly #random: () => number;

  constructor(fixture: TurnFixture, options: RoughOptions, random: () => number) {
    this.#fixture = fixture;
    this.#options = options;
    this.#random = random;
  }

  answer({ body }: Recorded): Step[] {
    const { counts, shrinks, bodyLimit } = this.#options;
    if (body.includes('You keep the state card')) return this.#card();
    const window = shrinks && this.steps >= shrinks.at ? shrinks.window : this.#options.window;
    const estimate = dialects.chat.textsOf(body).reduce((sum, text) => sum + 4 + estimateTokens(text), 0);
    const tokens = Math.ceil(estimate * counts);
    if (body === this.#lastRefused) this.repeated += 1;
    const refusal =
      bodyLimit && body.length > bodyLimit
        ? dialects.chat.tooManyBytes()
        : tokens > window
          ? dialects.chat.tooManyTokens(tokens, window)
          : null;
    if (refusal) {
      this.refused += 1;
      this.#lastRefused = body;
      return refusal;
    }
    this.steps += 1;
    return this.#step(tokens);
  }

  #step(tokens: number): Step[] {
    const factor = { nothing: 0, half: 0.5, all: 1, double: 2 }[this.#options.reports];
    const usage = factor === 0 ? undefined : { usage: { prompt_tokens: Math.ceil(tokens * factor), completion_tokens: 40 } };
    if (this.left-- <= 0) return chatStream([`Done with step ${this.steps}.`], usage);
    const path = `f${this.steps}.txt`;
    const size = this.#random() < 0.1 ? this.#options.result : this.#options.result * this.#random() ** 4;
    writeFileSync(join(this.#fixture.workspace, path), `${words(18, `r${this.steps}`)}\n`.repeat(Math.max(1, Math.round(size / 20))));
    const said = words(this.#random() ** 3 * 800, `s${this.steps}`);
    return chatCalls([{ id: `c${this.steps}`, name: 'read_file', arguments: JSON.stringify({ path }) }], [said]);
  }

  #card(): Step[] {
    this.cards += 1;
    switch (this.#options.cards) {
      case 'good':
        return chatStream([`## Task\nWork.\n\n## Completed\n### To step ${this.steps}\nRead.\n\n## Next step\nGo on.`]);
      case 'flood':
        return chatStream([`## Task\n${'All of it again and again. '.repeat(4000)}`]);
      case 'broken':
        return chatError(500, 'out of order');
      case 'silent':
        return chatStream(['']);
    }
  }
}
