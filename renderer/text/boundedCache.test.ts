import { expect, it } from 'vitest';
import { boundedCache } from './boundedCache';

it('N15: the cache never holds more than its limit, and forgets the least used first', () => {
  const cache = boundedCache<number>(100);
  for (let at = 0; at < 20; at++) {
    cache.set(`k${at}`, at, 20);
    cache.get('k0');
    expect(cache.bytes).toBeLessThanOrEqual(100);
  }
  expect(cache.get('k0')).toBe(0);
  expect(cache.get('k19')).toBe(19);
  expect(cache.get('k1')).toBeUndefined();
});

it('N15: one giant does not empty the cache', () => {
  const cache = boundedCache<number>(100);
  cache.set('small', 1, 10);
  cache.set('giant', 2, 90);
  expect(cache.get('small')).toBe(1);
  expect(cache.get('giant')).toBeUndefined();
});
