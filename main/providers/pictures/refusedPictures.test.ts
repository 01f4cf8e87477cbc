// A picture that a provider refuses must not brick a conversation: it is named, and the same request goes without it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScriptedServer, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatError, chatStream } from '../../../e2e/fixtures/scripts/chat';
import { geminiPath, geminiStream } from '../../../e2e/fixtures/scripts/gemini';
import { responsesPath, responsesStream } from '../../../e2e/fixtures/scripts/responses';
import type { BlobHash } from '../../../shared/model/ids';
import type { ImageRequestPart, ModelRequest, RequestMessage } from '../../../shared/model/request';
import { geminiProvider } from '../gemini/gemini';
import { chatProvider } from '../openai/chat';
import { responsesProvider } from '../openai/responses';
import { ask, connectTo, onePixelBytes, readAll, type ScriptedChat, scriptChat } from '../providerFixture';
import { picturesIn, refusedPicture, tooManyPictures, withoutPictures } from './leaveOut';

let server: ScriptedServer;
let chat: ScriptedChat;
beforeAll(async () => {
  server = await startScriptedServer();
  chat = scriptChat(server, 'pictures');
});
afterAll(() => server.close());

const hashOf = (letter: string) => letter.repeat(64) as BlobHash;
const image = (letter: string): ImageRequestPart => ({ type: 'image', hash: hashOf(letter), mime: 'image/png', name: `${letter}.png` });
const blobs = Object.fromEntries([...'abcdef'].map((letter) => [hashOf(letter), onePixelBytes]));
const shows = (...letters: string[]): RequestMessage => ({ role: 'user', parts: [{ type: 'text', text: 'Look' }, ...letters.map(image)] });
const answer: RequestMessage = { role: 'assistant', parts: [{ type: 'text', text: 'Seen.' }] };
const looked: RequestMessage[] = [
  { role: 'assistant', parts: [{ type: 'toolCall', callId: 'x', name: 'view_image', arguments: '{}' }] },
  {
    role: 'tool',
    parts: [{ type: 'toolResult', callId: 'x', name: 'view_image', content: 'Viewed', isError: false, images: [image('b')] }],
  },
];
const request = (messages: RequestMessage[], more: Partial<ModelRequest> = {}) => ask('', { messages, ...more });
const pictureCount = (body: string) => body.match(/iVBORw0KGgo/g)?.length ?? 0;

it.each([
  ['a picture of the user', [shows('a')]],
  ['a picture of a result', [shows(), ...looked]],
])('P7: %s that is refused is named, and left out of the next request', async (_what, messages) => {
  const { url, nth } = chat(chatError(400, 'Could not process image'), chatStream(['fine']));
  const connection = connectTo('openai-chat', url, { blobs });
  const { failure, last } = await readAll(chatProvider, request(messages), connection);
  expect(failure).toMatchObject({ code: 'imageRefused', detail: { providerText: 'Could not process image' } });
  const images = last?.type === 'failed' ? (last.images ?? []) : [];
  expect(images).toEqual(picturesIn(messages));
  expect((await readAll(chatProvider, request(messages, { leaveOut: new Set(images) }), connection)).text).toBe('fine');
  expect(pictureCount((await nth(1)).body)).toBe(1);
  expect(pictureCount((await nth(2)).body)).toBe(0);
  expect((await nth(2)).body).toContain(refusedPicture);
  // Without a picture the content is plain text again: servers for text models take no lists.
  expect((await nth(2)).body).not.toContain('image_url');
  expect((await nth(2)).json).not.toMatchObject({ messages: [{ content: [{}] }] });
});

it('P7: those that the model took before are not to blame', async () => {
  const { url } = chat(chatStream(['fine']), chatError(400, 'Could not process image'), chatError(400, 'Could not process image'));
  const connection = connectTo('openai-chat', url, { blobs });
  await readAll(chatProvider, request([shows('a')]), connection);
  expect((await readAll(chatProvider, request([shows('a'), answer, shows('b', 'c')]), connection)).last).toMatchObject({
    images: [hashOf('b'), hashOf('c')],
  });
  expect((await readAll(chatProvider, request([shows('a')]), connection)).last).toMatchObject({ images: [hashOf('a')] });
});

it('P7: without a picture the same words are another bad request', async () => {
  const { url } = chat(chatError(400, 'image_url is not supported here'));
  const { last } = await readAll(chatProvider, request([shows()]), connectTo('openai-chat', url));
  expect(last).toMatchObject({ type: 'failed', failure: { code: 'badRequest', retryable: false } });
  expect(last).not.toHaveProperty('images');
});

it('P7: what is left out is left out of every dialect, the rest stays', async () => {
  const messages = [shows('a', 'c'), ...looked];
  const leaveOut = new Set([hashOf('a'), hashOf('b')]);
  server.script(`POST /left${responsesPath}`, responsesStream(['ok']));
  await readAll(responsesProvider, request(messages, { leaveOut }), connectTo('openai-responses', `${server.url}/left/v1`, { blobs }));
  server.script(`POST ${geminiPath('gemini-left')}`, geminiStream(['ok']));
  await readAll(geminiProvider, request(messages, { leaveOut, modelId: 'gemini-left' }), connectTo('gemini', server.url, { blobs }));
  const sent = await Promise.all([server.request(`/left${responsesPath}`), server.request(geminiPath('gemini-left'))]);
  for (const { body } of sent) {
    expect(pictureCount(body)).toBe(1);
    expect(body.split(refusedPicture)).toHaveLength(3);
  }
});

describe('more than a model takes', () => {
  it('P7: the oldest go, of results too, and say so', () => {
    const messages = [shows('a', 'c'), ...looked, answer, shows('d', 'e')];
    const kept = withoutPictures(request(messages), 3);
    expect(picturesIn(kept)).toEqual([hashOf('b'), hashOf('d'), hashOf('e')]);
    expect(kept[0]?.parts).toEqual([
      { type: 'text', text: 'Look' },
      { type: 'text', text: tooManyPictures },
      { type: 'text', text: tooManyPictures },
    ]);
    const fewer = withoutPictures(request(messages), 1);
    expect(picturesIn(fewer)).toEqual([hashOf('e')]);
    expect(fewer[2]?.parts[0]).toMatchObject({ type: 'toolResult', content: `Viewed\n${tooManyPictures}` });
    expect(fewer[2]?.parts[0]).not.toHaveProperty('images');
  });

  it('P7: refused ones do not count, and nothing is touched where nothing goes', () => {
    const messages = [shows('a', 'c'), shows('d')];
    expect(picturesIn(withoutPictures(request(messages, { leaveOut: new Set([hashOf('d')]) }), 2))).toEqual([hashOf('a'), hashOf('c')]);
    expect(withoutPictures(request(messages), 3)).toBe(messages);
  });

  it('P7, S1: pages of a memory stay together; older and newer pictures go before them', () => {
    const page = (letter: string): RequestMessage => ({ role: 'user', parts: [{ ...image(letter), page: true }] });
    const kept = withoutPictures(request([shows('a'), page('b'), page('c'), shows('d'), shows('e')]), 3);
    expect(picturesIn(kept)).toEqual([hashOf('b'), hashOf('c'), hashOf('e')]);
    expect(picturesIn(withoutPictures(request([page('b'), page('c'), shows('d')]), 1))).toEqual([hashOf('b'), hashOf('c')]);
  });

  it('P7: the number that is known of a model wins over that of its family', async () => {
    const { url, nth } = chat(chatStream(['fine']), chatStream(['fine']));
    const connection = connectTo('openai-chat', url, { blobs });
    await readAll(chatProvider, request([shows(...'abcdef')], { maxImages: 2 }), connection);
    await readAll(chatProvider, request([shows(...'abcdef')], { maxImages: 6 }), connection);
    expect([pictureCount((await nth(1)).body), pictureCount((await nth(2)).body)]).toEqual([2, 6]);
  });

  it('P7: a server nobody knows gets five', async () => {
    const { url, nth } = chat(chatStream(['fine']));
    await readAll(chatProvider, request([shows(...'abcdef')]), connectTo('openai-chat', url, { blobs }));
    expect(pictureCount((await nth(1)).body)).toBe(5);
  });
});

it('P7, X4: one that is no picture is told to the model, and the turn goes on', async () => {
  const { url, nth } = chat(chatStream(['fine']));
  const broken = connectTo('openai-chat', url, { blobs: { [hashOf('9')]: new Uint8Array([1, 2, 3]) } });
  expect((await readAll(chatProvider, request([shows('9')]), broken)).text).toBe('fine');
  expect((await nth(1)).body).toContain('The picture “9.png” is left out: it is no PNG, JPEG, GIF or WebP.');
});
