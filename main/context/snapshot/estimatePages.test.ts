// The estimate beside what is made: near enough for a person to choose by.
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { message } from '../contextFixture';
import { estimatePages } from './estimatePages';
import { shippedGlyphs } from './glyphsFixture';
import { makePages } from './makePages';

const prose = (lines: number) =>
  Array.from({ length: lines }, (_, at) => `Line ${at} says that the parcel ${at * 7919} was moved to the shelf behind the door.`).join(
    '\n',
  );

describe('what pages would cost', () => {
  it.each(['claude-sonnet-4', 'claude-opus-5', 'gpt-4o', 'gpt-5.4', 'gemini-3-pro'])(
    'K2, S3: for %s within a tenth of what is made',
    (modelId) => {
      const text = prose(1500);
      const made = makePages(shippedGlyphs(), {
        messages: [message('q', 'user', { parts: [{ type: 'text', text }] })],
        reader: { modelId },
        vision: true,
        room: 200_000,
      });
      const estimate = estimatePages([{ role: 'user', parts: [{ type: 'text', text }] }], estimateTokens(text), { modelId });
      if (!made.ok || !estimate) throw new Error('there are pages');
      const real = made.pages.pageTokens + made.pages.textTokens;
      expect(Math.abs(estimate.tokens - real) / real).toBeLessThan(0.1);
      expect(Math.abs(estimate.pages - made.pages.pages.length)).toBeLessThanOrEqual(1);
    },
  );

  it('S3, S10: none where there is little, and for a reader that would pay more', () => {
    const short = [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'short' }] }];
    expect(estimatePages(short, 1, { modelId: 'gpt-4o' })).toBeNull();
    const text = prose(1500);
    expect(estimatePages([{ role: 'user', parts: [{ type: 'text', text }] }], estimateTokens(text), { modelId: 'gpt-4o-mini' })).toBeNull();
  });
});
