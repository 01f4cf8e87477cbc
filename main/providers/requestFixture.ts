// For property tests: random request lists, wild ones and ones that a tree of turns could leave behind.
import fc from 'fast-check';
import type { RequestMessage, RequestPart, VendorData } from '../../shared/model/request';

const words = fc.constantFrom('', ' ', '\n', 'a', 'b', 'c');
const callId = fc.constantFrom('', 'x', 'y', 'x_2', 'call00000', 'call00001');
const toolName = fc.constantFrom('read_file', 'list_files', '', 'multi tool.use', 'ё'.repeat(80));
const someArguments = fc.constantFrom('{}', '{"path":"a"}', '', 'null', '{"path":', '[1]', '"{}"', '7', ' {"a": 1}\n');
/** What each family wants back, told apart by `n`. */
export const vendorData = {
  gemini: (n: number): VendorData => ({ family: 'gemini', json: `{"thoughtSignature":"sig-${n}+/=="}` }),
  openai: (n: number): VendorData => ({
    family: 'openai',
    json: `{"type":"reasoning","id":"rs_${n}","summary":[],"encrypted_content":"secret-${n}+/=="}`,
  }),
  openrouter: (n: number): VendorData => ({
    family: 'openrouter',
    json: `{"model":"google/gemini-3-pro","details":[{"type":"reasoning.encrypted","data":"detail-${n}+/==","id":"x"}]}`,
  }),
} as const;
const vendor: fc.Arbitrary<VendorData> = fc
  .tuple(fc.constantFrom('gemini' as const, 'openai' as const, 'openrouter' as const), fc.nat(9))
  .map(([family, n]) => vendorData[family](n));
const maybeVendor = fc.option(vendor, { nil: undefined }).map((one) => (one ? { vendor: one } : {}));
const image: RequestPart = { type: 'image', hash: 'a'.repeat(64) as never, mime: 'image/png', name: 'x' };

const part: fc.Arbitrary<RequestPart> = fc.oneof(
  fc.tuple(words, maybeVendor).map(([text, data]): RequestPart => ({ type: 'text', text, ...data })),
  fc.tuple(fc.constantFrom('', 'hm'), maybeVendor).map(([text, data]): RequestPart => ({ type: 'reasoning', text, ...data })),
  fc.constant<RequestPart>(image),
  vendor.map((one): RequestPart => ({ type: 'vendor', vendor: one })),
  fc
    .tuple(fc.record({ callId, name: toolName, arguments: someArguments }), maybeVendor)
    .map(([call, data]): RequestPart => ({ type: 'toolCall', ...call, ...data })),
  fc
    .record({ callId, name: toolName, content: words, isError: fc.boolean() })
    .map((result): RequestPart => ({ type: 'toolResult', ...result })),
);

/** Anything that the types allow. */
export const anyMessages: fc.Arbitrary<RequestMessage[]> = fc.array(
  fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const, 'tool' as const), parts: fc.array(part, { maxLength: 4 }) }),
  { maxLength: 12 },
);

type Step = { thinks: boolean; says: boolean; calls: number; images: boolean; family: keyof typeof vendorData | 'none' };
const step: fc.Arbitrary<Step> = fc.record({
  family: fc.constantFrom('none' as const, 'gemini' as const, 'openai' as const, 'openrouter' as const),
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
              // Its own item, or a signature on the first call.
              ...(one.family === 'openai' || one.family === 'openrouter'
                ? [{ type: 'vendor' as const, vendor: vendorData[one.family](calls) }]
                : []),
              ...(one.thinks ? [{ type: 'reasoning' as const, text: `thought ${turn}.${at}`, source: 'reasoning_content' }] : []),
              ...(one.says ? [{ type: 'text' as const, text: `step ${turn}.${at}` }] : []),
              ...made.map((call, index) => ({
                type: 'toolCall' as const,
                ...call,
                arguments: `{"n":"${call.callId}"}`,
                ...(one.family === 'gemini' && index === 0 ? { vendor: vendorData.gemini(calls) } : {}),
              })),
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
      {
        role: 'assistant',
        parts: [
          ...(turn % 2 === 0 ? [{ type: 'reasoning' as const, text: `thought ${turn}`, source: 'reasoning_content' }] : []),
          { type: 'text', text: `answer ${turn}` },
        ],
      },
    ]);
  });

/** A whole history, and what cuts (start, end, single messages, parts and ends of arguments gone), a second branch and late results make of it. */
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
    broken: fc.array(fc.nat(20), { maxLength: 3 }),
  })
  .map(({ whole, branch, from, to, gone, partsGone, moved, branched, broken }) => {
    const start = Math.floor(from * whole.length);
    const end = start + Math.floor(to * (whole.length - start + 1));
    const joined = [...whole.slice(start, end), ...(branched ? branch.slice(Math.floor(from * branch.length)) : [])];
    const kept = joined.filter((_, at) => !gone.includes(at));
    let at = 0;
    let call = 0;
    const list = kept.map((message) => ({
      ...message,
      parts: message.parts
        .filter(() => !partsGone.includes(at++))
        .map((one) => (one.type === 'toolCall' && broken.includes(call++) ? { ...one, arguments: one.arguments.slice(0, 4) } : one)),
    }));
    const taken = moved ? list.splice(moved[0], 1) : [];
    if (moved) list.splice(moved[1], 0, ...taken);
    return { whole, list };
  });
