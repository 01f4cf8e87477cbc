import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { ProviderEvent } from '../../shared/model/request';
import { StepParts } from './stepParts';

const event = fc.oneof(
  fc.record({ type: fc.constant('text' as const), text: fc.string() }),
  fc.record({ type: fc.constant('reasoning' as const), text: fc.string(), source: fc.constantFrom('a', 'b') }),
);

it('X9: always: the deltas put together are the parts, and neighbouring events of a kind are one part', () => {
  fc.assert(
    fc.property(fc.array(event), (events: ProviderEvent[]) => {
      const parts = new StepParts();
      const seen: string[] = [];
      for (const each of events) {
        const delta = parts.add(each);
        if (!delta) continue;
        expect(delta.offset).toBe((seen[delta.index] ?? '').length);
        seen[delta.index] = (seen[delta.index] ?? '') + delta.text;
      }
      expect(parts.parts.map((part) => ('text' in part ? part.text : ''))).toEqual(seen);
      for (const [index, part] of parts.parts.entries()) {
        const before = parts.parts[index - 1];
        if (before?.type === part.type && part.type === 'reasoning' && before.type === 'reasoning')
          expect(before.source).not.toBe(part.source);
        else if (before) expect(before.type).not.toBe(part.type);
      }
    }),
  );
});
