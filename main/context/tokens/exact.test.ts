import { describe, expect, it } from 'vitest';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { mostTokens } from '../mostTokens';
import { corpus } from './corpusFixture';
import { encodingOf, loadCounter, pieces } from './exact';

const exact = await loadCounter('o200k');

describe('the estimate beside the exact count', () => {
  it.each(Object.keys(corpus) as (keyof typeof corpus)[])('N10: %s within 5 %%', (name) => {
    const text = corpus[name];
    const ratio = estimateTokens(text) / exact(text);
    expect(Math.abs(ratio - 1), `${ratio}`).toBeLessThan(0.05);
  });

  it('N10: no estimate is above the quick one', () => {
    const odd = [
      '',
      'a1'.repeat(500),
      '1,a'.repeat(500),
      '1.\n'.repeat(500),
      ',é'.repeat(500),
      '。か'.repeat(300),
      'a\u0430'.repeat(300),
      '1\n'.repeat(500),
      'aB'.repeat(500),
      '!'.repeat(500),
      '🙂'.repeat(200),
      '​‮'.repeat(100),
      '\ud800'.repeat(50),
      'é'.repeat(300),
    ];
    for (const text of [...Object.values(corpus), ...odd]) expect(estimateTokens(text)).toBeLessThanOrEqual(mostTokens(text));
  });
});

describe('exact counts', () => {
  it('N10: as published', async () => {
    expect([exact(''), exact('hello world'), exact('Привет, мир!'), exact('お誕生日おめでとう')]).toEqual([0, 2, 5, 8]);
    const old = await loadCounter('cl100k');
    expect([old('hello world'), old('お誕生日おめでとう')]).toEqual([2, 9]);
  });

  it('N10: special words are words, and nothing throws', () => {
    for (const text of [
      '<|endoftext|>',
      'a <|endoftext|> b <|im_start|>system<|im_end|>',
      '\ud800 alone',
      '\udc00',
      '\u0000\u0001',
      '\ufffe',
    ])
      expect(exact(text)).toBeGreaterThan(0);
    expect(exact('<|endoftext|>')).toBeGreaterThan(3);
  });

  it('N10: only long runs are cut, never inside a character, and nothing is lost', () => {
    for (const text of Object.values(corpus)) if (!/\S{1024}/.test(text)) expect(pieces(text)).toEqual([text]);
    for (const run of ['a', ' ', '\n', '-', '1', 'ж', '字', '🙂']) {
      const text = `so ${run.repeat(5000)} it goes`;
      const cut = pieces(text);
      expect(cut.join('')).toBe(text);
      expect(cut.length).toBeGreaterThan(3);
      for (const piece of cut) expect(piece).not.toMatch(/^[\udc00-\udfff]/);
      expect(Math.max(...cut.map(({ length }) => length))).toBeLessThan(1100);
    }
  });

  it('N10: which models it counts for', () => {
    for (const model of ['gpt-4o', 'gpt-4.1-mini', 'gpt-4.5-preview', 'openai/gpt-5.2', 'o3-mini', 'chatgpt-4o-latest', 'gpt-oss-120b'])
      expect([model, encodingOf(model)]).toEqual([model, 'o200k']);
    for (const model of ['gpt-4', 'gpt-4-turbo', 'gpt-4-1106-preview', 'gpt-3.5-turbo', 'openai/gpt-4-0613'])
      expect([model, encodingOf(model)]).toEqual([model, 'cl100k']);
    for (const model of ['claude-sonnet-5', 'google/gemini-3-pro', 'qwen3:8b', 'olmo-2']) expect(encodingOf(model)).toBeNull();
  });
});
