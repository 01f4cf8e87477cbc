// recall: what was folded or left out comes back word for word, from this path alone (A2, L2).
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import type { ScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatCalls, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { words } from '../context/ladder/ladderFixture';
import { getConversation } from '../store/conversations';
import { readPath } from '../store/messages';
import { helper, type TurnFixture } from './agentsFixture';
import { withTurns } from './turnsFixture';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
let fixture: TurnFixture;
withTurns(
  (made, by) => {
    [fixture, server] = [made, by];
    put('secret.txt', 'first\nthe code is XK-42\nlast\n');
  },
  { agents: [{ ...helper, tools: ['read_file', 'recall'] }] },
);

function put(name: string, text: string): void {
  mkdirSync(dirname(join(fixture.workspace, name)), { recursive: true });
  writeFileSync(join(fixture.workspace, name), text);
}
const over = (id: ConversationId, after: number) =>
  fixture.event('stepEnded', (event) => event.conversationId === id && !event.goesOn && fixture.events.indexOf(event) >= after);
const tip = (id: ConversationId) => getConversation(fixture.db, id)?.tipId as MessageId;
async function turn(text: string, conversationId: ConversationId | null = null): Promise<ConversationId> {
  const after = fixture.events.length;
  const started = fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
  await over(started.conversationId, after);
  return started.conversationId;
}
const call = (id: string, name: string, input: unknown) => chatCalls([{ id, name, arguments: JSON.stringify(input) }]);
const sent = () => server.requests.at(-1)?.body ?? '';
const lastResult = () => {
  const { messages } = JSON.parse(sent()) as { messages: { role: string; content: string }[] };
  return messages.findLast(({ role }) => role === 'tool')?.content ?? '';
};

it('A2, L2: a result left out is a line with its call; recall gives it back by id and range, and it stays', async () => {
  server.script(route, call('call_a', 'read_file', { path: 'secret.txt' }), chatStream(['Read.']));
  put('secret.txt', `${Array.from({ length: 400 }, (_, at) => `line ${at} ${words(10)}`).join('\n')}\nthe code is XK-42\n`);
  const id = await turn('Read the secret');
  await fixture.memory.shake({ conversationId: id, agentId: null }, null, new AbortController().signal);
  server.script(route, chatStream([words(17_000)]), chatStream(['ok']));
  await turn('Long', id);
  const end = await fixture.memory.shake({ conversationId: id, agentId: null }, 'results', new AbortController().signal);
  expect(end).toMatchObject({ type: 'done', receipt: { record: { kind: 'free', elided: 1 } } });
  server.script(route, call('call_b', 'recall', { id: 'call_a', from: 400, to: 401 }), chatStream(['It is XK-42.']));
  await turn('What was the code?', id);
  expect(sent()).toContain('[content left out; recall {\\"id\\":\\"call_a\\"} shows it]');
  expect(lastResult()).toContain('the code is XK-42');
  expect(lastResult()).not.toContain('line 300 ');
});

it('A2, S11: recall finds words on this path, not on a branch that was left; unknown ids and empty hands are told', async () => {
  server.script(route, chatStream(['The moon is made of basalt.']), chatStream(['Hidden word: marzipan.']));
  const id = await turn('Tell me of the moon');
  await turn('Say the hidden word', id);
  const [first] = readPath(fixture.db, tip(id));
  const edited = fixture.scheduler.edit({
    conversationId: id,
    messageId: readPath(fixture.db, tip(id))[2]?.id as MessageId,
    text: 'Say nothing',
    attachments: [],
  });
  server.script(
    route,
    call('c1', 'recall', { query: 'marzipan' }),
    call('c2', 'recall', { query: 'MOON basalt' }),
    call('c3', 'recall', { id: first?.id }),
    call('c4', 'recall', { id: 'call_nowhere' }),
    chatStream(['Done.']),
  );
  await over(id, 0);
  await fixture.event('stepEnded', (event) => event.stepId !== edited.stepId && !event.goesOn && event.conversationId === id);
  await expect.poll(() => server.requests.length).toBeGreaterThanOrEqual(7);
  const { messages } = JSON.parse(sent()) as { messages: { role: string; content: string }[] };
  const results = messages.filter(({ role }) => role === 'tool').map(({ content }) => content);
  expect(results[0]).toContain('Nothing earlier holds');
  expect(results[1]).toContain('The moon is made of basalt.');
  expect(results[2]).toContain('Tell me of the moon');
  expect(results[3]).toContain('has the id call_nowhere');
});
