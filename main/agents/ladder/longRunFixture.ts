// A long run against a server that enforces a window and a body limit, as a model would live through it: it reads, runs, decides, and is told
// things on the way that must never be lost. Used short by a test and long by the bench.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Recorded, type ScriptedServer, type Step, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { CompactionSettings } from '../../../shared/model/compaction';
import type { ConversationId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { estimateTokens } from '../../context/estimateTokens';
import { listFailedTurns } from '../../store/liveSteps';
import { helper, makeTurnFixture, type TurnFixture } from '../agentsFixture';

export type LongRunOptions = {
  steps: number;
  /** Steps of one turn; a new turn plants a directive. */
  turnSteps: number;
  window: number;
  bodyLimit: number;
  /** Tokens of a result, about. */
  resultTokens: number;
  /** How often the summarizing model fails or answers badly, in [0, 1]. */
  badCards: number;
  compaction?: CompactionSettings;
  /** Told after each step. */
  onStep?(step: number): void;
};

export type LongRun = {
  steps: number;
  turns: number;
  /** Tokens of all results and answers. */
  produced: number;
  requests: number;
  /** The largest request that was sent. */
  mostTokens: number;
  refused: number;
  failures: string[];
  records: MemoryRecord[];
  /** Directives that stand word for word in the last request. */
  directivesKept: number;
  directives: number;
  identifiers: { kept: number; total: number };
  /** Milliseconds between a request's answer and the next request, by step. */
  stepMs: number[];
};

const route = 'POST /v1/chat/completions';
const forCard = 'You keep the state card';

export async function runLong(options: LongRunOptions): Promise<LongRun> {
  const server = await startScriptedServer();
  const fixture = await makeTurnFixture(`${server.url}/v1`, {
    agents: [{ ...helper, tools: ['read_file', 'run_command', 'recall'], approval: 'auto-edit' }],
    compaction: options.compaction ?? {},
  });
  Object.assign(fixture.settings.providers[0] ?? {}, { models: [{ id: 'm1', contextWindow: options.window, maxOutput: 1000 }] });
  try {
    return await live(fixture, server, options);
  } finally {
    await fixture.close();
    await server.close();
    fixture.remove();
  }
}

async function live(fixture: TurnFixture, server: ScriptedServer, options: LongRunOptions): Promise<LongRun> {
  const model = new ScriptedModel(fixture, options);
  server.script(route, (request) => model.answer(request));
  let conversationId: ConversationId | null = null;
  const directives: string[] = [];
  while (model.steps < options.steps) {
    const directive = directiveOf(directives.length);
    directives.push(directive);
    const after = fixture.events.length;
    const started = fixture.scheduler.start({
      conversationId,
      text: `${directive} Now do part ${directives.length}.`,
      attachments: [],
      agentId: null,
    });
    conversationId = started.conversationId;
    model.beginTurn();
    await fixture.event('stepEnded', (event) => !event.goesOn && fixture.events.indexOf(event) >= after);
    fixture.events.length = 0;
    server.requests.length = 0;
  }
  const id = conversationId as ConversationId;
  const records = [...fixture.transcripts.open({ conversationId: id, agentId: helper.id }).standing.records.values()];
  const checks = records.flatMap(({ receipt }) => receipt.identifiers ?? []);
  const last = model.lastBody;
  return {
    steps: model.steps,
    turns: directives.length,
    produced: model.produced,
    requests: model.requests,
    mostTokens: model.mostTokens,
    refused: model.refused,
    failures: listFailedTurns(fixture.db, { conversationId: id }).map(({ failure }) => failure.code),
    records,
    directives: directives.length,
    directivesKept: directives.filter((directive) => last.includes(directive)).length,
    identifiers: { kept: checks.reduce((sum, { kept }) => sum + kept, 0), total: checks.reduce((sum, { total }) => sum + total, 0) },
    stepMs: model.stepMs,
  };
}

const directiveOf = (at: number) => `Rule ${at + 1}: sign part ${at + 1} with KEY-${1000 + at * 37}.`;

/** Answers as a model does: mostly with a call, at a turn's end with words; never the same file twice in a while. */
class ScriptedModel {
  steps = 0;
  produced = 0;
  requests = 0;
  mostTokens = 0;
  refused = 0;
  lastBody = '';
  readonly stepMs: number[] = [];
  #inTurn = 0;
  #cards = 0;
  #answeredAt = 0;
  readonly #fixture: TurnFixture;
  readonly #options: LongRunOptions;

  constructor(fixture: TurnFixture, options: LongRunOptions) {
    this.#fixture = fixture;
    this.#options = options;
    mkdirSync(join(fixture.workspace, 'src'), { recursive: true });
  }

  beginTurn(): void {
    this.#inTurn = 0;
  }

  answer({ body }: Recorded): Step[] {
    const { window, bodyLimit } = this.#options;
    if (body.includes(forCard)) return this.#card();
    if (this.#answeredAt > 0) this.stepMs.push(performance.now() - this.#answeredAt);
    this.requests++;
    const tokens = countedBy(body);
    if (body.length > bodyLimit) return this.#refuse(413, 'Request Entity Too Large');
    if (tokens > window)
      return this.#refuse(400, `This model's maximum context length is ${window} tokens. However, you requested ${tokens} tokens.`);
    this.mostTokens = Math.max(this.mostTokens, tokens);
    this.lastBody = body;
    this.steps++;
    this.#inTurn++;
    this.#options.onStep?.(this.steps);
    const steps = this.#step();
    this.#answeredAt = performance.now();
    return steps;
  }

  #refuse(status: number, message: string): Step[] {
    this.refused++;
    return chatError(status, message);
  }

  #step(): Step[] {
    const { resultTokens, turnSteps, steps } = this.#options;
    const name = `src/file${this.steps}.ts`;
    if (this.#inTurn > turnSteps || this.steps >= steps)
      return chatStream([`Part done after step ${this.steps}; result id RES-${this.steps}.`]);
    writeFileSync(join(this.#fixture.workspace, name), fileText(this.steps, resultTokens));
    this.produced += resultTokens + 40;
    const call = { id: `call_${this.steps}`, name: 'read_file', arguments: JSON.stringify({ path: name }) };
    return chatCalls([call], [`Step ${this.steps}: I look at ${name} because of issue #${this.steps}. `]);
  }

  #card(): Step[] {
    this.#cards++;
    const { badCards } = this.#options;
    if (badCards > 0 && this.#cards % Math.round(1 / badCards) === 0) {
      return (
        [chatStream(["I'm sorry, but I can't help with that."]), chatStream(['']), chatError(500, 'out of order')][this.#cards % 3] ?? []
      );
    }
    return chatStream([
      `## Task\nWork through the parts.\n\n## Completed\n### Steps up to ${this.steps}\nRead src/file${this.steps}.ts.\n\n## Next step\nGo on with step ${this.steps + 1}.`,
    ]);
  }
}

type Said = { content?: unknown; tool_calls?: { function?: { name?: string; arguments?: string } }[] };

/** As a server counts: what is said, the calls and the tools, not the JSON around them. */
function countedBy(body: string): number {
  const { messages = [], tools } = JSON.parse(body) as { messages?: Said[]; tools?: unknown };
  const texts = messages.flatMap(({ content, tool_calls: calls = [] }) => [
    typeof content === 'string' ? content : JSON.stringify(content ?? ''),
    ...calls.map(({ function: call }) => `${call?.name} ${call?.arguments}`),
  ]);
  return texts.reduce((sum, text) => sum + 4 + estimateTokens(text), tools ? estimateTokens(JSON.stringify(tools)) : 0);
}

function fileText(seed: number, tokens: number): string {
  const line = (at: number) =>
    `export const value${seed}_${at} = compute(${(seed * 31 + at * 17) % 9973}, "name${at}"); // kept since r${seed}\n`;
  const per = estimateTokens(line(1));
  return Array.from({ length: Math.max(1, Math.round(tokens / per)) }, (_, at) => line(at)).join('');
}
