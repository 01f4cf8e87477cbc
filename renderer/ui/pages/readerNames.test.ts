import { expect, it } from 'vitest';
import prices from '../../../assets/catalog/imagePrices.json';
import { shapeFor } from '../../../main/context/snapshot/shapes';
import { readerName, readerNames } from './readerNames';

it('S2: every family that pages are made for has a name, and no name is left over', () => {
  const readers = [...prices.map(({ rule }) => ({ modelId: 'x', imageRule: rule })), { modelId: 'kimi-k2' }, { modelId: 'glm-5' }];
  const families = new Set(readers.flatMap((reader) => shapeFor(reader)?.name ?? []));
  families.delete('unknown');
  expect(Object.keys(readerNames).sort()).toEqual([...families].sort());
  expect(readerName('unknown')).toBeNull();
  expect(readerName('of-tomorrow')).toBe('of-tomorrow');
});
