import { applyPatch, parsePatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { diffText } from './diffText';

describe('the difference that a person and a model read', () => {
  it('A5: it is whole: whatever the lines are, blank ones at an end too, the new text can be made from it', () => {
    const line = fc.constantFrom('oak', 'birch', '', '  ', '\t', '-- ', '@@ -1 +1 @@');
    const text = fc.array(line, { maxLength: 12 }).map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, (before, after) => {
        const diff = diffText('a.txt', before, after)?.text ?? '';
        expect(parsePatch(diff).length).toBeLessThanOrEqual(1);
        expect(before === after || applyPatch(before, diff)).toBe(before === after || after);
      }),
    );
  });
});
