import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { end, head, json, type ScriptedServer, type Step, send, startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { callEvents, functionCall, responsesEvent, responsesPath, textDelta } from '../../../e2e/fixtures/scripts/responses';
import { ask, connectTo, type Outcome, readAll, readTool } from '../providerFixture';
import { responsesProvider } from './responses';
import { ResponsesItems } from './responsesItems';

let server: ScriptedServer;
let served = 0;
beforeAll(async () => {
  server = await startScriptedServer();
});
afterAll(() => server.close());

function run(steps: Step[], tools = [readTool]): Promise<Outcome> {
  served += 1;
  server.script(`POST /c${served}${responsesPath}`, steps);
  return readAll(responsesProvider, ask('Hi', { tools }), connectTo('openai-responses', `${server.url}/c${served}/v1`));
}
const bytes = (...events: string[]): Step[] => [head(), send(events.join('')), end()];
const whole = (output: unknown[], more: Record<string, unknown> = {}) => ({
  id: 'resp_1',
  object: 'response',
  status: 'completed',
  error: null,
  output,
  ...more,
});
const completed = (output: unknown[]) => responsesEvent('response.completed', { response: whole(output) });
const said = ({ calls }: Outcome) =>
  calls.map(({ callId, name, arguments: text, valid }) => `${callId} ${name} ${text}${valid ? '' : ' (broken)'}`);
const reasoning = { id: 'rs_1', type: 'reasoning', summary: [], status: null, extra: { n: 1 }, encrypted_content: 'gAAA\u2028"\\+/==' };
const one = functionCall('a', 'read_file', '{"path":"a"}');
const two = functionCall('b', 'read_file', '{"path":"b"}');
const itemDone = (output: number, item: unknown) => responsesEvent('response.output_item.done', { output_index: output, item });

it('P3, X3: reasoning item, words and parallel calls, in order; the first call has index 1', async () => {
  const outcome = await run(
    bytes(
      responsesEvent('response.output_item.added', { output_index: 0, item: { ...reasoning, encrypted_content: null } }),
      itemDone(0, reasoning),
      textDelta('I look.', 1),
      callEvents(2, one),
      callEvents(3, two),
      completed([reasoning, { type: 'message', content: [{ type: 'output_text', text: 'I look.' }] }, one, two]),
    ),
  );
  expect(outcome.events).toEqual([
    { type: 'accepted' },
    { type: 'vendor', on: 'item', vendor: { family: 'openai', json: JSON.stringify(reasoning) } },
    { type: 'text', text: 'I look.' },
    { type: 'toolCallStarted', index: 0, name: 'read_file' },
    { type: 'toolCallDelta', index: 0, name: 'read_file', text: '{"path' },
    { type: 'toolCallDelta', index: 0, name: 'read_file', text: '":"a"}' },
    { type: 'toolCall', index: 0, callId: 'a', name: 'read_file', arguments: '{"path":"a"}', valid: true },
    { type: 'toolCallStarted', index: 1, name: 'read_file' },
    { type: 'toolCallDelta', index: 1, name: 'read_file', text: '{"path' },
    { type: 'toolCallDelta', index: 1, name: 'read_file', text: '":"b"}' },
    { type: 'toolCall', index: 1, callId: 'b', name: 'read_file', arguments: '{"path":"b"}', valid: true },
    { type: 'done', finish: 'toolCalls' },
  ]);
});

const partial = (output: number, item: Record<string, unknown>, text: string) =>
  responsesEvent('response.output_item.added', { output_index: output, item: { ...item, arguments: '' } }) +
  responsesEvent('response.function_call_arguments.delta', { output_index: output, delta: text });
const idless = (item: Record<string, unknown>) => ({ ...item, call_id: undefined, id: undefined });
it.each<[string, string, string[]]>([
  [
    'interleaved calls',
    partial(0, one, '{"path"') +
      partial(1, two, '{"path":"b"}') +
      responsesEvent('response.function_call_arguments.delta', { output_index: 0, delta: ':"a"}' }) +
      completed([]),
    ['a read_file {"path":"a"}', 'b read_file {"path":"b"}'],
  ],
  ['only the whole answer at the end', completed([reasoning, one, two]), ['a read_file {"path":"a"}', 'b read_file {"path":"b"}']],
  [
    'whole items without pieces',
    itemDone(0, one) + itemDone(1, two) + completed([]),
    ['a read_file {"path":"a"}', 'b read_file {"path":"b"}'],
  ],
  [
    'one item said several times, at several places',
    itemDone(0, one) + itemDone(4, one) + completed([two, one]),
    ['a read_file {"path":"a"}', 'b read_file {"path":"b"}'],
  ],
  [
    'items without ids',
    itemDone(0, idless(one)) + itemDone(1, idless(two)) + completed([idless(one), idless(two)]),
    ['call00000 read_file {"path":"a"}', 'call00001 read_file {"path":"b"}'],
  ],
  ['broken arguments', callEvents(0, functionCall('a', 'read_file', '{"path":')) + completed([]), ['a read_file {"path": (broken)']],
  ['no arguments', callEvents(0, functionCall('a', 'list_files', '')) + completed([]), ['a list_files {}']],
])('P3: %s', async (_name, body, calls) => {
  const outcome = await run(bytes(body));
  expect(said(outcome)).toEqual(calls);
  expect(outcome.last).toEqual({ type: 'done', finish: 'toolCalls' });
});

it('P3, X3: a server that does not stream: the reasoning item stands before its calls', async () => {
  const { events } = await run(json(whole([reasoning, one])));
  expect(events.map(({ type }) => type)).toEqual(['accepted', 'vendor', 'toolCall', 'done']);
});

it('X3: a reasoning item is kept once, and not where its place is lost', async () => {
  const vendors = ({ events }: Outcome) => events.filter(({ type }) => type === 'vendor').length;
  expect(vendors(await run(bytes(itemDone(0, reasoning), textDelta('Hi', 1), completed([reasoning]))))).toBe(1);
  expect(vendors(await run(bytes(textDelta('Hi', 1), completed([reasoning]))))).toBe(1);
  expect(vendors(await run(bytes(callEvents(1, one), completed([reasoning, one]))))).toBe(0);
});

it('X3: reasoning that cannot be read without the server is not kept', async () => {
  const bare = { id: 'rs_1', type: 'reasoning', summary: [] };
  const { events } = await run(bytes(itemDone(0, bare), callEvents(1, one), completed([bare, one])));
  expect(events.filter(({ type }) => type === 'vendor')).toEqual([]);
});

it('P3: a call cut by the output limit is said as it is, one of a lost or failed answer is not', async () => {
  const open = partial(0, one, '{"path":"lo');
  const incomplete = responsesEvent('response.incomplete', {
    response: { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' }, output: [] },
  });
  const cut = await run(bytes(open, incomplete));
  expect(said(cut)).toEqual(['a read_file {"path":"lo (broken)']);
  expect(cut.last).toMatchObject({ type: 'done', finish: 'length' });
  expect(await run(bytes(open))).toMatchObject({ calls: [], failure: { code: 'connectionLost' } });
});

it('P3: a call that was not asked for is no answer', async () => {
  expect(await run(bytes(callEvents(0, one), completed([one])), [])).toMatchObject({ calls: [], failure: { code: 'emptyAnswer' } });
});

it('P3: arguments split anywhere are put together exactly, with and without the events around them', () => {
  const split = fc.record({
    value: fc.dictionary(fc.string({ maxLength: 4 }), fc.string({ unit: 'grapheme', maxLength: 20 }), { maxKeys: 3 }),
    cuts: fc.array(fc.nat(100), { maxLength: 6 }),
  });
  fc.assert(
    fc.property(fc.array(split, { minLength: 1, maxLength: 3 }), fc.boolean(), fc.boolean(), (calls, saysDone, saysItem) => {
      const items = new ResponsesItems(0);
      const events = calls.flatMap(({ value, cuts }, index) => {
        const text = JSON.stringify(value);
        const item = functionCall(`id-${index}`, 'read_file', text);
        const edges = [...new Set([0, ...cuts.map((cut) => cut % text.length), text.length])].sort((a, b) => a - b);
        return [
          { type: 'response.output_item.added', output_index: index, item: { ...item, arguments: '' } },
          ...edges.slice(1).map((edge, at) => ({
            type: 'response.function_call_arguments.delta',
            output_index: index,
            delta: text.slice(edges[at], edge),
          })),
          ...(saysDone ? [{ type: 'response.function_call_arguments.done', output_index: index, arguments: text }] : []),
          ...(saysItem ? [{ type: 'response.output_item.done', output_index: index, item }] : []),
        ].flatMap((event) => items.read(event));
      });
      const all = [...events, ...items.finish()];
      expect(all.flatMap((event) => (event.type === 'toolCall' ? [event.arguments] : []))).toEqual(
        calls.map(({ value }) => JSON.stringify(value)),
      );
      calls.forEach(({ value }, index) => {
        const shown = all.flatMap((event) => (event.type === 'toolCallDelta' && event.index === index ? [event.text] : [])).join('');
        expect(shown).toBe(JSON.stringify(value));
      });
    }),
  );
});
