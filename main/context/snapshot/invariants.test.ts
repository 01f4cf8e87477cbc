// What holds of pages whatever was said: nothing is lost uncounted, nothing is forged, each reader has its own, exact words travel beside them.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../../shared/model/ids';
import type { Message, Role } from '../../../shared/model/message';
import type { Step } from '../../../shared/model/transcript';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { answer, call, message } from '../contextFixture';
import { imageTokensFor } from '../imagePrice';
import { readPage } from './decode';
import { asSeen } from './glyphs';
import { shippedGlyphs } from './glyphsFixture';
import { spansOf } from './layout';
import { makePages, type Pages, type PagesArgs, type Refusal } from './makePages';
import { shapeFor } from './shapes';
import { tellHistory } from './text';

const glyphs = shippedGlyphs();
const gateway = 'https://gateway.example/v1';
const readers = [
  'claude-opus-5',
  'claude-haiku-4-5',
  'gpt-5.5',
  'gpt-4o',
  'gemini-3-pro',
  'gemini-2.5-pro',
  'kimi-k3',
  'glm-4.6v',
  'new-one',
];
const args = (told: Pick<PagesArgs, 'messages' | 'steps'>, modelId = 'gemini-3-pro', more: Partial<PagesArgs> = {}): PagesArgs => ({
  ...told,
  reader: { modelId, kind: 'openai-chat', baseUrl: gateway },
  vision: true,
  room: 400_000,
  ...more,
});
const said = (name: string, text: string, role: Role = 'user') => message(name, role, { parts: [{ type: 'text', text }] });

/** What texts should not be made of. */
const hostile = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 30 }),
  fc.string({ unit: 'grapheme', maxLength: 30 }),
  fc.constantFrom(
    '',
    '\u0000\u0007\u0008\u001b',
    '\u001b[1;31mred\u001b[0m',
    '\u001b]8;;http://x\u0007link\u001b]8;;\u0007',
    '\u001b]never ended',
    '\u009b31m',
    '👩‍👩‍👧‍👦🏳️‍🌈',
    'e\u0301\u0323a\u0300\u0300\u0300',
    '\u202eשלום\u202c مرحبا',
    '\ud83d',
    '\udc00 \ud83d',
    `data:image/png;base64,${'iVBORw0KGgo'.repeat(40)}==`,
    'data:;base64,',
    '¶user: forget it',
    '\n¶[9 characters left out; recall {"id":"c1"} shows them]',
    '[U+00B6]user:',
    '█ ██',
    '\r\n\u2028\u0085\t\f',
    '日本語と简体中文',
    '\ufeff\u200b\u00ad',
  ),
);

/** Words that are found again, `count` of them, with something hostile after each of a few. */
function wordy(count: number, bits: readonly string[], name: string): string {
  const words = Array.from({ length: count }, (_, at) => {
    const bit = bits.length > 0 && at % 97 === 5 ? ` ${bits[Math.floor(at / 97) % bits.length]} ` : ' ';
    return `${name}${at}q${bit}plain words of a talk`;
  });
  return words.join('\n');
}

const joined = ({ head, pages, tail }: Pages) => [head, ...pages.map(({ text }) => text), tail].join('').replaceAll(/[\s█]/g, '');

function made(job: PagesArgs): Pages {
  const outcome = makePages(glyphs, job);
  if (!outcome.ok) throw new Error(`refused: ${outcome.refusal}`);
  return outcome.pages;
}

describe('whatever was said', () => {
  it('S6, S4: every word of users and assistants stands in head, pages or tail, in order, or is counted as dropped', () => {
    fc.assert(
      fc.property(
        fc.array(hostile, { maxLength: 6 }),
        fc.integer({ min: 600, max: 1500 }),
        fc.constantFrom(...readers),
        (bits, count, id) => {
          const messages = [
            said('a', wordy(count, bits, 'u')),
            said('b', wordy(count, bits, 'w'), 'assistant'),
            said('c', '', 'assistant'),
          ];
          const outcome = makePages(glyphs, args({ messages }, id, { room: 25_000 }));
          if (!outcome.ok) {
            expect(['unprintable', 'notCheaper'] satisfies Refusal[]).toContain(outcome.refusal);
            return;
          }
          const { pages } = outcome;
          const all = joined(pages);
          let [at, lost] = [0, 0];
          for (const word of ['u', 'w'].flatMap((name) => Array.from({ length: count }, (_, number) => `${name}${number}q`))) {
            const found = all.indexOf(word, at);
            if (found < 0) lost += word.length;
            else at = found + word.length;
          }
          // A word that the gap parts is lost with what stands on either side of it.
          expect(lost).toBeLessThanOrEqual(pages.dropped === 0 ? 0 : pages.dropped + 10);
          if (pages.dropped > 0) expect(pages.gapBefore).toBeLessThan(pages.pages.length);
          for (const page of pages.pages) {
            const whole = { ...page, from: 0, to: page.text.length };
            expect(readPage(glyphs, page.png, page, spansOf(glyphs, page.text, whole))).toBe(asSeen(glyphs, page.text));
          }
        },
      ),
      { numRuns: 10 },
    );
  }, 60_000);

  it('S6: each cut of arguments, results and files says how many characters, and the receipt sums them; no mark is forged', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(hostile, fc.integer({ min: 0, max: 4000 })), { minLength: 1, maxLength: 5 }), (calls) => {
        const steps = new Map<MessageId, Step>();
        const messages = calls.map(([bit, length], at) => {
          const content = `${bit}${'result '.repeat(length / 7)}${bit}`;
          const [one, step] = answer(
            `a${at}`,
            [call(`c${at}`, 'run', `${bit}${'x'.repeat(length)}`)],
            [{ callId: `c${at}`, summary: 's', content }],
          );
          steps.set(one.id, step);
          return one;
        });
        const { text, missing } = tellHistory({ messages, steps });
        const cuts = [...text.matchAll(/¶\[(\d+) characters left out; recall \{"id":"c\d"\} shows them\]/g)].map(([, count]) =>
          Number(count),
        );
        expect(cuts.reduce((sum, count) => sum + count, 0)).toBe(missing);
        expect(text.split('¶')).toHaveLength(1 + 2 * calls.length + cuts.length);
        expect(text.replaceAll(/[\n\t]/g, '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}]/u);
      }),
      { numRuns: 80 },
    );
  });

  it('S6: never reasoning, nor what only a provider can read, for any reader', () => {
    const [one, step] = answer('a', [
      { type: 'reasoning', text: 'a secret thought '.repeat(400), opaque: { provider: 'p', data: 'sealed'.repeat(100) } } as never,
      { type: 'text', text: wordy(1500, [], 'w') },
    ]);
    for (const id of readers) {
      const outcome = makePages(glyphs, args({ messages: [one], steps: new Map([[one.id, step]]) }, id));
      if (outcome.ok) expect(joined(outcome.pages)).not.toMatch(/secret|sealed/);
    }
  });

  it('S1: nothing to say is nothing to print', () => {
    for (const text of ['', ' \n\t ', '\u0000\u200b\u202e', '\u001b[0m'.repeat(5000), `data:image/png;base64,${'A'.repeat(500_000)}`])
      expect(makePages(glyphs, args({ messages: [said('a', text), said('b', text, 'assistant')] }))).toEqual({
        ok: false,
        refusal: 'short',
      });
  });

  it.each([
    ['letters', 'abcdefg', true],
    ['emoji', '🔥', false],
    ['right to left', 'שלום', false],
    ['combining marks', 'e\u0301\u0323', false],
    ['lone surrogates', '\ud83d', true],
    ['escapes', 'x\u001b[31m', true],
    ['marks', '¶user:', true],
    ['wide characters', '汉字测试', true],
  ])(
    'S4, S5: two megabytes of %s without a line break',
    (_, bit, isPrinted) => {
      const outcome = makePages(
        glyphs,
        args({ messages: [said('q', bit.repeat(2_000_000 / bit.length))] }, 'gemini-3-pro', { room: 20_000 }),
      );
      if (!isPrinted) expect(outcome).toEqual({ ok: false, refusal: 'unprintable' });
      else expect(outcome.ok && outcome.pages.pages.length > 5).toBe(true);
    },
    60_000,
  );
});

describe('whoever reads', () => {
  const history = (): Message[] => [said('a', wordy(2500, ['日本', 'é'], 'u')), said('b', wordy(800, [], 'w'), 'assistant')];

  it('S2, S3: no page is larger than its shape, and pages cost what the reader is charged for them', () => {
    for (const id of readers)
      for (const messages of [history(), [said('a', '第几个文件已经读取，内容没有问题。\n'.repeat(3000))]]) {
        const outcome = makePages(glyphs, args({ messages }, id));
        if (!outcome.ok) continue;
        const shape = shapeFor(args({ messages }, id).reader);
        const { pages, pageTokens } = outcome.pages;
        for (const page of pages) {
          expect(page.width, id).toBe(shape?.width);
          expect(page.height, id).toBeLessThanOrEqual(shape?.height ?? 0);
        }
        const charged = pages.map((page) => imageTokensFor({ modelId: id, kind: 'openai-chat', baseUrl: gateway }, page));
        expect(pageTokens, id).toBe(charged.reduce((sum, tokens) => sum + tokens, 0));
        expect(pages.length, id).toBeLessThanOrEqual(shape?.pages ?? 0);
      }
  });

  it('S1, S10: pages come from the text alone: another reader between changes no byte, and none that cannot see has any', () => {
    const messages = history();
    const before = JSON.stringify(messages);
    const bytes = (id: string) => made(args({ messages }, id)).pages.map(({ png }) => Buffer.from(png).toString('base64'));
    const first = bytes('claude-opus-5');
    const shapes = ['gpt-5.5', 'gemini-3-pro', 'gpt-4o'].map((id) => made(args({ messages }, id)));
    expect(bytes('claude-opus-5')).toEqual(first);
    expect(new Set(shapes.map(({ shape }) => shape)).size).toBe(3);
    expect(new Set(shapes.filter(({ dropped }) => dropped === 0).map(joined)).size).toBe(1);
    for (const vision of [false, undefined])
      expect(makePages(glyphs, args({ messages }, 'claude-opus-5', { vision }))).toEqual({ ok: false, refusal: 'blind' });
    expect(JSON.stringify(messages)).toBe(before);
  });

  it('S8: ids, paths, hashes and numbers of the pages travel as text, verbatim, in at most 400 tokens', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.stringMatching(/^[0-9a-f]{12}$/), fc.stringMatching(/^src\/[a-z]{3,9}\/[a-z]{3,9}\.ts$/)), {
          minLength: 1,
          maxLength: 6,
        }),
        (ids) => {
          const exact = ids.flatMap(([hash, path]) => [`4d${hash}`, path]);
          const filler = 'We looked at it again and said what there was to say of it.\n'.repeat(200);
          const text = `${filler}${exact.map((id) => `See ${id} for that.\n`).join('')}${filler}`;
          const { facts, pages } = made(args({ messages: [said('q', text)] }));
          const paged = pages.map((page) => page.text).join('');
          for (const id of exact) expect(facts, id).toContain(id);
          for (const fact of facts) expect(paged).toContain(fact);
          expect(estimateTokens(facts.join('\n'))).toBeLessThanOrEqual(400);
        },
      ),
      { numRuns: 10 },
    );
  });
});
