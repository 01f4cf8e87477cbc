// For property tests: random request lists, wild ones and ones that a tree of turns could leave behind.
import fc from 'fast-check';
import type { RequestMessage, RequestPart, VendorData } from '../../shared/model/request';

const words = fc.constantFrom('', ' ', '\n', 'a', 'b', 'c');
const callId = fc.constantFrom('', 'x', 'y', 'x_2', 'call00000', 'call00001');
const toolName = fc.constantFrom('read_file', 'list_files', '', 'multi tool.use', 'ё'.repeat(80));
const someArguments = fc.constantFrom('{}', '{"path":"a"}', '', 'null', '{"path":', '[1]', '"{}"', '7', ' {"a": 1}\n');
const vendor: fc.Arbitrary<VendorData> = fc.constantFrom(
  { family: 'gemini' as const, json: '{"thoughtSignature":"c2ln+/=="}' },
  { family: 'openai' as const, json: '{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"gAAA=="}' },
);
const image: RequestPart = { type: 'image', hash: 'a'.repeat(64) as never, mime: 'image/png', name: 'x' };

const part: fc.Arbitrary<RequestPart> = fc.oneof(
  words.map((text): RequestPart => ({ type: 'text', text })),
  fc.constantFrom('', 'hm').map((text): RequestPart => ({ type: 'reasoning', text })),
  fc.constant<RequestPart>(image),
  vendor.map((one): RequestPart => ({ type: 'vendor', vendor: one })),
  fc.record({ callId, name: toolName, arguments: someArguments }).map((call): RequestPart => ({ type: 'toolCall', ...call })),
  fc
    .record({ callId, name: toolName, content: words, isError: fc.boolean() })
    .map((result): RequestPart => ({ type: 'toolResult', ...result })),
);

/** Anything that the types allow. */
export const anyMessages: fc.Arbitrary<RequestMessage[]> = fc.array(
  fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const), parts: fc.array(part, { maxLength: 4 }) }),
  { maxLength: 12 },
);

type Step = { thinks: boolean; says: boolean; calls: number; images: boolean };
const step: fc.Arbitrary<Step> = fc.record({
  thinks: fc.boolean(),
  says: fc.boolean(),
  calls: fc.integer({ min: 1, max: 3 }),
  images: fc.boolean(),
});

/** Turns as they are kept: a user message, steps with calls and results, an answer. Ids are unique. */
export const wholeHistory: fc.Arbitrary<RequestMessage[]> = fc
  .array(fc.array(step, { maxLength: 3 }), { minLength: 1, maxLength: 4 })
  .map((turns) => {
    let calls = 0;
    return turns.flatMap((steps, turn): RequestMessage[] => [
      { role: 'user', parts: [{ type: 'text', text: `question ${turn}` }] },
      ...steps.flatMap((one, at): RequestMessage[] => {
        const made = Array.from({ length: one.calls }, () => ({ callId: `id-${calls++}`, name: 'read_file' }));
        return [
          {
            role: 'assistant',
            parts: [
              ...(one.thinks ? [{ type: 'reasoning' as const, text: `thought ${turn}.${at}`, source: 'reasoning_content' }] : []),
              ...(one.says ? [{ type: 'text' as const, text: `step ${turn}.${at}` }] : []),
              ...made.map((call) => ({ type: 'toolCall' as const, ...call, arguments: `{"n":"${call.callId}"}` })),
            ],
          },
          {
            role: 'tool',
            parts: made.map((call) => ({
              type: 'toolResult' as const,
              ...call,
              content: `result of ${call.callId}`,
              isError: false,
              ...(one.images
                ? { images: [{ type: 'image' as const, hash: 'a'.repeat(64) as never, mime: 'image/png', name: 'shot' }] }
                : {}),
            })),
          },
        ];
      }),
      { role: 'assistant', parts: [{ type: 'text', text: `answer ${turn}` }] },
    ]);
  });

/** A whole history, and what cuts (start, end, single messages and parts gone), a second branch and late results make of it. */
export const cutHistory: fc.Arbitrary<{ whole: RequestMessage[]; list: RequestMessage[] }> = fc
  .record({
    whole: wholeHistory,
    branch: wholeHistory,
    from: fc.double({ min: 0, max: 1, noNaN: true }),
    to: fc.double({ min: 0, max: 1, noNaN: true }),
    gone: fc.array(fc.nat(30), { maxLength: 5 }),
    partsGone: fc.array(fc.nat(60), { maxLength: 5 }),
    moved: fc.option(fc.tuple(fc.nat(30), fc.nat(30))),
    branched: fc.boolean(),
  })
  .map(({ whole, branch, from, to, gone, partsGone, moved, branched }) => {
    const start = Math.floor(from * whole.length);
    const end = start + Math.floor(to * (whole.length - start + 1));
    const joined = [...whole.slice(start, end), ...(branched ? branch.slice(Math.floor(from * branch.length)) : [])];
    const kept = joined.filter((_, at) => !gone.includes(at));
    let at = 0;
    const list = kept.map((message) => ({ ...message, parts: message.parts.filter(() => !partsGone.includes(at++)) }));
    const taken = moved ? list.splice(moved[0], 1) : [];
    if (moved) list.splice(moved[1], 0, ...taken);
    return { whole, list };
  });
