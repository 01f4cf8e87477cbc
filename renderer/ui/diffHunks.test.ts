// Differences read from text and worked out, as lines with their places.
import { createTwoFilesPatch } from 'diff';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DiffLine, differenceOf, readDiff } from './diffHunks';

const text = fc.array(fc.constantFrom('a', 'b', '', '+c', '-d', '--- e', '@@ f', ' g'), { maxLength: 12 }).map((lines) => lines.join('\n'));
const textOf = (lines: readonly DiffLine[], without: DiffLine['kind']) =>
  lines.filter((line) => line.kind !== without && line.kind !== 'note').map((line) => line.text);

describe('differences', () => {
  it('A5: every line of a unified diff is there with its mark and its number in both files', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const patch = createTwoFilesPatch('x.ts', 'x.ts', before, after, undefined, undefined, { context: 100 });
        const files = readDiff(patch.slice(patch.indexOf('--- ')).trimEnd());
        if (before === after) {
          expect(files).toBeNull();
          return;
        }
        const lines = files!.flatMap((file) => file.hunks.flatMap((hunk) => hunk.lines));
        const [old, next] = [before.split('\n'), after.split('\n')];
        for (const line of lines) {
          if (line.before !== undefined) expect(old[line.before - 1]).toBe(line.text);
          if (line.after !== undefined) expect(next[line.after - 1]).toBe(line.text);
        }
        expect(files![0]!.file).toBe('x.ts');
      }),
    );
  });

  it('A5: what only looks like a diff, or was cut, is none', () => {
    for (const other of ['', 'plain', '--- a\n+++ b', '@@ -1,3 +1,9 @@\n one\n[12 lines are left out]\n+two', '@@ nothing @@'])
      expect(readDiff(other), other).toBeNull();
  });

  it('A4: a preview holds the whole of the old and the new text around its changes', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const lines = differenceOf(before, after).hunks.flatMap((hunk) => hunk.lines);
        // No text and one empty line are two things; a last line without an end is as one with it.
        const ended = (whole: string) => (whole === '' ? null : whole.replace(/\n$/, ''));
        if (ended(before) === ended(after)) expect(lines).toEqual([]);
        else {
          // With three lines around each change, at most seven lines of a short text are left out in one piece.
          for (const line of textOf(lines, 'added')) expect(before.split('\n')).toContain(line);
          for (const line of textOf(lines, 'removed')) expect(after.split('\n')).toContain(line);
          expect(lines.some((line) => line.kind === 'added' || line.kind === 'removed')).toBe(true);
        }
      }),
    );
  });
});
