// Turns that read files, and workers that do in one step what a test says, for tests of passes with a worker.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Recorded, Step } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatStream } from '../../../e2e/fixtures/scripts/chat';
import type { ConversationId } from '../../../shared/model/ids';
import type { MemoryBody } from '../../../shared/model/memoryRecord';
import { words } from '../../context/ladder/ladderFixture';
import { bodies, isForCard, records, route, world } from './passesFixture';

export const workerCard = '## Task\nAnswer the turns.\n\n## User directives\n- "Read the files"\n\n## Next step\nGo on.';

export const put = (name: string, text: string) => writeFileSync(join(world.fixture.workspace, name), text);

export type Call = [name: string, args: object];
export const calls = (...all: Call[]): Step[] =>
  chatCalls(all.map(([name, args], at) => ({ id: `w${at}`, name, arguments: JSON.stringify(args) })));
/** What a worker does in its one step, before it hands the card in. */
export const chooses =
  (...all: Call[]) =>
  () =>
    calls(...all, ['write_summary', { card: workerCard }]);

const isOfWorker = (request: Recorded) => isForCard(request) && request.body.includes('write_summary');

/** Turns make the calls that are told, one a step, and then answer at length. The worker does as `worker` says. */
export function working(turns: readonly Call[], worker: (request: Recorded) => Step[]): void {
  const left = [...turns];
  world.server.script(route, (request) => {
    if (isForCard(request) && !isOfWorker(request)) return chatStream([workerCard]);
    if (isForCard(request)) return request.body.includes('The card is kept') ? chatStream(['done']) : worker(request);
    const call = left.shift();
    if (call === undefined) return chatStream([words(1200, 'answer')]);
    const [name, args] = call;
    return chatCalls([{ id: `call_${turns.length - left.length}`, name, arguments: JSON.stringify(args) }], [words(700, 'thought')]);
  });
}
export const reads = (...paths: string[]): Call[] => paths.map((path) => ['read_file', { path }]);

/** A turn of several steps, to its end. */
export async function turn(text: string, conversationId: ConversationId | null = null): Promise<ConversationId> {
  const { fixture } = world;
  const from = fixture.events.length;
  const started = fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
  await fixture.event('stepEnded', (event) => !event.goesOn && fixture.events.indexOf(event) >= from);
  return started.conversationId;
}

export const bodyOf = (id: ConversationId): MemoryBody | undefined => records(id).at(-1)?.body;

/** What the last request says, as text. */
export function lastSaid(): string {
  const { messages } = JSON.parse(bodies().at(-1) ?? '{}') as { messages: { content: unknown }[] };
  return messages.map(({ content }) => (typeof content === 'string' ? content : JSON.stringify(content))).join('\n');
}
