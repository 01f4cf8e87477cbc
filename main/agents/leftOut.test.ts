// What a server refuses is left out, said once, and never asked of it again (P4, P7): so that no picture and no tool bricks a conversation.
import { expect, it } from 'vitest';
import type { ScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatError, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { ImagePart } from '../../shared/model/message';
import { textOf } from '../../shared/model/message';
import { getConversation } from '../store/conversations';
import { listFailedTurns } from '../store/failedTurns';
import { readPath } from '../store/messages';
import { helper, type TurnFixture } from './agentsFixture';
import { allTools } from './tools/registry';
import { withTurns } from './turnsFixture';

const route = 'POST /v1/chat/completions';
let server: ScriptedServer;
let fixture: TurnFixture;
withTurns(
  (made, by) => {
    [fixture, server] = [made, by];
  },
  { agents: [{ ...helper, tools: allTools.map(({ name }) => name) }] },
);

const dot = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
async function picture(): Promise<ImagePart> {
  const hash = await fixture.blobs.write(dot, 'image/png');
  return { type: 'image', hash, mime: 'image/png', name: 'dot.png', size: dot.length, width: 1, height: 1 };
}
const send = (text: string, attachments: ImagePart[] = [], conversationId: ConversationId | null = null) =>
  fixture.scheduler.start({ conversationId, text, attachments, agentId: null });
const over = (stepId: unknown) => fixture.event('stepEnded', (event) => event.stepId === stepId);
const notices = () => fixture.events.flatMap((event) => (event.type === 'notice' ? [event.notice.code] : []));
const answers = (id: ConversationId) =>
  readPath(fixture.db, getConversation(fixture.db, id)?.tipId as MessageId)
    .filter(({ role }) => role === 'assistant')
    .map(textOf);
const sent = (at: number) => server.requests[at]?.body ?? '';

it('P7: a refused picture is left out with a notice, the turn is tried once more, and later requests do without it', async () => {
  server.script(route, chatError(400, 'Could not process image'), chatStream(['No picture, then.']), chatStream(['Still here.']));
  const first = send('What is this?', [await picture()]);
  await over(first.stepId);
  expect(answers(first.conversationId)).toEqual(['No picture, then.']);
  expect([sent(0).includes('base64'), sent(1).includes('base64')]).toEqual([true, false]);
  expect(notices()).toEqual(['imagesLeftOut']);
  const second = send('And now?', [], first.conversationId);
  await over(second.stepId);
  expect(sent(2)).not.toContain('base64');
  expect(answers(first.conversationId)).toHaveLength(2);
});

it('P7, X8: refused again without it, the turn fails with its reason: it is tried once more, not for ever', async () => {
  server.script(route, chatError(400, 'Could not process image'), chatError(400, 'Could not process image'), chatStream(['No.']));
  const first = send('What is this?', [await picture()]);
  await over(first.stepId);
  expect(server.requests).toHaveLength(2);
  expect(listFailedTurns(fixture.db, first)[0]?.failure.code).toBe('badRequest');
});

it('P5, A2: a model that takes no tools answers without them, is asked without them from then on, and that is said once', async () => {
  server.script(route, chatError(400, 'llama2 does not support tools'), chatStream(['Hello.']), chatStream(['Again.']));
  const first = send('Hi');
  await over(first.stepId);
  const second = send('More', [], first.conversationId);
  await over(second.stepId);
  expect(answers(first.conversationId)).toEqual(['Hello.', 'Again.']);
  expect(server.requests.map(({ body }) => body.includes('"tools"'))).toEqual([true, false, false]);
  expect(notices()).toEqual(['toolsNotTaken']);
});

it.each([
  'registry.ollama.ai/library/gemma:2b does not support tools',
  'No endpoints found that support tool use. To learn more about provider routing, visit the docs.',
  '"auto" tool choice requires --enable-auto-tool-choice and --tool-call-parser to be set',
  'tools param requires --jinja flag',
])('P5: every server’s way to refuse tools: %s', async (text) => {
  server.script(route, chatError(text.startsWith('No endpoints') ? 404 : 400, text), chatStream(['Hello.']));
  const first = send('Hi');
  await over(first.stepId);
  expect(answers(first.conversationId)).toEqual(['Hello.']);
});

it('P4: a server that reads far less than was sent is warned of once, and its count calibrates nothing', async () => {
  const usage = { prompt_tokens: 2048, completion_tokens: 3 };
  server.script(route, chatStream(['One.'], { usage }), chatStream(['Two.'], { usage }));
  const first = send('word '.repeat(12_000));
  await over(first.stepId);
  const second = send('More', [], first.conversationId);
  await over(second.stepId);
  expect(notices()).toEqual(['promptTruncated']);
  const path = readPath(fixture.db, getConversation(fixture.db, first.conversationId)?.tipId as MessageId);
  expect(path[1]?.usage).toMatchObject({ input: 2048, estimated: true });
});
