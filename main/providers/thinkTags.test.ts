import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Piece, ThinkSplitter } from './thinkTags';

function split(deltas: readonly string[]): { text: string; reasoning: string } {
  const splitter = new ThinkSplitter();
  const pieces: Piece[] = [...deltas.flatMap((delta) => splitter.push(delta)), ...splitter.flush()];
  const joined = (type: Piece['type']) => pieces.flatMap((piece) => (piece.type === type ? [piece.text] : [])).join('');
  return { text: joined('text'), reasoning: joined('reasoning') };
}

describe('ThinkSplitter', () => {
  it('P3: a tag that opens the answer is reasoning, others stay text', () => {
    expect(split(['<think>a</think>b'])).toEqual({ reasoning: 'a', text: 'b' });
    expect(split([' \n<thinking>a</thinking>\n\nb'])).toEqual({ reasoning: 'a', text: 'b' });
    expect(split(['<think>a <think> b</think>c <think>d</think>'])).toEqual({ reasoning: 'a <think> b', text: 'c <think>d</think>' });
    expect(split(['So <think>a</think>'])).toEqual({ reasoning: '', text: 'So <think>a</think>' });
    expect(split(['```html\n<think>a</think>\n```'])).toEqual({ reasoning: '', text: '```html\n<think>a</think>\n```' });
    expect(split(['<thinker>a'])).toEqual({ reasoning: '', text: '<thinker>a' });
    expect(split(['  indented'])).toEqual({ reasoning: '', text: '  indented' });
    expect(split(['<think>a</thi'])).toEqual({ reasoning: 'a</thi', text: '' });
    expect(split(['<thi'])).toEqual({ reasoning: '', text: '<thi' });
    expect(split(['<think></think>b'])).toEqual({ reasoning: '', text: 'b' });
  });

  it('P3: it does not matter how the words are split over deltas', () => {
    const word = fc.constantFrom('<think>', '</think>', '<', '/', 'think', '>', ' ', '\n', 'a', 'b<', '<thought>', '</thought>', '🌳');
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), fc.infiniteStream(fc.integer({ min: 1, max: 5 })), (words, sizes) => {
        const whole = words.join('');
        const deltas: string[] = [];
        for (let at = 0; at < whole.length; ) {
          const size = sizes.next().value ?? 1;
          deltas.push(whole.slice(at, at + size));
          at += size;
        }
        expect(split(deltas)).toEqual(split([whole]));
      }),
    );
  });
});
