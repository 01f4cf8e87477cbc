import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Role } from '../model/message';
import { alignBranches } from './alignBranches';

const roles = (letters: string): Role[] => [...letters].map((letter) => (({ u: 'user', a: 'assistant', d: 'digest' }) as const)[letter]!);
const aligned = (left: string, right: string) =>
  alignBranches(roles(left), roles(right)).map((row) => `${row.left ?? '-'}${row.kind === 'prompt' ? '=' : '~'}${row.right ?? '-'}`);

describe('messages side by side', () => {
  it('T13: prompts stand beside prompts, answers beside answers, what is beyond stands alone', () => {
    expect(aligned('uaua', 'ua')).toEqual(['0=0', '1~1', '2=-', '3~-']);
    expect(aligned('ua', 'uua')).toEqual(['0=0', '1~-', '-=1', '-~2']);
    expect(aligned('', 'ua')).toEqual(['-=0', '-~1']);
    expect(aligned('', '')).toEqual([]);
  });

  it('T13: the last step of an answer stands beside the last, the others by their place', () => {
    expect(aligned('uaaa', 'uaa')).toEqual(['0=0', '1~1', '2~-', '3~2']);
    expect(aligned('uaa', 'ua')).toEqual(['0=0', '1~-', '2~1']);
  });

  it('T13: answers without a prompt stand beside no prompt; a digest counts as one', () => {
    expect(aligned('aua', 'ua')).toEqual(['0~-', '1=0', '2~1']);
    expect(aligned('a', 'aua')).toEqual(['0~0', '-=1', '-~2']);
    expect(aligned('da', 'ua')).toEqual(['0=0', '1~1']);
  });

  it('T13: every message of both branches has one row, in its order', () => {
    const branch = fc.array(fc.constantFrom<Role>('user', 'assistant', 'digest'), { maxLength: 30 });
    fc.assert(
      fc.property(branch, branch, (left, right) => {
        const rows = alignBranches(left, right);
        expect(rows.flatMap((row) => row.left ?? [])).toEqual(left.map((_, at) => at));
        expect(rows.flatMap((row) => row.right ?? [])).toEqual(right.map((_, at) => at));
        expect(new Set(rows.map((row) => row.key)).size).toBe(rows.length);
      }),
    );
  });
});
