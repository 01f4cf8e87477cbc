// One conversation on a workspace of its own: planted by a scripted model, made smaller by one rung, then asked for every fact by the real one.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { png } from '../../e2e/fixtures/files';
import { type ScriptedServer, type Step, startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatCalls, chatPath, chatStream } from '../../e2e/fixtures/scripts/chat';
import { helper, makeTurnFixture, type TurnFixture } from '../../main/agents/agentsFixture';
import type { LadderDeps } from '../../main/agents/ladder/ladderDeps';
import { getConversation } from '../../main/store/conversations';
import { listFailedTurns } from '../../main/store/failedTurns';
import { getMessage, readPath } from '../../main/store/messages';
import type { CompactionSettings } from '../../shared/model/compaction';
import type { ConversationId, MessageId, ProviderId } from '../../shared/model/ids';
import type { PassEnd } from '../../shared/model/memoryView';
import { textOf } from '../../shared/model/message';
import type { ProviderConfig } from '../../shared/model/provider';
import type { Planted, PlantedStep } from './conversation';

export type Asked = { text: string; failure: string | null; usage: { input: number; output: number; cachedInput?: number | undefined } };

/** `providers` come with the keys to send. `worker`: a summary may be written by a worker with the agent's tools. */
export type PlayOptions = {
  model: string;
  summarizer: string | null;
  providers: readonly ProviderConfig[];
  worker: boolean;
  recall: boolean;
  /** In this thread when left out. */
  makePages?: LadderDeps['makePages'];
};

const planter = 'planter' as ProviderId;
const plantTools = ['read_file', 'view_image', 'tasks'];
const prompt =
  'You help with the repairs of a small town. Answer from this conversation, in one short sentence, and follow what you were asked to do in every answer. If you do not know something, say "I do not know" and nothing else; never guess.';

/** Small, so that a conversation need not be long; nothing happens by itself. */
const numbers: CompactionSettings = {
  threshold: null,
  requestThreshold: null,
  retainedTokens: 2_000,
  retainedEnough: 1_000,
  retainedSteps: 2,
  protectTokens: 1_000,
  minSavings: 0,
  keepImages: 0,
};
const untouched: CompactionSettings = { ...numbers, minResultTokens: 1_000_000_000 };

export class Play {
  readonly #fixture: TurnFixture;
  readonly #server: ScriptedServer;
  readonly #options: PlayOptions;
  #conversationId: ConversationId | null = null;
  #firstQuestion: MessageId | null = null;
  #steps: PlantedStep[] = [];

  private constructor(fixture: TurnFixture, server: ScriptedServer, options: PlayOptions) {
    this.#fixture = fixture;
    this.#server = server;
    this.#options = options;
    server.script(`POST ${chatPath}`, () => this.#plantedAnswer());
  }

  static async begin(options: PlayOptions): Promise<Play> {
    const server = await startScriptedServer();
    const own: ProviderConfig = {
      id: planter,
      name: 'Planted',
      kind: 'openai-chat',
      baseUrl: `${server.url}/v1`,
      models: [{ id: 'planted', contextWindow: 10_000_000, vision: true }],
    };
    const wait = async (ms: number, signal: AbortSignal) =>
      void (await sleep(Math.min(ms, 60_000), undefined, { signal }).catch(() => undefined));
    const settings = { providers: [own, ...options.providers], roles: options.summarizer ? { compaction: options.summarizer } : {} };
    return new Play(await makeTurnFixture(server.url, settings, { wait, makePages: options.makePages }), server, options);
  }

  async plant({ turns, files, pictures }: Planted): Promise<void> {
    for (const [name, text] of files) writeFileSync(join(this.#fixture.workspace, name), text);
    for (const name of pictures) writeFileSync(join(this.#fixture.workspace, name), png(512, 512));
    this.#be(`${planter}/planted`, plantTools, untouched);
    for (const { asks, steps } of turns) {
      this.#steps = [...steps];
      await this.#turn(() =>
        this.#fixture.scheduler.start({ conversationId: this.#conversationId, text: asks, attachments: [], agentId: null }),
      );
    }
    if (this.#failures() > 0) throw new Error('The conversation could not be planted.');
    this.#be(this.#options.model, this.#options.worker ? plantTools : this.#askTools, untouched);
  }

  async tokens(): Promise<number> {
    return (await this.#fixture.looks.view(this.#where)).tokens;
  }

  /** Of pages the text that is printed on them, between what stands beside them as text. */
  async remembered(): Promise<string | null> {
    const { memory } = await this.#fixture.looks.view(this.#where);
    if (!memory) return null;
    const { text, frame, pages } = memory.body;
    const bytes = await Promise.all(pages.map(({ textHash }) => (textHash ? this.#fixture.blobs.read(textHash) : new Uint8Array())));
    const printed = bytes.map((page) => new TextDecoder().decode(page)).join('');
    return [text, frame?.legend, frame?.head, printed, frame?.tail].filter(Boolean).join('\n\n');
  }

  /** By hand, as a person would. */
  async pass(rung: 'elide' | 'images' | 'snapshot' | 'summary'): Promise<PassEnd> {
    const { memory, settings } = this.#fixture;
    settings.compaction = { ...numbers, summaryMode: this.#options.worker ? 'worker' : 'simple' };
    const { signal } = new AbortController();
    const end =
      rung === 'summary' || rung === 'snapshot'
        ? await memory.compact(this.#where, { rung, focus: null }, signal)
        : await memory.shake(this.#where, rung === 'elide' ? 'results' : 'images', signal);
    settings.compaction = untouched;
    return end;
  }

  /** Every question hangs under the end of the planted talk: none knows of another. */
  async ask(question: string): Promise<Asked> {
    this.#be(this.#options.model, this.#askTools, untouched);
    const { scheduler, db } = this.#fixture;
    const { conversationId } = this.#where;
    const before = this.#failures();
    await this.#turn(() => {
      const sent = { conversationId, text: question, attachments: [] };
      const started = this.#firstQuestion
        ? scheduler.edit({ ...sent, messageId: this.#firstQuestion })
        : scheduler.start({ ...sent, agentId: null });
      this.#firstQuestion ??= started.messageId;
      return started;
    });
    const failures = listFailedTurns(db, { conversationId });
    const answers = this.#answers();
    const usage = { input: 0, output: 0, cachedInput: 0 };
    for (const { usage: used } of answers) {
      usage.input += used?.input ?? 0;
      usage.output += used?.output ?? 0;
      usage.cachedInput += used?.cachedInput ?? 0;
    }
    const failure = failures.length > before ? (failures.at(-1)?.failure ?? null) : null;
    return { text: answers.map(textOf).join('\n').trim(), failure: failure && `${failure.code}: ${failure.message}`, usage };
  }

  async close(): Promise<void> {
    await this.#fixture.close();
    await this.#server.close();
    this.#fixture.remove();
  }

  get #where() {
    if (!this.#conversationId) throw new Error('Nothing is planted.');
    return { conversationId: this.#conversationId, agentId: null };
  }

  get #askTools(): string[] {
    return this.#options.recall ? ['recall'] : [];
  }

  #be(model: string, tools: string[], compaction: CompactionSettings): void {
    const { settings } = this.#fixture;
    settings.agents[0] = { ...helper, systemPrompt: prompt, model, tools };
    settings.compaction = compaction;
  }

  #plantedAnswer(): Step[] {
    const step = this.#steps.shift() ?? { says: '' };
    if (!step.call) return chatStream([step.says]);
    return chatCalls(
      [{ id: `call_${this.#server.requests.length}`, name: step.call.name, arguments: JSON.stringify(step.call.arguments) }],
      [step.says],
    );
  }

  async #turn(start: () => { conversationId: ConversationId }): Promise<void> {
    const { events, event } = this.#fixture;
    events.length = 0;
    this.#conversationId = start().conversationId;
    await event('stepEnded', ({ goesOn }) => !goesOn);
  }

  #failures(): number {
    return listFailedTurns(this.#fixture.db, { conversationId: this.#where.conversationId }).length;
  }

  /** Of the turn at the tip. */
  #answers() {
    const { db } = this.#fixture;
    const tipId = getConversation(db, this.#where.conversationId)?.tipId;
    const tip = tipId ? getMessage(db, tipId) : undefined;
    return tip ? readPath(db, tip.id).filter(({ role, turnId }) => role === 'assistant' && turnId === tip.turnId) : [];
  }
}
