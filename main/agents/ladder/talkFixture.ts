// Conversations with a server that answers as told, keeps cards, and can be held while it makes one, for tests of what happens around passes.
import { type Recorded, type ScriptedServer, type Step, startScriptedServer, waitFor } from '../../../e2e/fixtures/scriptedServer';
import { chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { Agent } from '../../../shared/model/agent';
import type { CompactionSettings } from '../../../shared/model/compaction';
import type { AgentId, ConversationId, MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { getConversation } from '../../store/conversations';
import { listFailedTurns } from '../../store/failedTurns';
import { readPath } from '../../store/messages';
import { helper, makeTurnFixture, type TurnFixture } from '../agentsFixture';
import { tooManyTokens } from './passesFixture';

const route = 'POST /v1/chat/completions';
export const goodCard = '## Task\nAnswer the turns.\n\n## User directives\n- "One"\n\n## Next step\nGo on.';
export const second: Agent = { ...helper, id: 'second' as AgentId, name: 'Second' };

export type TalkSetup = { window?: number; compaction?: CompactionSettings; agents?: Agent[] };

export class Talk {
  fixture: TurnFixture;
  readonly server: ScriptedServer;
  /** Lets a card that is held go. */
  release: () => void = () => undefined;
  #held = false;

  constructor(fixture: TurnFixture, server: ScriptedServer) {
    this.fixture = fixture;
    this.server = server;
  }

  /** Refuses what is larger than its window, as a server does. */
  answering(window: number, answer: (request: Recorded, nth: number) => Step[], card: () => Step[] = () => chatStream([goodCard])): void {
    let nth = 0;
    this.server.script(route, (request) => {
      if (isForCard(request)) return this.#held ? this.#heldBack(card()) : card();
      const tokens = estimateTokens(request.body);
      return tokens > window ? tooManyTokens(window, tokens) : answer(request, ++nth);
    });
  }

  #heldBack(steps: Step[]): Step[] {
    const [first, ...rest] = steps;
    const gate = waitFor(new Promise<void>((go) => Object.assign(this, { release: go })));
    return first ? [first, gate, ...rest] : [gate];
  }

  /** From now on the summarizing model waits for `release` before it says anything. */
  hold(): void {
    this.#held = true;
  }

  letGo(): void {
    this.#held = false;
    this.release();
  }

  async send(text: string, conversationId: ConversationId | null = null, agentId: AgentId | null = null): Promise<ConversationId> {
    const { fixture } = this;
    const from = fixture.events.length;
    const started = fixture.scheduler.start({ conversationId, text, attachments: [], agentId });
    await fixture.event(
      'stepEnded',
      (event) => event.conversationId === started.conversationId && !event.goesOn && fixture.events.indexOf(event) >= from,
    );
    return started.conversationId;
  }

  /** A conversation of turns with answers of that many tokens. */
  async turns(count: number, id: ConversationId | null = null, agentId: AgentId | null = null): Promise<ConversationId> {
    let at = id;
    for (let turn = 1; turn <= count; turn++) at = await this.send(`Turn ${turn} with OAK-${turn}`, at, agentId);
    return at as ConversationId;
  }

  compact(conversationId: ConversationId, agentId: AgentId | null = null) {
    return this.fixture.memory.compact({ conversationId, agentId }, { rung: 'summary', focus: null }, new AbortController().signal);
  }

  async view(conversationId: ConversationId, agentId: AgentId | null = null) {
    return this.fixture.looks.view({ conversationId, agentId });
  }

  /** What would be sent next, by its blocks. */
  async plan(conversationId: ConversationId, agentId: AgentId | null = null) {
    return (await this.view(conversationId, agentId)).plan;
  }

  records(conversationId: ConversationId, agentId: AgentId = helper.id): MemoryRecord[] {
    return [...this.fixture.transcripts.open({ conversationId, agentId }).standing.records.values()];
  }

  tip(id: ConversationId): MessageId {
    return getConversation(this.fixture.db, id)?.tipId as MessageId;
  }

  path(id: ConversationId): MessageId[] {
    return readPath(this.fixture.db, this.tip(id)).map((message) => message.id);
  }

  failures(conversationId: ConversationId): string[] {
    return listFailedTurns(this.fixture.db, { conversationId }).map(({ failure }) => failure.code);
  }

  cards(): Recorded[] {
    return this.server.requests.filter(isForCard);
  }

  bodies(): string[] {
    return this.server.requests.filter((request) => !isForCard(request)).map(({ body }) => body);
  }

  async restart(): Promise<void> {
    this.fixture = await this.fixture.restart();
  }

  async close(): Promise<void> {
    this.letGo();
    await this.fixture.close();
    await this.server.close();
    this.fixture.remove();
  }
}

export const isForCard = ({ body }: Pick<Recorded, 'body'>): boolean => body.includes('You keep the state card');
export const answerOf = (tokens: number) => (_: Recorded, nth: number) => chatStream([words(tokens, `a${nth}`)]);

/** A small tail, so that a few turns are enough for a card. */
export async function makeTalk({ window = 100_000, compaction, agents = [helper] }: TalkSetup = {}): Promise<Talk> {
  const server = await startScriptedServer();
  const fixture = await makeTurnFixture(`${server.url}/v1`, {
    agents,
    compaction: compaction ?? { retainedTokens: 2000, retainedEnough: 500 },
  });
  Object.assign(fixture.settings.providers[0] ?? {}, { models: [{ id: 'm1', contextWindow: window, maxOutput: 500 }] });
  const talk = new Talk(fixture, server);
  talk.answering(window, answerOf(1500));
  return talk;
}
