import { expect, it } from 'vitest';
import type { MemoryBody } from '../../shared/model/memoryRecord';
import { memoryMessage } from './memoryMessage';

const card: MemoryBody = { text: '## Task\nBuild it.', pages: [], files: [], references: [] };

it('L8: a card is Bough’s word to the model, pages are always the user’s, with their size for the price', () => {
  expect(memoryMessage({ body: card })).toMatchObject({ role: 'system', parts: [{ type: 'text' }, { text: card.text }, { type: 'text' }] });
  const pages = [{ hash: 'a'.repeat(64) as never, width: 1568, height: 784 }];
  const { role, parts } = memoryMessage({ body: { ...card, pages } });
  expect(role).toBe('user');
  expect(parts).toContainEqual({
    type: 'image',
    hash: 'a'.repeat(64),
    mime: 'image/png',
    name: 'page 1',
    width: 1568,
    height: 784,
    page: true,
  });
});

it('L9: the same record gives the same message', () => {
  expect(memoryMessage({ body: structuredClone(card) })).toEqual(memoryMessage({ body: card }));
});
