// Talks that go wrong in the middle of pages, from a seed: readers that see and that do not, in turn, undo and redo, pins, lost pictures, restarts, cards
// that are none. The server prices pictures, takes none for the blind one, and enforces each reader's window.
import { type Recorded, type ScriptedServer, type Step, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { textOf } from '../../../shared/model/message';
import type { ModelInfo } from '../../../shared/model/provider';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { getConversation } from '../../store/conversations';
import { listFailedTurns } from '../../store/failedTurns';
import { removePin, setPin } from '../../store/marks';
import { readPath } from '../../store/messages';
import { hashOf } from '../../transcript/blobs';
import { helper, makeTurnFixture, type TurnFixture } from '../agentsFixture';
import { dialects } from './dialectsFixture';
import { bytesOfPicture, priceOfPictures } from './pagesShownFixture';
import { prose, randomOf } from './randomFixture';

/** `counts`: tokens by the server's count in one of the estimate. `shrinks`: from the middle on its windows are that share of what was said of them. */
export type RoughPagesOptions = { seed: number; turns: number; counts: number; shrinks: number };
export type RoughPages = {
  /** What was done between turns, in order. */
  done: string[];
  /** `pinned`: the share of the window that pins took, which nothing may leave out. */
  failures: { turn: number; code: string; pinned: number }[];
  /** Requests with pictures to the reader that does not see, and pictures that no record which holds names. */
  picturesToBlind: number;
  strangePictures: number;
  /** Requests that did not hold the question they were for. */
  unasked: number;
  withPictures: number;
  refused: number;
  /** Sent again as they were after a refusal. */
  repeated: number;
  kinds: MemoryRecord['kind'][];
  /** How the talk ended once nothing was pinned any more: null for well. */
  last: string | null;
};

const seeing: ModelInfo = { id: 'gpt-4o', vision: true, contextWindow: 48_000, maxOutput: 1000 };
const other: ModelInfo = { id: 'claude-sonnet-4', vision: true, contextWindow: 60_000, maxOutput: 1000 };
const blind: ModelInfo = { id: 'gpt-4o-text', vision: false, contextWindow: 48_000, maxOutput: 1000 };
const readers = [seeing, other, blind];
const signal = new AbortController().signal;

export async function runRoughPages(options: RoughPagesOptions): Promise<RoughPages> {
  const server = await startScriptedServer();
  const change = { agents: [helper], compaction: {} };
  const fixture = await makeTurnFixture(`${server.url}/v1`, change, { wait: async () => undefined });
  const talk = new RoughTalk(fixture, server, options);
  try {
    return await talk.live();
  } finally {
    await talk.fixture.close();
    await server.close();
    fixture.remove();
  }
}

class RoughTalk {
  fixture: TurnFixture;
  readonly #options: RoughPagesOptions;
  readonly #random: () => number;
  readonly #run: RoughPages = {
    ...{ done: [], failures: [], picturesToBlind: 0, strangePictures: 0, unasked: 0, withPictures: 0, refused: 0, repeated: 0 },
    ...{ kinds: [], last: null },
  };
  #id: ConversationId | null = null;
  #question = '';
  #lastRefused = '';
  #answers = 0;
  #model = seeing;
  readonly #pins = new Set<MessageId>();
  #turn = 0;

  constructor(fixture: TurnFixture, server: ScriptedServer, options: RoughPagesOptions) {
    this.fixture = fixture;
    this.#options = options;
    this.#random = randomOf(options.seed);
    server.script(dialects.chat.route, (request) => {
      server.requests.length = 0;
      return this.#answer(request);
    });
  }

  async live(): Promise<RoughPages> {
    this.#be(seeing);
    for (let turn = 1; turn <= this.#options.turns; turn++) {
      const code = await this.#send(turn);
      if (code) this.#run.failures.push({ turn, code, pinned: this.#pinnedShare() });
      await this.#meddle();
    }
    // The last word: with nothing pinned and a card allowed there is always a way on.
    for (const messageId of this.#pins) removePin(this.fixture.db, { conversationId: this.#where.conversationId, messageId });
    await this.#send(this.#options.turns + 1);
    this.#run.last = await this.#send(this.#options.turns + 2);
    this.#run.kinds = this.#records().map(({ kind }) => kind);
    return this.#run;
  }

  /** How it failed, or null. */
  async #send(turn: number): Promise<string | null> {
    this.#turn = turn;
    this.#question = `Turn ${turn} asks about ELM-${turn}.`;
    const { scheduler, events, event, db } = this.fixture;
    events.length = 0;
    const long = this.#random() < 0.1 ? prose(turn, 2000) : '';
    const before = this.#failedTurns();
    const started = scheduler.start({ conversationId: this.#id, text: `${this.#question} ${long}`, attachments: [], agentId: null });
    this.#id = started.conversationId;
    await event('stepEnded', ({ goesOn }) => !goesOn);
    return listFailedTurns(db, { conversationId: this.#id }).find(({ id }) => !before.has(id))?.failure.code ?? null;
  }

  /** Something that a person does now and then. */
  async #meddle(): Promise<void> {
    const at = this.#random();
    if (at < 0.25) this.#be(readers[Math.floor(this.#random() * readers.length)] ?? seeing);
    else if (at < 0.33) await this.#try('undo', () => this.fixture.memory.undo(this.#where, null));
    else if (at < 0.4) await this.#redo();
    else if (at < 0.46) this.#pin();
    else if (at < 0.58)
      await this.#try('compact', () => this.fixture.memory.compact(this.#where, { rung: 'snapshot', focus: null }, signal));
    else if (at < 0.64) this.#losePicture();
    else if (at < 0.72) {
      this.#run.done.push('restart');
      this.fixture = await this.fixture.restart();
    }
  }

  #be(model: ModelInfo): void {
    this.#run.done.push(model.id);
    this.#model = model;
    const { settings } = this.fixture;
    Object.assign(settings.providers[0] ?? {}, { models: [...new Set([model, ...readers])] });
    settings.agents = settings.agents.map((agent) => ({ ...agent, model: `local/${model.id}` }));
  }

  /** There may be nothing to do; then it says so. */
  async #try(name: string, act: () => Promise<unknown>): Promise<void> {
    try {
      await act();
      this.#run.done.push(name);
    } catch (error) {
      if (!(error instanceof Error && 'failure' in error)) throw error;
    }
  }

  async #redo(): Promise<void> {
    const undone = this.#records().filter((record) => record.undone);
    const record = undone[Math.floor(this.#random() * undone.length)];
    if (record) await this.#try('redo', () => this.fixture.memory.redo(this.#where, record.id));
  }

  #pin(): void {
    const path = this.#path();
    const messageId = path[Math.floor(this.#random() * path.length)]?.id;
    if (!messageId) return;
    this.#run.done.push('pin');
    this.#pins.add(messageId);
    setPin(this.fixture.db, { conversationId: this.#where.conversationId, messageId, now: 1 });
  }

  #losePicture(): void {
    const page = this.#records().findLast(({ kind }) => kind === 'pages')?.body?.pages[0];
    if (!page) return;
    this.#run.done.push('lost');
    this.fixture.blobs.remove(page.hash);
  }

  #answer({ body }: Recorded): Step[] {
    if (body.includes('You keep the state card')) return this.#card();
    const { model: id } = JSON.parse(body) as { model: string };
    const model = readers.find((one) => one.id === id) ?? seeing;
    const pictures = dialects.chat.picturesOf(body);
    if (pictures.length > 0) this.#look(model, pictures);
    if (!body.includes(this.#question)) this.#run.unasked++;
    const texts = dialects.chat.textsOf(body).reduce((sum, text) => sum + 4 + estimateTokens(text), 0);
    const tokens = Math.ceil((texts + priceOfPictures(pictures, { modelId: model.id, kind: 'openai-chat' })) * this.#options.counts);
    const window = this.#windowOf(model);
    if (tokens <= window) return chatStream([prose(++this.#answers, Math.ceil(200 + 1600 * this.#random()))]);
    this.#run.refused++;
    if (body === this.#lastRefused) this.#run.repeated++;
    this.#lastRefused = body;
    return dialects.chat.tooManyTokens(tokens, window);
  }

  #windowOf({ contextWindow = 0 }: ModelInfo): number {
    const { shrinks, turns } = this.#options;
    return Math.floor(contextWindow * (this.#turn > turns / 2 ? shrinks : 1));
  }

  #pinnedShare(): number {
    const pinned = this.#path().filter(({ id }) => this.#pins.has(id));
    const tokens = pinned.reduce((sum, message) => sum + estimateTokens(textOf(message)), 0) * this.#options.counts;
    return tokens / this.#windowOf(this.#model);
  }

  #look(model: ModelInfo, pictures: readonly string[]): void {
    this.#run.withPictures++;
    if (model === blind) this.#run.picturesToBlind++;
    const holding = this.#records().filter(({ undone }) => !undone);
    const known = new Set<string>(holding.flatMap(({ body }) => body?.pages.map(({ hash }) => hash) ?? []));
    if (pictures.some((url) => !known.has(hashOf(bytesOfPicture(url))))) this.#run.strangePictures++;
  }

  #card(): Step[] {
    const at = this.#random();
    if (at < 0.15) return chatStream(['']);
    if (at < 0.25) return chatStream(["I'm sorry, but I can't help with that."]);
    return at < 0.3 ? chatError(400, 'bad request') : chatStream(['## Task\nAnswer the turns.\n\n## Next step\nGo on.']);
  }

  get #where() {
    return { conversationId: this.#id as ConversationId, agentId: null };
  }

  #path() {
    const tip = this.#id && getConversation(this.fixture.db, this.#id)?.tipId;
    return tip ? readPath(this.fixture.db, tip) : [];
  }

  #records(): MemoryRecord[] {
    const place = { conversationId: this.#where.conversationId, agentId: helper.id };
    return [...this.fixture.transcripts.open(place).standing.records.values()];
  }

  #failedTurns(): Set<string> {
    return new Set(this.#id ? listFailedTurns(this.fixture.db, { conversationId: this.#id }).map(({ id }) => id) : []);
  }
}
