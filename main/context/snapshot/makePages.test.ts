// Tests of pages made from a history.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';
import type { Step } from '../../../shared/model/transcript';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { answer, call, message } from '../contextFixture';
import { readPage } from './decode';
import { factsOf } from './facts';
import { asSeen } from './glyphs';
import { shippedGlyphs } from './glyphsFixture';
import { spansOf } from './layout';
import { makePages, mostBytes, type Pages, type PagesArgs, type PagesOutcome } from './makePages';
import { decodePng } from './png';

const glyphs = shippedGlyphs();
const json = (at: number) => `{"id":"u-${at * 7919}","path":"src/module${at % 97}/file${at}.ts","size":${at * 13},"ok":${at % 2 === 0}}`;

function history(count: number, body: (at: number) => string = json): Pick<PagesArgs, 'messages' | 'steps'> {
  const messages: Message[] = [message('first', 'user', { parts: [{ type: 'text', text: 'List everything below src.' }] })];
  const steps = new Map<MessageId, Step>();
  for (let at = 0; at < count; at++) {
    const content = Array.from({ length: 20 }, (_, line) => body(at * 20 + line)).join('\n');
    const [made, step] = answer(
      `a${at}`,
      [{ type: 'text', text: `Step ${at}.` }, call(`c${at}`, 'read_file', json(at))],
      [{ callId: `c${at}`, summary: 'read', content }],
    );
    messages.push(made);
    steps.set(made.id, step);
  }
  return { messages, steps };
}

const gateway = 'https://gateway.example/v1';
const args = (told: Pick<PagesArgs, 'messages' | 'steps'>, modelId = 'claude-opus-5', more: Partial<PagesArgs> = {}): PagesArgs => ({
  ...told,
  reader: { modelId, kind: 'openai-chat', baseUrl: gateway },
  vision: true,
  room: 150_000,
  ...more,
});
const make = (...given: Parameters<typeof args>) => makePages(glyphs, args(...given));

function pagesOf(outcome: PagesOutcome) {
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal}`);
  return outcome.pages;
}

/** Everything in it, bytes included. */
const printOf = (pages: Pages) =>
  JSON.stringify({ ...pages, pages: pages.pages.map((page) => ({ ...page, png: Buffer.from(page.png).toString('base64') })) });

describe('pages from a history', () => {
  it('S1: begins and ends verbatim, the middle is pages, nothing lost between; the same again gives the same bytes', () => {
    const told = history(60, (at) => `${json(at)}${json(at + 1)}`);
    const pages = pagesOf(make(told));
    expect(pages.head).toMatch(/^¶user: List everything below src\.\n/);
    expect(pages.head.endsWith('\n') && pages.tail.endsWith('\n')).toBe(true);
    expect(pages).toMatchObject({ dropped: 0, unprintable: 0, shape: 'claude-high' });
    expect(pages.missing).toBeGreaterThan(0);
    const all = [pages.head, ...pages.pages.map(({ text }) => text), pages.tail].join('').replaceAll(/[\n█ ]/g, '');
    for (let at = 0; at < 60; at++) expect(all).toContain(`¶assistant:Step${at}.`);
    expect(printOf(pagesOf(make(told)))).toBe(printOf(pages));
  });

  it('S3: costs at most 0.9 of its text, for every family, or is refused', () => {
    const told = history(80);
    for (const id of [
      'claude-opus-5',
      'claude-haiku-4-5',
      'gpt-5.5',
      'gpt-5.1',
      'gpt-4o',
      'gpt-5',
      'gemini-3-pro',
      'gemini-2.5-flash',
      'kimi-k3',
      'glm-4.6v',
      'grok-4',
      'new-one',
    ]) {
      const pages = pagesOf(make(told, id));
      expect(pages.pageTokens, id).toBeLessThanOrEqual(0.9 * pages.pagedTextTokens);
      expect(pages.pageTokens, id).toBeGreaterThan(0);
      expect(pages.textTokens + pages.pageTokens).toBeLessThanOrEqual(150_000);
    }
    const prose = (at: number) =>
      `What we said about it then was plain enough and nobody had another word to say on it, said ${at} of them.`;
    expect(make(history(80, prose), 'gpt-5-nano')).toEqual({ ok: false, refusal: 'notCheaper' });
    expect(make(told, 'gpt-4o-mini')).toEqual({ ok: false, refusal: 'reader' });
  });

  it('S4: keeps to the pages of the reader, the images there are already, the room, and the bytes', () => {
    const told = history(120);
    expect(pagesOf(make(told, 'new-one')).pages).toHaveLength(5);
    expect(pagesOf(make(told, 'new-one', { otherImages: 2 })).pages).toHaveLength(3);
    expect(make(told, 'new-one', { otherImages: 5 })).toEqual({ ok: false, refusal: 'noRoom' });
    expect(pagesOf(make(told, 'new-one', { most: 2 })).pages).toHaveLength(2);
    expect(make(told, 'new-one', { most: 0 })).toEqual({ ok: false, refusal: 'noRoom' });
    expect(make(told, 'claude-opus-5', { room: 3000 })).toEqual({ ok: false, refusal: 'noRoom' });
    const tight = pagesOf(make(told, 'claude-opus-5', { room: 30_000 }));
    expect(tight.textTokens + tight.pageTokens).toBeLessThanOrEqual(30_000);
    expect(tight.dropped).toBeGreaterThan(0);
    expect(tight.gapBefore).toBeLessThan(tight.pages.length);
    const wide = pagesOf(make(history(500), 'gemini-3-pro', { room: 900_000 }));
    expect(wide.bytes).toBeLessThanOrEqual(mostBytes);
    expect(wide.pages.length).toBeLessThanOrEqual(80);
    expect(
      wide.pages
        .slice(0, 3)
        .concat(wide.pages.slice(-3))
        .some(({ dense }) => dense),
    ).toBe(false);
  });

  it('S4: pages that weigh more than the first one told are left out, the oldest dense ones, and counted', () => {
    // The beginning packs well, what follows does not.
    const noise = Array.from({ length: 90_000 }, (_, at) => Math.imul(at + 1, 0x9e3779b1) >>> 0);
    const text = `${'all the same words again and again '.repeat(4000)}\n${noise.map((one) => one.toString(36)).join('')}`;
    for (const id of ['gemini-3-pro', 'claude-haiku-4-5', 'claude-opus-5', 'gpt-5.5']) {
      const outcome = make({ messages: [message('q', 'user', { parts: [{ type: 'text', text }] })] }, id, { room: 900_000 });
      const { pages, dropped, gapBefore, bytes, head, tail, pageTokens, pagedTextTokens } = pagesOf(outcome);
      expect(bytes, id).toBeLessThanOrEqual(mostBytes);
      expect(dropped, id).toBeGreaterThan(0);
      expect(pageTokens, id).toBeLessThanOrEqual(0.9 * pagedTextTokens);
      const all = [head, ...pages.map((page) => page.text), tail].join('').replaceAll(/[\s█]/g, '');
      expect(all.length + dropped, id).toBeGreaterThanOrEqual(text.replaceAll(/\s/g, '').length);
      expect(
        pages.slice(0, gapBefore).some(({ dense }) => dense),
        id,
      ).toBe(false);
    }
  });

  it('S5: text that the fonts mostly lack is refused, and a little of it is not', () => {
    expect(make(history(60, () => 'שלום עולם, זה טקסט ארוך מאוד'))).toEqual({ ok: false, refusal: 'unprintable' });
    expect(pagesOf(make(history(60, (at) => `${json(at)} 🔥`))).unprintable).toBeGreaterThan(0);
  });

  it('S2: text that is largely Chinese or Japanese has rows further apart', () => {
    const chinese = pagesOf(make(history(120, (at) => `第${at}个文件已经读取，内容没有问题，继续下一个文件并检查结果。`)));
    expect(chinese.pages[0]).toMatchObject({ advance: 8, pitch: 18 });
    expect(chinese.pageTokens).toBeLessThan(0.9 * chinese.pagedTextTokens);
  });

  it('S7: each page is what its picture reads as', () => {
    const { pages } = pagesOf(make(history(40)));
    expect(pages.length).toBeGreaterThan(0);
    for (const page of pages) {
      const whole = { ...page, from: 0, to: page.text.length };
      expect(readPage(glyphs, page.png, page, spansOf(glyphs, page.text, whole))).toBe(asSeen(glyphs, page.text));
      expect(decodePng(page.png)).toMatchObject({ width: page.width, height: page.height });
    }
  });

  it('S10: who is not known to see has no pages', () => {
    for (const vision of [false, undefined])
      expect(make(history(60), 'claude-opus-5', { vision })).toEqual({ ok: false, refusal: 'blind' });
  });

  it('S1: what is short stays text', () => {
    expect(make(history(2))).toEqual({ ok: false, refusal: 'short' });
    expect(make({ messages: [] })).toEqual({ ok: false, refusal: 'short' });
  });

  it('S6, S7: whatever was said, pages are made or refused, never wrong', () => {
    const units = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 20 }),
      fc.constantFrom('日本語', 'é', ' a b', 'x'.repeat(50)),
    );
    fc.assert(
      fc.property(fc.array(units, { minLength: 1, maxLength: 20 }), (parts) => {
        const text = `${parts.join(' ')} plain words of a text `.repeat(800);
        const outcome = make({ messages: [message('q', 'user', { parts: [{ type: 'text', text }] })] }, 'gemini-3-pro');
        if (!outcome.ok) expect(['unprintable', 'notCheaper']).toContain(outcome.refusal);
      }),
      { numRuns: 12 },
    );
  });

  it('S4: two megabytes without a line break', () => {
    const text = 'x7'.repeat(1_000_000);
    const pages = pagesOf(
      make({ messages: [message('q', 'user', { parts: [{ type: 'text', text }] })] }, 'gemini-3-pro', { room: 900_000 }),
    );
    expect(pages.pages.reduce((sum, one) => sum + one.text.length, 0) + pages.dropped + pages.head.length + pages.tail.length).toBe(
      '¶user: \n'.length + text.length,
    );
  });
});

describe('fact sheet', () => {
  it('S8: names hashes, paths and numbers verbatim, the exact ones first, in at most 400 tokens', () => {
    const text = `${'We looked at the code and talked about it.\n'.repeat(50)}commit 5f0c9a7be1d2 in src/main.ts, took 1,234 ms, see https://x.org/a?b=1\n`;
    expect(factsOf(text)).toEqual(expect.arrayContaining(['5f0c9a7be1d2', 'src/main.ts', 'https://x.org/a?b=1']));
    const many = Array.from({ length: 2000 }, (_, at) => json(at)).join('\n');
    const facts = factsOf(many);
    expect(estimateTokens(facts.join('\n'))).toBeLessThanOrEqual(400);
    expect(facts.length).toBeGreaterThan(10);
    for (const fact of facts) expect(many).toContain(fact);
    expect(factsOf('')).toEqual([]);
  });

  it('S8: a path keeps its dots, and files go before members that are named again and again', () => {
    const members = Array.from({ length: 400 }, (_, at) => `expect(member${'abcdefgh'[at % 8]}.valueOf).toBe(first.stepId);`).join('\n');
    const paths = Array.from({ length: 20 }, (_, at) => `import '../../shared/model/${'abcdefghijklmnopqrst'[at]}Thing';`).join('\n');
    const facts = factsOf(`${members}\n${paths}\nsee notes.md\n${members}`, 250);
    expect(facts).toContain('../../shared/model/aThing');
    expect(facts).toContain('notes.md');
    expect(facts.filter((fact) => fact.includes('/'))).toHaveLength(20);
  });

  it('S8: a hash outranks words and numbers when there is not room for all', () => {
    const text = `${Array.from({ length: 900 }, (_, at) => `step ${at}.5 took ${at}7 ms`).join('\n')}\ncommit 5f0c9a7be1d2`;
    expect(factsOf(text)).toContain('5f0c9a7be1d2');
  });

  it('S5, S8: numbers of characters without a bitmap are nobody’s ids', () => {
    const faces = ['1F525', '1F389', '1F469', '1F680'].map((code) => String.fromCodePoint(Number.parseInt(code, 16)));
    const told = history(60, (at) => `${json(at)} ${faces[at % 4]} and so on, in plain words that make the share of it small`);
    const { facts, pages } = pagesOf(make(told));
    expect(pages.some(({ text }) => text.includes('[U+1F525]'))).toBe(true);
    expect(facts.length).toBeGreaterThan(10);
    expect(facts.filter((fact) => /U\+|1F\d{3}/.test(fact))).toEqual([]);
  });

  it('S8: two megabytes without a line break are looked through', () => {
    expect(factsOf('x7'.repeat(1_000_000))).toEqual([]);
    expect(factsOf('ab12-cd '.repeat(250_000))).toEqual(['ab12-cd']);
  });
});
