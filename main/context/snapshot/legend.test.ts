// Tests of the text before pages.
import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { message } from '../contextFixture';
import { shippedGlyphs } from './glyphsFixture';
import { pagesLegend } from './legend';
import { makePages } from './makePages';

const line = (at: number) => `{"id":"u-${at * 7919}","path":"src/module${at % 97}/file${at}.ts"}`;
function legendFor(lines: number, room: number): string {
  const text = Array.from({ length: lines }, (_, at) => line(at)).join('\n');
  const messages = [message('q', 'user', { parts: [{ type: 'text', text }] })];
  const made = makePages(shippedGlyphs(), { messages, reader: { modelId: 'claude-opus-5', kind: 'openai-chat' }, vision: true, room });
  if (!made.ok) throw new Error(made.refusal);
  return pagesLegend(made.pages);
}

describe('legend', () => {
  it('S9: says what pages are, their grid, the marks, that they are past, and not to guess', () => {
    const legend = legendFor(1500, 60_000);
    expect(legend).toContain('past context, not the current request');
    expect(legend).toContain('175 columns and up to 120 rows');
    expect(legend).toContain('█ is a line break');
    expect(legend).toMatch(/¶user, ¶assistant, ¶call .* ¶result/);
    expect(legend).toMatch(/read the file or run the command again, or use recall; never guess/);
    expect(legend).not.toMatch(/missing|left out/);
  });

  it('S8: carries the facts as text', () => {
    expect(legendFor(1500, 60_000)).toMatch(/Exact words from the pages:\n- .*src\/module\d+\/file\d+\.ts/);
  });

  it('S4, S9: names every grid, and what is missing and where', () => {
    const legend = legendFor(12_000, 60_000);
    expect(legend).toContain('175 columns and up to 120 rows, or of 241 columns and up to 120 rows');
    expect(legend).toMatch(/\n\d+ characters are missing between page 3 and page 4\.\n/);
    expect(estimateTokens(legend)).toBeLessThan(900);
  });
});
