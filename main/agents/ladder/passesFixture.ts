// Turns over a server that enforces a window and answers as a test says, for tests of passes.
import { afterEach, beforeEach } from 'vitest';
import { type Recorded, type ScriptedServer, type Step, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { Agent } from '../../../shared/model/agent';
import type { CompactionSettings } from '../../../shared/model/compaction';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { PassEnd, Rung } from '../../../shared/model/memoryView';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { words } from '../../context/ladder/ladderFixture';
import { getConversation } from '../../store/conversations';
import { listFailedTurns } from '../../store/failedTurns';
import { passReceiptsOf } from '../../store/passReceipts';
import { helper, makeTurnFixture, type TurnFixture } from '../agentsFixture';

export const route = 'POST /v1/chat/completions';
/** `window` named and undefined: the server says which it is. */
export type Setup = {
  window?: number | undefined;
  compaction?: CompactionSettings | undefined;
  tools?: string[] | undefined;
  approval?: Agent['approval'];
};

/** No pass before a request that fits. */
export const noThresholds: CompactionSettings = { threshold: null, requestThreshold: null };

export const isForCard = ({ body }: Pick<Recorded, 'body'>) => body.includes('You keep the state card');
export const goodCard = '## Task\nAnswer the turns.\n\n## User directives\n- "One"\n\n## Next step\nGo on.';
export const answerOf = (tokens: number) => (_: Recorded, nth: number) => chatStream([words(tokens, `a${nth}`)]);
export const where = (conversationId: ConversationId) => ({ conversationId, agentId: null });
/** Of an act that nobody stops. */
export const signal = new AbortController().signal;

/** A server and agents of their own for each test; `begin` comes first in each. */
export const world = {} as { server: ScriptedServer; fixture: TurnFixture };
export function withWorld(): void {
  beforeEach(async () => {
    world.server = await startScriptedServer();
  });
  afterEach(async () => {
    await world.fixture.close();
    await world.server.close();
    world.fixture.remove();
  });
}

export async function begin({ compaction = {}, tools = [], approval = 'ask', ...rest }: Setup = {}): Promise<void> {
  world.fixture = await makeTurnFixture(`${world.server.url}/v1`, { agents: [{ ...helper, tools, approval }], compaction });
  const window = 'window' in rest ? rest.window : 8000;
  const model = { id: 'm1', maxOutput: 500, ...(window === undefined ? {} : { contextWindow: window }) };
  Object.assign(world.fixture.settings.providers[0] ?? {}, { models: [model] });
}

export async function restart(): Promise<void> {
  world.fixture = await world.fixture.restart();
}

export async function send(text: string, conversationId: ConversationId | null = null): Promise<ConversationId> {
  const started = world.fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
  await over(started.stepId);
  return started.conversationId;
}
export const over = (stepId: unknown) => world.fixture.event('stepEnded', (event) => event.stepId === stepId);
export const turnOver = (conversationId: ConversationId) =>
  world.fixture.event('stepEnded', (event) => event.conversationId === conversationId && !event.goesOn);

/** By hand; `null`: which rung is the ladder's choice. */
export const compact = (id: ConversationId, rung: Rung | null, stop = signal): Promise<PassEnd> =>
  world.fixture.memory.compact(where(id), { rung, focus: null }, stop);

export const tipOf = (id: ConversationId) => getConversation(world.fixture.db, id)?.tipId as MessageId;
export const records = (conversationId: ConversationId): MemoryRecord[] => [
  ...world.fixture.transcripts.open({ conversationId, agentId: helper.id }).standing.records.values(),
];
export const kinds = (conversationId: ConversationId) => records(conversationId).map(({ kind }) => kind);
export const passes = (conversationId: ConversationId) =>
  passReceiptsOf(world.fixture.db, { conversationId, agentId: helper.id, count: 100 }).reverse();
export const notices = () => world.fixture.events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []));
export const failures = (conversationId: ConversationId) =>
  listFailedTurns(world.fixture.db, { conversationId }).map(({ failure }) => failure);
/** Requests for answers. */
export const asked = () => world.server.requests.filter((request) => !isForCard(request));
export const bodies = () => asked().map(({ body }) => body);

export const tooManyTokens = (window: number, tokens: number): Step[] =>
  chatError(400, `This model's maximum context length is ${window} tokens. However, you requested ${tokens} tokens.`);

/** Refuses what does not fit, as a server does; answers the rest. */
export function answering(
  window: number,
  answer: (request: Recorded, nth: number) => Step[],
  card = (): Step[] => chatStream([goodCard]),
): void {
  let nth = 0;
  world.server.script(route, (request) => {
    if (isForCard(request)) return card();
    const tokens = estimateTokens(request.body);
    return tokens > window ? tooManyTokens(window, tokens) : answer(request, ++nth);
  });
}
