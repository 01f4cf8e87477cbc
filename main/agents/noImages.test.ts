// A reader that claims vision and refuses images (S10): the turn goes on without them, and it is remembered until it is forgotten.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { json, type ScriptedServer, type Step, startScriptedServer } from '../../e2e/fixtures/scriptedServer';
import { chatCalls, chatError, chatStream } from '../../e2e/fixtures/scripts/chat';
import type { ConversationId, MessageId, ProviderId } from '../../shared/model/ids';
import { type ImagePart, textOf } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import { unseenImage } from '../context/wording';
import { plainCanvas, pngOf } from '../providers/pictures/pictureFixture';
import { getConversation } from '../store/conversations';
import { listFailedTurns } from '../store/failedTurns';
import { readPath } from '../store/messages';
import { helper, makeTurnFixture, type TurnFixture } from './agentsFixture';
import { type Dialect, type DialectName, dialects } from './ladder/dialectsFixture';
import { goodCard } from './ladder/talkFixture';
import { allTools } from './tools/registry';

let server: ScriptedServer;
let fixture: TurnFixture;
beforeEach(async () => {
  server = await startScriptedServer();
});
afterEach(async () => {
  await fixture.close();
  await server.close();
  fixture.remove();
});

/** `own`: what the person states of the model. */
async function open({ kind, baseUrl }: Dialect, own: Partial<ModelInfo> = {}): Promise<void> {
  fixture = await makeTurnFixture(server.url, {
    agents: [{ ...helper, tools: allTools.map(({ name }) => name) }],
    providers: [
      {
        id: 'local' as ProviderId,
        name: 'Local',
        kind,
        baseUrl: baseUrl(server.url),
        models: [{ id: 'm1', contextWindow: 32_000, tools: true, ...own }],
      },
    ],
  });
}
const { chat } = dialects;

let width = 8;
async function picture(name = 'oak.png'): Promise<ImagePart> {
  width += 1;
  const bytes = pngOf(plainCanvas(width, 8));
  const hash = await fixture.blobs.write(bytes, 'image/png');
  return { type: 'image', hash, mime: 'image/png', name, size: bytes.length, width, height: 8 };
}
async function send(text: string, attachments: ImagePart[] = [], conversationId: ConversationId | null = null): Promise<ConversationId> {
  const from = fixture.events.length;
  const started = fixture.scheduler.start({ conversationId, text, attachments, agentId: null });
  const isEnd = (event: { conversationId: string; goesOn?: true | undefined }) =>
    event.conversationId === started.conversationId && !event.goesOn;
  await fixture.event('stepEnded', (event) => isEnd(event) && fixture.events.indexOf(event) >= from);
  return started.conversationId;
}
/** Looks for bytes of PNG in base64: of how many pictures each request was. */
const pictures = () => server.requests.map(({ body }) => body.match(/iVBORw0KGgo/g)?.length ?? 0);
const sent = (nth: number) => server.requests.at(nth)?.body ?? '';
const notices = () => fixture.events.flatMap((event) => (event.type === 'notice' ? [event.notice] : []));
const answers = (id: ConversationId) =>
  readPath(fixture.db, getConversation(fixture.db, id)?.tipId as MessageId)
    .filter(({ role }) => role === 'assistant')
    .map(textOf);
const asSent = (words: string) => JSON.stringify(words).slice(1, -1);

const refusals: Record<DialectName, Step[]> = {
  chat: chatError(400, 'Invalid content type. image_url is only supported by certain models.'),
  responses: chatError(400, 'This model does not support image inputs.'),
  gemini: json({ error: { code: 400, message: 'Image input modality is not enabled for models/m1', status: 'INVALID_ARGUMENT' } }, 400),
};

describe.each(Object.keys(refusals) as DialectName[])('in the dialect %s', (name) => {
  const dialect = dialects[name];
  it('S10, P7: the turn is built anew without images and answered; it is remembered over a restart, until it is forgotten', async () => {
    await open(dialect);
    server.script(dialect.route, refusals[name], dialect.say('Told, not seen.'));
    const first = await send('What is this?', [await picture()]);
    expect(answers(first)).toEqual(['Told, not seen.']);
    expect(pictures()).toEqual([1, 0]);
    expect(sent(1)).toContain(asSent(unseenImage('oak.png')));
    expect(notices()).toEqual([{ code: 'imagesNotTaken', values: { model: 'm1' }, tone: 'warning' }]);
    expect(fixture.models.modelInfo('local/m1')).toMatchObject({ vision: false });

    await send('And here?', [await picture()]);
    expect(pictures()).toEqual([1, 0, 0]);

    await fixture.models.forgetLimit('nobody/nothing');
    fixture = await fixture.restart();
    await send('After a restart?', [await picture()], first);
    expect(pictures()).toEqual([1, 0, 0, 0]);
    expect(notices()).toEqual([]);

    await fixture.models.forgetLimit('local/m1');
    await send('Now it can see.', [await picture('elm.png')], first);
    expect(pictures()).toEqual([1, 0, 0, 0, 3]);
    expect(sent(4)).not.toContain(asSent(unseenImage('oak.png')));
  });
});

it('S10, L7: a person’s word that it sees wins: each turn shows the images again, and goes on without them when they are refused', async () => {
  await open(chat, { vision: true });
  const call = chatCalls([{ id: 'c1', name: 'list_files', arguments: '{"path":"."}' }]);
  server.script(chat.route, refusals.chat, call, chat.say('One.'), refusals.chat, chat.say('Two.'), chat.say('Seen.'));
  const id = await send('What is this?', [await picture()]);
  expect(pictures()).toEqual([1, 0, 0]);
  expect(notices().map(({ code }) => code)).toEqual(['imagesNotTakenNow']);
  await send('And now?', [], id);
  expect(pictures()).toEqual([1, 0, 0, 1, 0]);
  expect(fixture.models.modelInfo('local/m1')).toMatchObject({ vision: true, learned: { noImages: { at: expect.any(Number) } } });
  await send('Once more', [], id);
  expect(pictures()).toEqual([1, 0, 0, 1, 0, 1]);
  expect(answers(id).at(-1)).toBe('Seen.');
});

it('S10, X8: refused without images too, the turn fails with the server’s words and a way on: one more try, not more', async () => {
  await open(chat);
  server.script(chat.route, refusals.chat);
  const id = await send('What is this?', [await picture()]);
  expect(pictures()).toEqual([1, 0]);
  const [turn] = listFailedTurns(fixture.db, { conversationId: id });
  expect(turn?.failure).toMatchObject({ code: 'badRequest', detail: { providerText: expect.stringContaining('image_url') } });
});

it('S10: a picture that a tool shows in the middle of a turn is told instead, and the turn goes on', async () => {
  await open(chat);
  writeFileSync(join(fixture.workspace, 'leaf.png'), pngOf(plainCanvas(8, 8)));
  const call = chatCalls([{ id: 'c1', name: 'view_image', arguments: '{"path":"leaf.png"}' }]);
  server.script(chat.route, call, refusals.chat, chat.say('I am told of a leaf.'));
  const id = await send('Look at leaf.png');
  expect(pictures()).toEqual([0, 1, 0]);
  expect(sent(2)).toContain(asSent(unseenImage('leaf.png')));
  expect(answers(id).at(-1)).toBe('I am told of a leaf.');
});

it('S10, L16: a full window and a refusal of images in one step are each got over once', async () => {
  await open(chat);
  server.script(
    chat.route,
    chat.say('word '.repeat(6_000)),
    chat.say('More.'),
    chat.tooManyTokens(9_000, 8_000),
    chat.say(goodCard),
    refusals.chat,
    chat.say('Done.'),
  );
  const id = await send('A long answer, please');
  await send('And another', [], id);
  await send('What is this?', [await picture()], id);
  expect(answers(id).at(-1)).toBe('Done.');
  expect(notices().map(({ code }) => code)).toContain('imagesNotTaken');
});

it('P4, S10: a slow-down that speaks of images is waited out; nothing is learned', async () => {
  await open(chat);
  server.script(chat.route, chatError(429, 'Image input is not supported at this rate.'), chatStream(['Seen.']));
  const ended = send('What is this?', [await picture()]);
  await fixture.event('stepPhase', ({ phase }) => phase === 'retrying');
  fixture.waits[0]?.go();
  await ended;
  expect(pictures()).toEqual([1, 1]);
  expect(notices()).toEqual([]);
  expect(fixture.models.modelInfo('local/m1')).not.toHaveProperty('learned');
});

it('P7: more images than a request may hold: the newest stay, the number is remembered, and none is blamed', async () => {
  await open(chat);
  const tooMany = chatError(400, 'At most 1 image(s) may be provided in one request.');
  server.script(chat.route, tooMany, chat.say('Both, one seen.'), chat.say('One more.'));
  const id = await send('Compare', [await picture('oak.png'), await picture('elm.png')]);
  expect(pictures()).toEqual([2, 1]);
  expect(notices()).toEqual([{ code: 'imagesTooMany', values: { model: 'm1', count: 1 }, tone: 'warning' }]);
  await fixture.models.forgetLimit('nobody/nothing');
  fixture = await fixture.restart();
  await send('And this?', [await picture('ash.png')], id);
  expect(pictures()).toEqual([2, 1, 1]);
  expect(fixture.models.modelInfo('local/m1')).toMatchObject({ maxImages: 1 });
});

it('P7: a person’s own number that is refused: those that may be to blame go, as with any picture', async () => {
  await open(chat, { maxImages: 4 });
  const tooMany = chatError(400, 'At most 1 image(s) may be provided in one request.');
  server.script(chat.route, tooMany, chat.say('None seen.'));
  await send('Compare', [await picture('oak.png'), await picture('elm.png')]);
  expect(pictures()).toEqual([2, 0]);
  expect(notices().map(({ code }) => code)).toEqual(['imagesLeftOut']);
});
