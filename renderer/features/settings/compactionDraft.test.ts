import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compactionDefaults } from '../../../shared/model/compaction';
import { draftOf, numberFields, readDraft } from './compactionDraft';

describe('numbers as they are typed', () => {
  it('L21: every number of the ladder has a field, once', () => {
    expect(numberFields.map(({ key }) => key).sort()).toEqual(Object.keys(compactionDefaults).sort());
  });

  it('L21: docs/formats.md lists each with the number set first', () => {
    const docs = readFileSync(join(import.meta.dirname, '../../../docs/formats.md'), 'utf8');
    const rows = [...docs.matchAll(/^\| `(\w+)` +\| `(\S+)` +\| (?:\d+ %)? *\| \S/gm)].map(([, key, value]) => [key, value]);
    expect(rows).toEqual(Object.entries(compactionDefaults).map(([key, value]) => [key, String(value)]));
  });

  it('L21: what is saved is typed and read back as it was', () => {
    expect(readDraft(draftOf(compactionDefaults))).toEqual({ settings: compactionDefaults, wrong: new Set() });
    const settings = {
      threshold: null,
      requestThreshold: 120_000,
      maxRequestBytes: 65_537 * 2,
      recoveryShare: 0.55,
      summaryMode: 'worker' as const,
    };
    expect(readDraft(draftOf(settings))).toEqual({ settings, wrong: new Set() });
    fc.assert(
      fc.property(fc.integer({ min: 100, max: 10_000 }), (parts) => {
        const threshold = parts / 10_000;
        expect(readDraft(draftOf({ threshold })).settings.threshold).toBeCloseTo(threshold, 10);
      }),
    );
  });

  it.each([
    ['threshold', 'percent:72,5', 0.725],
    ['threshold', 'percent:70 %', 0.7],
    ['requestThreshold', 'tokens:120 000', 120_000],
    ['requestThreshold', 'off', null],
    ['maxRequestBytes', '512', 524_288],
    ['minSavings', '4,000', 4000],
    ['keepImages', '0', 0],
  ] as const)('L21: %s %j is %j', (key, typed, value) => {
    expect(readDraft({ [key]: typed })).toEqual({ settings: { [key]: value }, wrong: new Set() });
  });

  it.each([
    ['threshold', 'percent:0'],
    ['threshold', 'percent:101'],
    ['threshold', 'percent:'],
    ['requestThreshold', 'tokens:12'],
    ['maxRequestBytes', '63'],
    ['retainedSteps', '0'],
    ['minSavings', '-1'],
    ['minSavings', 'many'],
    ['workerTokens', '3999'],
    ['recoveryShare', '120'],
    ['summaryMode', 'both'],
  ] as const)('L21: %s %j is refused, and the others are read', (key, typed) => {
    expect(readDraft({ [key]: typed, protectTokens: '9000' })).toEqual({ settings: { protectTokens: 9000 }, wrong: new Set([key]) });
  });

  it('L21: an empty field is the number set first', () => {
    expect(readDraft({ minSavings: ' ', threshold: '' })).toEqual({ settings: {}, wrong: new Set() });
  });
});
