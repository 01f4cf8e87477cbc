// A long run against a server that enforces a window and a body limit, as a model would live through it: it reads, runs, decides, and is told
// things on the way that must never be lost. Used short by a test and long by the bench.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Recorded, type ScriptedServer, type Step, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import type { CompactionSettings } from '../../../shared/model/compaction';
import type { ConversationId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { listFailedTurns } from '../../store/failedTurns';
import { helper, makeTurnFixture, type TurnFixture } from '../agentsFixture';
import { type DialectName, dialects } from './dialectsFixture';
import { bytesOfPages, priceOfPictures, textOnPages } from './pagesShownFixture';
import { prose } from './randomFixture';

export type LongRunOptions = {
  steps: number;
  /** Steps of one turn; a new turn plants a directive. */
  turnSteps: number;
  window: number;
  bodyLimit: number;
  /** Tokens of a result, about. */
  resultTokens: number;
  /** Tokens that it says with each call, about; a sentence when left out. */
  saidTokens?: number;
  /** How often the summarizing model fails or answers badly, in [0, 1]. */
  badCards: number;
  compaction?: CompactionSettings;
  /** Chat Completions when left out. */
  dialect?: DialectName;
  /** The model; one that does not see when left out. A server of Chat Completions prices what it sees. */
  model?: string;
  /** Tokens by the server's count in one of the estimate; Responses and Gemini report it with each call. One, unreported, when left out. */
  counts?: number;
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
  /** Directives that stand word for word in the last request or on its pages. */
  directivesKept: number;
  directives: number;
  /** The most that were not there in the last request of any turn. */
  directivesMissed: number;
  /** Steps before which a pass was committed. */
  passedAt: number[];
  identifiers: { kept: number; total: number };
  /** Milliseconds between a request's answer and the next request, by step. */
  stepMs: number[];
  /** The same in processor time of this process, the server included. */
  stepCpuMs: number[];
  pages: PagesLived;
};

/** `most`: pictures of one request. `alone`: directives that stood on pages alone at the end of a turn, the most. `bytes`: in the blob store. */
export type PagesLived = { most: number; alone: number; bytes: number };

const forCard = 'You keep the state card';

export async function runLong(options: LongRunOptions): Promise<LongRun> {
  const server = await startScriptedServer();
  const { kind, baseUrl } = dialects[options.dialect ?? 'chat'];
  const fixture = await makeTurnFixture(baseUrl(server.url), {
    agents: [{ ...helper, tools: ['read_file', 'run_command', 'recall'], approval: 'auto-edit' }],
    compaction: options.compaction ?? {},
  });
  Object.assign(fixture.settings.providers[0] ?? {}, {
    kind,
    apiKey: 'the-key-of-bough',
    models: [{ id: options.model ?? 'm1', contextWindow: options.window, maxOutput: 1000, vision: options.model !== undefined }],
  });
  fixture.settings.agents = fixture.settings.agents.map((agent) => ({ ...agent, model: `local/${options.model ?? 'm1'}` }));
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
  server.script(dialects[options.dialect ?? 'chat'].route, (request) => {
    server.requests.length = 0;
    return model.answer(request);
  });
  let conversationId: ConversationId | null = null;
  const directives: string[] = [];
  // Looked at after each turn: a failure goes when the talk goes on past it.
  const failures = new Map<string, string>();
  let [kept, missed, alone] = [0, 0, 0];
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
    for (const { id, failure } of listFailedTurns(fixture.db, { conversationId })) failures.set(id, failure.code);
    const said = model.textsSaid();
    const onPages = await textOnPages(fixture.blobs, model.pictures, recordsOf(fixture, conversationId));
    const unsaid = directives.filter((one) => !said.includes(one));
    kept = directives.filter((one) => said.includes(one) || onPages.includes(one)).length;
    missed = Math.max(missed, directives.length - kept);
    alone = Math.max(alone, kept - (directives.length - unsaid.length));
  }
  const records = recordsOf(fixture, conversationId as ConversationId);
  const checks = records.flatMap(({ receipt }) => receipt.identifiers ?? []);
  return {
    steps: model.steps,
    turns: directives.length,
    produced: model.produced,
    requests: model.requests,
    mostTokens: model.mostTokens,
    refused: model.refused,
    failures: [...failures.values()],
    records,
    directives: directives.length,
    directivesKept: kept,
    directivesMissed: missed,
    passedAt: model.passedAt,
    identifiers: { kept: checks.reduce((sum, { kept }) => sum + kept, 0), total: checks.reduce((sum, { total }) => sum + total, 0) },
    stepMs: model.stepMs,
    stepCpuMs: model.stepCpuMs,
    pages: { most: model.mostPictures, alone, bytes: bytesOfPages(records) },
  };
}

function recordsOf({ transcripts }: TurnFixture, conversationId: ConversationId): MemoryRecord[] {
  return [...transcripts.open({ conversationId, agentId: helper.id }).standing.records.values()];
}

const directiveOf = (at: number) => `Rule ${at + 1}: sign part ${at + 1} with KEY-${1000 + at * 37}.`;

/** Answers as a model does: mostly with a call, at a turn's end with words; never the same file twice in a while. */
class ScriptedModel {
  steps = 0;
  produced = 0;
  requests = 0;
  mostTokens = 0;
  refused = 0;
  /** Of the last request that was taken. */
  pictures: readonly string[] = [];
  mostPictures = 0;
  readonly passedAt: number[] = [];
  readonly stepMs: number[] = [];
  readonly stepCpuMs: number[] = [];
  #inTurn = 0;
  #lastBody = '';
  #passes = 0;
  #cards = 0;
  #answeredAt: { ms: number; cpu: number } | null = null;
  readonly #fixture: TurnFixture;
  readonly #options: LongRunOptions;

  constructor(fixture: TurnFixture, options: LongRunOptions) {
    this.#fixture = fixture;
    this.#options = options;
    mkdirSync(join(fixture.workspace, 'src'), { recursive: true });
  }

  beginTurn(): void {
    this.#inTurn = 0;
    this.#passes = 0;
  }

  /** In the last request that was taken. */
  textsSaid(): string {
    return this.#dialect.textsOf(this.#lastBody).join('\n');
  }

  answer({ body }: Recorded): Step[] {
    const { window, bodyLimit, counts = 1 } = this.#options;
    if (body.includes(forCard)) return this.#card();
    if (this.#answeredAt) {
      this.stepMs.push(performance.now() - this.#answeredAt.ms);
      this.stepCpuMs.push(cpuMs() - this.#answeredAt.cpu);
    }
    this.requests++;
    const pictures = body.includes('data:image/png;base64,') ? this.#dialect.picturesOf(body) : [];
    const price = priceOfPictures(pictures, { modelId: this.#options.model ?? 'm1', kind: this.#dialect.kind });
    const tokens = Math.ceil((this.#countedBy(body) + price) * counts);
    if (body.length > bodyLimit) return this.#refused(this.#dialect.tooManyBytes());
    if (tokens > window) return this.#refused(this.#dialect.tooManyTokens(tokens, window));
    this.mostTokens = Math.max(this.mostTokens, tokens);
    this.#lastBody = body;
    this.pictures = pictures;
    this.mostPictures = Math.max(this.mostPictures, pictures.length);
    this.steps++;
    this.#notePasses();
    this.#inTurn++;
    this.#options.onStep?.(this.steps);
    const steps = this.#step(tokens);
    this.#answeredAt = { ms: performance.now(), cpu: cpuMs() };
    return steps;
  }

  /** The events of a turn are gone when the next one begins. */
  #notePasses(): void {
    const passes = this.#fixture.events.filter(({ type }) => type === 'context.compacted').length;
    if (passes > this.#passes) this.passedAt.push(this.steps);
    this.#passes = passes;
  }

  get #dialect() {
    return dialects[this.#options.dialect ?? 'chat'];
  }

  #refused(answer: Step[]): Step[] {
    this.refused++;
    return answer;
  }

  #step(tokens: number): Step[] {
    const { resultTokens, turnSteps, steps, counts } = this.#options;
    const usage = counts === undefined ? undefined : { input: tokens, output: 40 };
    const name = `src/file${this.steps}.ts`;
    if (this.#inTurn > turnSteps || this.steps >= steps)
      return this.#dialect.say(`Part done after step ${this.steps}; result id RES-${this.steps}.`, usage);
    writeFileSync(join(this.#fixture.workspace, name), fileText(this.steps, resultTokens));
    this.produced += resultTokens + 40;
    const call = { id: `call_${this.steps}`, name: 'read_file', arguments: JSON.stringify({ path: name }) };
    return this.#dialect.call(call, `Step ${this.steps}: I look at ${name} because of issue #${this.steps}. ${this.#thoughts()}`, usage);
  }

  #thoughts(): string {
    const { saidTokens = 0 } = this.#options;
    if (saidTokens === 0) return '';
    this.produced += saidTokens;
    return prose(this.steps, saidTokens);
  }

  #card(): Step[] {
    this.#cards++;
    const { badCards } = this.#options;
    const { say, outOfOrder } = this.#dialect;
    if (badCards > 0 && this.#cards % Math.round(1 / badCards) === 0) {
      return [say("I'm sorry, but I can't help with that."), say(''), outOfOrder()][this.#cards % 3] ?? [];
    }
    return say(
      `## Task\nWork through the parts.\n\n## Completed\n### Steps up to ${this.steps}\nRead src/file${this.steps}.ts.\n\n## Next step\nGo on with step ${this.steps + 1}.`,
    );
  }

  #countedBy(body: string): number {
    return this.#dialect.textsOf(body).reduce((sum, text) => sum + 4 + estimateTokens(text), 0);
  }
}

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function fileText(seed: number, tokens: number): string {
  const line = (at: number) =>
    `export const value${seed}_${at} = compute(${(seed * 31 + at * 17) % 9973}, "name${at}"); // kept since r${seed}\n`;
  const per = estimateTokens(line(1));
  return Array.from({ length: Math.max(1, Math.round(tokens / per)) }, (_, at) => line(at)).join('');
}
