import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { end, head, json, type ScriptedServer, type Step, send, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { callChunk, chatCalls, chatChunk, event } from '../../../e2e/fixtures/scripts/chat';
import { CallAssembler, type CallDelta } from '../callAssembler';
import { ask, connectTo, type Outcome, readAll, readTool, type ScriptedChat, scriptChat } from '../providerFixture';
import { chatProvider } from './chat';

let server: ScriptedServer;
let chat: ScriptedChat;
beforeAll(async () => {
  server = await startScriptedServer();
  chat = scriptChat(server, 'calls');
});
afterAll(() => server.close());

const bytes = (text: string): Step[] => [head(), send(text), end()];
const run = (...steps: Step[]) => readAll(chatProvider, ask('Hi', { tools: [readTool] }), connectTo('openai-chat', chat(steps).url));
const stop = chatChunk({}, 'stop');
const finish = chatChunk({}, 'tool_calls') + event('[DONE]');
/** `id name arguments` of each call; a broken one with a mark. */
const said = ({ calls }: Outcome) =>
  calls.map(({ callId, name, arguments: text, valid }) => `${callId} ${name} ${text}${valid ? '' : ' (broken)'}`);
const fn = (name: string | undefined, text?: unknown) => ({
  function: { ...(name === undefined ? {} : { name }), ...(text === undefined ? {} : { arguments: text }) },
});

describe('tool calls in a stream', () => {
  it('P3: parallel calls after text, shown as they grow, each said whole before the end', async () => {
    const outcome = await run(
      ...chatCalls(
        [
          { name: 'read_file', arguments: '{"path":"a"}' },
          { name: 'read_file', arguments: '{"path":"b"}' },
        ],
        ['I look.'],
      ),
    );
    expect(outcome.text).toBe('I look.');
    expect(outcome.events.filter(({ type }) => type !== 'usage')).toEqual([
      { type: 'accepted' },
      { type: 'text', text: 'I look.' },
      { type: 'toolCallStarted', index: 0, name: 'read_file' },
      { type: 'toolCallDelta', index: 0, name: 'read_file', text: '{"path' },
      { type: 'toolCallDelta', index: 0, name: 'read_file', text: '":"a"}' },
      { type: 'toolCallStarted', index: 1, name: 'read_file' },
      { type: 'toolCallDelta', index: 1, name: 'read_file', text: '{"path' },
      { type: 'toolCallDelta', index: 1, name: 'read_file', text: '":"b"}' },
      { type: 'toolCall', index: 0, callId: 'call_1', name: 'read_file', arguments: '{"path":"a"}', valid: true },
      { type: 'toolCall', index: 1, callId: 'call_2', name: 'read_file', arguments: '{"path":"b"}', valid: true },
      { type: 'done', finish: 'toolCalls' },
    ]);
  });

  const quirks: [string, string, string[]][] = [
    [
      'deltas without index',
      callChunk({ id: 'a', ...fn('one', '') }) +
        callChunk(fn(undefined, '{"n"')) +
        callChunk(fn(undefined, ':1}')) +
        callChunk({ id: 'b', ...fn('two', '{}') }),
      ['a one {"n":1}', 'b two {}'],
    ],
    [
      'pieces without index and id, behind two calls in one chunk: they go on with the last',
      callChunk({ id: 'a', ...fn('one', '{}') }, { id: 'b', ...fn('one', '') }) + callChunk(fn(undefined, '{"n":1}')),
      ['a one {}', 'b one {"n":1}'],
    ],
    [
      'all index 0 with different ids',
      callChunk({ index: 0, id: 'a', ...fn('one', '{"n"') }) +
        callChunk({ index: 0, ...fn(undefined, ':1}') }) +
        callChunk({ index: 0, id: 'b', ...fn('one', '{"n"') }) +
        callChunk({ index: 0, ...fn(undefined, ':2}') }),
      ['a one {"n":1}', 'b one {"n":2}'],
    ],
    [
      'all index 0, ids in every delta, interleaved',
      callChunk({ index: 0, id: 'a', ...fn('one', '{"n"') }) +
        callChunk({ index: 0, id: 'b', ...fn('one', '{"n"') }) +
        callChunk({ index: 0, id: 'a', ...fn(undefined, ':1}') }) +
        callChunk({ index: 0, id: 'b', ...fn(undefined, ':2}') }),
      ['a one {"n":1}', 'b one {"n":2}'],
    ],
    [
      'the same call repeated under several indexes, whole',
      [0, 1, 2].map((index) => callChunk({ index, id: 'a', ...fn('one', '{"n":1}') })).join(''),
      ['a one {"n":1}'],
    ],
    [
      'the same call repeated under several indexes, piece by piece',
      ['{"n"', ':1}'].map((text) => callChunk(...[0, 1].map((index) => ({ index, id: 'a', ...fn('one', text) })))).join(''),
      ['a one {"n":1}'],
    ],
    [
      'an index that grows with each piece of one call',
      ['{"n"', ':1', '}'].map((text, index) => callChunk({ index, id: 'a', ...fn('one', text) })).join(''),
      ['a one {"n":1}'],
    ],
    [
      'the id only in the first delta, the first index 1',
      callChunk({ index: 1, id: 'a', ...fn('one', '') }) + callChunk({ index: 1, ...fn(undefined, '{"n":1}') }),
      ['a one {"n":1}'],
    ],
    [
      'id and name repeated in every delta',
      ['', '{"n"', ':1}'].map((text) => callChunk({ index: 0, id: 'a', ...fn('one', text) })).join(''),
      ['a one {"n":1}'],
    ],
    [
      'one id for two different calls',
      callChunk({ index: 0, id: 'a', ...fn('one', '{"n":1}') }) + callChunk({ index: 1, id: 'a', ...fn('one', '{"n":2}') }),
      ['a one {"n":1}', 'a_2 one {"n":2}'],
    ],
    [
      'the whole call said again at its end',
      callChunk({ index: 0, id: 'a', ...fn('one', '{"n"') }) +
        callChunk({ index: 0, ...fn(undefined, ':1}') }) +
        callChunk({ index: 0, id: 'a', ...fn('one', '{"n":1}') }),
      ['a one {"n":1}'],
    ],
    [
      'the id after the name, the name in pieces',
      callChunk({ index: 0, ...fn('read_') }) + callChunk({ index: 0, id: 'a', ...fn('file', '{}') }),
      ['a read_file {}'],
    ],
    [
      'whole calls, one a chunk, all at index 0 and without ids (Ollama)',
      callChunk({ index: 0, ...fn('one', '{"n":1}') }) +
        callChunk({ index: 0, ...fn('one', '{"n":2}') }) +
        callChunk({ index: 0, ...fn('two', {}) }),
      ['call00000 one {"n":1}', 'call00001 one {"n":2}', 'call00002 two {}'],
    ],
    [
      'whole calls in one chunk, without index and id, arguments as an object',
      callChunk(fn('one', { n: 1 }), fn('one', { n: 1 }), fn('two')),
      ['call00000 one {"n":1}', 'call00001 one {"n":1}', 'call00002 two {}'],
    ],
    [
      'the old function_call',
      chatChunk({ function_call: { name: 'one', arguments: '' } }) +
        chatChunk({ function_call: { arguments: '{"n"' } }) +
        chatChunk({ function_call: { arguments: ':1}' } }),
      ['call00000 one {"n":1}'],
    ],
    [
      'the old function_call beside the new field',
      chatChunk({ tool_calls: [{ index: 0, id: 'a', ...fn('one', '{}') }], function_call: { name: 'one', arguments: '{}' } }),
      ['a one {}'],
    ],
    [
      'arguments left out, null, or an object in a string',
      callChunk({ id: 'a', ...fn('one') }, { id: 'b', ...fn('one', 'null') }, { id: 'c', ...fn('one', '"{\\"n\\":1}"') }),
      ['a one {}', 'b one {}', 'c one {"n":1}'],
    ],
    [
      'broken arguments beside good ones',
      callChunk(
        { index: 0, id: 'a', ...fn('one', '{"n":') },
        { index: 1, id: 'b', ...fn('one', '[1]') },
        { index: 2, id: 'c', ...fn('one', '{}') },
      ),
      ['a one {"n": (broken)', 'b one [1] (broken)', 'c one {}'],
    ],
    ['calls before text', callChunk({ index: 0, id: 'a', ...fn('one', '{}') }) + chatChunk({ content: 'Now.' }), ['a one {}']],
    [
      'pieces that are no calls',
      callChunk({}, { index: 0, id: 'a', ...fn('one', '{}') }) +
        chatChunk({ tool_calls: null, function_call: null }) +
        chatChunk({ tool_calls: ['x', 3] }),
      ['a one {}'],
    ],
  ];
  it.each(quirks)('P3: %s', async (_name, body, calls) => {
    for (const ending of [finish, stop]) {
      const outcome = await run(...bytes(body + ending));
      expect(said(outcome)).toEqual(calls);
      expect(outcome.last).toEqual({ type: 'done', finish: 'toolCalls' });
      expect(outcome.calls.map(({ index }) => index)).toEqual(calls.map((_, index) => index));
    }
  });

  it('P3: a server that does not stream calls all the same', async () => {
    const message = { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', ...fn('one', '{"n":1}') }] };
    const outcome = await run(...json({ choices: [{ index: 0, message, finish_reason: 'tool_calls' }] }));
    expect(said(outcome)).toEqual(['a one {"n":1}']);
  });

  it('P3: calls of an answer that broke off are not said whole; those of one cut at the limit are, and it stays cut', async () => {
    const body = callChunk({ index: 0, id: 'a', ...fn('one', '{}') }) + callChunk({ index: 1, id: 'b', ...fn('one', '{"path":"lo') });
    expect(await run(...bytes(body))).toMatchObject({ calls: [], failure: { code: 'connectionLost' } });
    const cut = await run(...bytes(body + chatChunk({}, 'length')));
    expect(said(cut)).toEqual(['a one {}', 'b one {"path":"lo (broken)']);
    expect(cut.last).toEqual({ type: 'done', finish: 'length' });
  });

  it('P3: a call that was not asked for is no answer', async () => {
    const steps = chatCalls([{ name: 'read_file', arguments: '{}' }]);
    const outcome = await readAll(chatProvider, ask('Hi'), connectTo('openai-chat', chat(steps).url));
    expect(outcome).toMatchObject({ calls: [], failure: { code: 'emptyAnswer' } });
  });

  it('P3: thought signatures of Google’s models arrive byte for byte', async () => {
    const signature = 'Ab+/9==\u2028"\\é';
    const outcome = await run(
      ...bytes(
        callChunk({ index: 0, id: 'a', ...fn('one', '{}'), extra_content: { google: { thought_signature: signature } } }) +
          callChunk({ index: 1, id: 'b', ...fn('one', '{}') }) +
          finish,
      ),
    );
    expect(outcome.calls.map(({ vendor }) => vendor)).toEqual([
      { family: 'gemini', json: JSON.stringify({ thoughtSignature: signature }) },
      undefined,
    ]);
  });
});

describe('CallAssembler', () => {
  const value = fc.dictionary(
    fc.string({ maxLength: 4 }),
    fc.oneof(fc.string({ unit: 'grapheme', maxLength: 12 }), fc.integer(), fc.constant({ a: ['{', '}'] })),
    {
      maxKeys: 3,
    },
  );
  const calls = fc.array(fc.record({ name: fc.constantFrom('one', 'two'), value }), { minLength: 1, maxLength: 4 });
  /** How a server writes the pieces: what of index, id and name stands in the first piece and in those after it. */
  const styles: ((index: number, first: boolean, last: boolean) => Partial<CallDelta>)[] = [
    (index, first) => ({ index, id: first ? `id-${index}` : '' }),
    (index) => ({ index, id: `id-${index}` }),
    (index, first) => ({ index: index + 1, id: first ? `id-${index}` : '' }),
    (index, first) => ({ index: 0, id: first ? `id-${index}` : '' }),
    (index) => ({ index: 0, id: `id-${index}` }),
    (index, first) => ({ index: null, id: first ? `id-${index}` : '' }),
    (index) => ({ index: null, id: `id-${index}` }),
    (index) => ({ index, id: '' }),
  ];

  it('P3: arguments split anywhere are put together exactly, in every style of index and id', () => {
    const cuts = fc.array(fc.nat(200), { maxLength: 8 });
    fc.assert(
      fc.property(calls, cuts, fc.constantFrom(...styles), fc.boolean(), (wanted, at, style, namesRepeat) => {
        const assembler = new CallAssembler(0);
        const shown: string[] = [];
        wanted.forEach(({ name, value: argumentsOf }, index) => {
          const text = JSON.stringify(argumentsOf);
          const edges = [...new Set([0, ...at.map((cut) => cut % text.length), text.length])].sort((one, two) => one - two);
          edges.slice(1).forEach((edge, piece) => {
            const first = piece === 0;
            const delta = {
              index: null,
              id: '',
              name: first || namesRepeat ? name : '',
              text: text.slice(edges[piece], edge),
              ...style(index, first, edge === text.length),
            };
            for (const one of assembler.push([delta]))
              if (one.type === 'toolCallDelta') shown[one.index] = (shown[one.index] ?? '') + one.text;
          });
        });
        const done = assembler.finish();
        expect(done.map((call) => [call.name, call.arguments, call.valid, call.index])).toEqual(
          wanted.map((call, index) => [call.name, JSON.stringify(call.value), true, index]),
        );
        expect(shown).toEqual(done.map((call) => call.arguments));
        expect(new Set(done.map(({ callId }) => callId)).size).toBe(done.length);
      }),
      { numRuns: 500 },
    );
  });

  it('P3: whatever pieces come, ids are unique, indexes count up, and valid says whether the text is an object', () => {
    const delta: fc.Arbitrary<CallDelta> = fc.record({
      index: fc.constantFrom(null, 0, 1, 2, -1),
      id: fc.constantFrom('', 'a', 'b', 'a_2'),
      name: fc.constantFrom('', 'one', 'two'),
      text: fc.constantFrom('', '{', '}', '{}', '{"n":1}', '"', 'x'),
    });
    fc.assert(
      fc.property(fc.array(fc.array(delta, { maxLength: 3 }), { maxLength: 8 }), (chunks) => {
        const assembler = new CallAssembler(5);
        for (const chunk of chunks) assembler.push(chunk);
        const done = assembler.finish();
        expect(done.length > 0).toBe(!assembler.isEmpty);
        expect(new Set(done.map(({ callId }) => callId)).size).toBe(done.length);
        expect(done.map(({ index }) => index)).toEqual(done.map((_, index) => index));
        for (const { arguments: text, valid } of done) if (valid) expect(JSON.parse(text)).toBeTypeOf('object');
      }),
      { numRuns: 500 },
    );
  });
});
