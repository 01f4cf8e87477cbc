import { describe, expect, it } from 'vitest';
import { foldForSearch } from './foldForSearch';

describe('folding for search', () => {
  it('Q1, U1: case, accents, width and ё do not matter; kana keep their marks', () => {
    expect(foldForSearch('ÀÉÎõü ŁŻ')).toBe('aeiou łz');
    expect(foldForSearch('Ёлка Й')).toBe('елка и');
    expect(foldForSearch('ΆΈΉ')).toBe('αεη');
    expect(foldForSearch('ＡＢＣ１２３ ｶﾞ')).toBe('abc123 ガ');
    expect(foldForSearch('が か ぱ は')).toBe('が か ぱ は');
    expect(foldForSearch('東京')).toBe('東京');
    expect(foldForSearch(foldForSearch('Ünïcödé'))).toBe(foldForSearch('Ünïcödé'));
  });
});
