// What tools leave in a request: calls and results in their places, or told as text where nothing may be called; digests; lost blobs.
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ToolDefinition } from '../../shared/model/request';
import type { Step } from '../../shared/model/transcript';
import { buildContext, type RequestInput } from './buildRequest';
import { agent, answer, call, image, message } from './contextFixture';
import { cancelled, continueOrder } from './wording';

const readFile: ToolDefinition = { name: 'read_file', description: 'Reads.', inputSchema: { type: 'object' } };
const q = message('q', 'user');
const build = (path: (Message | [Message, Step])[], more: Partial<RequestInput> & { is?: Partial<ModelInfo> } = {}) => {
  const { is, ...input } = more;
  const steps = new Map(path.flatMap((one): [MessageId, Step][] => (Array.isArray(one) ? [[one[0].id, one[1]]] : [])));
  const messages = path.map((one) => (Array.isArray(one) ? one[0] : one));
  return buildContext({ path: messages, agent, model: { id: 'm', ...is }, texts: new Map(), steps, tools: [readFile], ...input }).request;
};
const textsOf = (request: ReturnType<typeof build>) =>
  request.messages.map(({ role, parts }) => `${role}: ${parts.map((part) => ('text' in part ? part.text : part.type)).join(' | ')}`);

describe('tools in a request', () => {
  const used = answer('a', [{ type: 'text', text: 'I look.' }, call('1')], [{ callId: '1', summary: 'read a', content: 'inside' }]);

  it('A2: tools are offered unless there are none or the model takes none', () => {
    expect(build([q]).tools).toEqual([readFile]);
    expect('tools' in build([q], { tools: [] })).toBe(false);
    expect('tools' in build([q], { is: { tools: false } })).toBe(false);
  });

  it('X9, L8: a step that ended with calls ends the request with its results, without an order to go on', () => {
    expect(build([q, used]).messages.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool']);
  });

  it('A6: a message steered in stands between the steps as it is', () => {
    const [more] = answer('b', [{ type: 'text', text: 'Done.' }]);
    const request = build([q, used, message('use b instead', 'user', { turnId: more.turnId }), more]);
    expect(textsOf(request)).toEqual([
      'user: q',
      'assistant: I look. | toolCall',
      'tool: toolResult',
      'user: use b instead',
      'assistant: Done.',
      `user: ${continueOrder}`,
    ]);
  });

  it('X9: a step that broke off among its calls goes, once continued, with what was finished; open calls may have run', () => {
    const cut = answer('a', [call('1'), call('2')], [{ callId: '1', summary: 'read a' }], { status: 'interrupted' });
    const results = build([q, cut]).messages.at(-1)?.parts;
    expect(results).toMatchObject([
      { callId: '1', content: 'read a', isError: false },
      { callId: '2', content: cancelled, isError: true },
    ]);
    expect(textsOf(build([q, cut, message('n', 'user')]))).toEqual([
      'user: q',
      'assistant: [This answer broke off before it was finished.]',
      'user: n',
    ]);
  });

  it.each([
    ['takes no tools', { is: { tools: false } }],
    ['is offered none', { tools: [] }],
  ])('P6, X1: a model that %s is told of calls and results as text, all of it, and nothing opaque', (_, more) => {
    const content = [
      { type: 'vendor' as const, vendor: { family: 'openai', json: '{}' } },
      { type: 'text' as const, text: 'I look.' },
      call('1'),
    ];
    const images = [image('cat')];
    const request = build([q, answer('a', content, [{ callId: '1', summary: 's', content: 'inside', images }])], more);
    expect(textsOf(request)).toEqual([
      'user: q',
      'assistant: I look.',
      'user: [The assistant used the tool read_file with {"path":"a"}. Its result:]\ninside\n[End of the result.] | image',
    ]);
  });

  it('X7: an answer whose transcript is lost tells its calls with the one line that the store has', () => {
    const [retold] = used;
    expect(textsOf(build([q, retold])).slice(1)).toEqual([
      'assistant: I look.',
      'user: [The assistant used the tool read_file with {"path":"a"}. Its result:]\nread a\n[End of the result.]',
    ]);
  });

  it('P2, P7, X4: pictures of results go to who sees; blind models and lost pictures get words, never a hash', () => {
    const shown = answer('a', [call('1')], [{ callId: '1', summary: 'looked', content: 'A picture.', images: [image('cat')] }]);
    const result = (more: Parameters<typeof build>[1]) => build([q, shown], more).messages.at(-1)?.parts[0];
    expect(result({})).toMatchObject({ content: 'A picture.', images: [{ name: 'cat.png' }] });
    const blind = result({ is: { vision: false } });
    expect(blind).toMatchObject({ content: expect.stringContaining('A picture.\n[Image "cat.png" is not sent') });
    expect(blind).not.toHaveProperty('images');
    const lost = { missing: new Set([image('cat').hash]) };
    expect(result(lost)).toMatchObject({ content: 'A picture.\n[Image "cat.png" is no longer in the workspace.]' });
    const request = build([message('p', 'user', { parts: [image('cat')] }), shown], lost);
    expect(JSON.stringify(request)).not.toContain(image('cat').hash);
  });

  it('A2: the whole output kept in the blob store is never named by its hash', () => {
    const stored = { hash: image('out').hash, size: 9, lines: 1 };
    const request = build([q, answer('a', [call('1')], [{ callId: '1', summary: 's', content: 'head … tail', stored }])]);
    expect(JSON.stringify(request)).toContain('head … tail');
    expect(JSON.stringify(request)).not.toContain(stored.hash);
  });
});

describe('digests', () => {
  const digest = message('d', 'digest', { parentId: q.id, parts: [{ type: 'text', text: 'B does not work.' }] });

  it('T11, C3: a digest goes in the user role, in a frame that says what it is, with the checkpoint where there is one', () => {
    const [, told] = build([q, digest]).messages;
    expect(told?.role).toBe('user');
    const text = textsOf(build([q, digest]))[1];
    expect(text).toMatch(/explored and left.*not in this conversation.*not a new request/s);
    expect(text).toContain('\nB does not work.\n');
    expect(textsOf(build([q, digest], { labels: new Map([[q.id, 'before]\n[x']]) }))[1]).toContain('the checkpoint "before   x"');
  });

  it('T11: one that was carried over from another branch says so, also under a checkpoint', () => {
    const carried = { ...digest, digest: { from: q.id } };
    const text = textsOf(build([q, carried], { labels: new Map([[q.id, 'before']]) }))[1];
    expect(text).toMatch(/\[Digest\. Another branch .*not a new request/s);
    expect(text).not.toContain('before');
  });
});
