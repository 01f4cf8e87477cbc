// Counted is what would be written.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RequestMessage, RequestPart } from '../../shared/model/request';
import { jsonBytes, textBytes } from './jsonBytes';

const said = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc
    .array(fc.constantFrom('"', '\\', '\n', '\u0000', '\u001f', '\u007f', 'é', '字', '😀', '\ud800', '\udc00', '\u2028'))
    .map((all) => all.join('')),
);
const maybe = fc.option(said, { nil: undefined });
const vendor = fc.option(fc.record({ family: fc.constant('gemini' as const), json: said }), { nil: undefined });
const image = fc.record({ type: fc.constant('image' as const), hash: fc.constant('ab'.repeat(32) as never), mime: said, name: said });
const part: fc.Arbitrary<RequestPart> = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: said, vendor }),
  fc.record({ type: fc.constant('reasoning' as const), text: said, source: maybe, vendor }),
  image,
  fc.record({ type: fc.constant('toolCall' as const), callId: said, name: said, arguments: said, vendor }),
  fc.record(
    { type: fc.constant('toolResult' as const), callId: said, name: said, content: said, isError: fc.boolean(), images: fc.array(image) },
    { requiredKeys: ['type', 'callId', 'name', 'content', 'isError'] },
  ),
  fc.record({ type: fc.constant('vendor' as const), vendor: fc.record({ family: fc.constant('openai' as const), json: said }) }),
);
const message: fc.Arbitrary<RequestMessage> = fc.record({
  role: fc.constantFrom('system' as const, 'user' as const, 'assistant' as const, 'tool' as const),
  parts: fc.array(part, { maxLength: 4 }),
});

it('L7: always: a text takes as many bytes as JSON gives it', () => {
  fc.assert(
    fc.property(said, (text) => {
      expect(textBytes(text)).toBe(Buffer.byteLength(JSON.stringify(text)) - 2);
    }),
    { numRuns: 500 },
  );
});

it('L7: always: messages take as many bytes as JSON gives them', () => {
  fc.assert(
    fc.property(fc.array(message, { maxLength: 3 }), (messages) => {
      expect(jsonBytes(messages)).toBe(Buffer.byteLength(JSON.stringify(messages)));
    }),
    { numRuns: 300 },
  );
});
