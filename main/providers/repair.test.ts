import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { RequestMessage, RequestPart } from '../../shared/model/request';
import { repairMessages } from './repair';

const part: fc.Arbitrary<RequestPart> = fc.oneof(
  fc.constantFrom('', ' ', '\n', 'a', 'b', 'c').map((text): RequestPart => ({ type: 'text', text })),
  fc.constantFrom('', 'hm').map((text): RequestPart => ({ type: 'reasoning', text })),
  fc.constant<RequestPart>({ type: 'image', hash: 'a'.repeat(64) as never, mime: 'image/png', name: 'x' }),
);
const messages: fc.Arbitrary<RequestMessage[]> = fc.array(
  fc.record({ role: fc.constantFrom('user' as const, 'assistant' as const), parts: fc.array(part, { maxLength: 4 }) }),
  { maxLength: 12 },
);
const isContent = (one: RequestPart) => one.type === 'image' || (one.type === 'text' && one.text.trim() !== '');

describe('repairMessages', () => {
  it('P6: roles always alternate from user to user, and no part is empty', () => {
    fc.assert(
      fc.property(messages, (list) => {
        const repaired = repairMessages(list);
        repaired.forEach((message, index) => {
          expect(message.role).toBe(index % 2 === 0 ? 'user' : 'assistant');
          expect(message.parts.some(isContent)).toBe(true);
          for (const one of message.parts) if (one.type !== 'image') expect(one.text.trim()).not.toBe('');
        });
        if (repaired.length > 0) expect(repaired.at(-1)?.role).toBe('user');
      }),
    );
  });

  it('P6: everything with content is still there, in order; twice is the same as once; the list given is not touched', () => {
    fc.assert(
      fc.property(messages, (list) => {
        const before = structuredClone(list);
        const repaired = repairMessages(list);
        expect(list).toEqual(before);
        expect(repairMessages(repaired)).toEqual(repaired);
        const contents = repaired.flatMap((message) => message.parts.filter(isContent));
        const wanted = list.flatMap((message) => message.parts.filter(isContent));
        const added = contents.length - wanted.length;
        const start = list.find((message) => message.parts.some(isContent))?.role === 'assistant' ? 1 : 0;
        expect(added).toBeLessThanOrEqual(2);
        expect(contents.slice(start, start + wanted.length)).toEqual(wanted);
      }),
    );
  });

  it('P6: an empty list stays empty', () => {
    expect(repairMessages([{ role: 'user', parts: [{ type: 'text', text: ' ' }] }])).toEqual([]);
  });
});
