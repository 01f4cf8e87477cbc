// Differences as lines that can be drawn: read from a unified diff, or worked out between two short texts. Pure.
import { parsePatch, type StructuredPatchHunk, structuredPatch } from 'diff';

export type DiffLine = {
  kind: 'same' | 'added' | 'removed' | 'note';
  text: string;
  before?: number | undefined;
  after?: number | undefined;
};
export type DiffHunk = { header: string; lines: DiffLine[] };
export type FileDiff = { file: string; hunks: DiffHunk[] };

/** Null when the text is no unified diff. */
export function readDiff(text: string): FileDiff[] | null {
  if (!/^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@/m.test(text)) return null;
  try {
    const files = parsePatch(text).filter((file) => file.hunks.length > 0);
    if (files.length === 0) return null;
    return files.map((file) => ({ file: file.newFileName ?? file.oldFileName ?? '', hunks: file.hunks.map(hunkOf) }));
  } catch {
    // Cut in the middle, or only looks like one: shown as text.
    return null;
  }
}

/** Milliseconds after which two texts are shown whole, one after the other. */
const patience = 100;

/** What replacing one text by another changes. */
export function differenceOf(before: string, after: string): FileDiff {
  const patch = structuredPatch('', '', ended(before), ended(after), undefined, undefined, { context: 3, timeout: patience });
  const whole: DiffHunk = { header: '', lines: [...linesOf(before, 'removed'), ...linesOf(after, 'added')] };
  return { file: '', hunks: patch ? patch.hunks.map(hunkOf) : [whole] };
}

/** A last line without an end is no news where a piece of a file is compared. */
const ended = (text: string) => (text === '' || text.endsWith('\n') ? text : `${text}\n`);

export function linesOf(text: string, kind: DiffLine['kind']): DiffLine[] {
  if (text === '') return [];
  return ended(text)
    .slice(0, -1)
    .split('\n')
    .map((line) => ({ kind, text: line }));
}

const kinds: Record<string, DiffLine['kind']> = { '+': 'added', '-': 'removed', ' ': 'same' };

function hunkOf(hunk: StructuredPatchHunk): DiffHunk {
  let [before, after] = [hunk.oldStart, hunk.newStart];
  const lines = hunk.lines
    .filter((line) => line !== '')
    .map((line): DiffLine => {
      const kind = kinds[line.charAt(0)] ?? 'note';
      const numbered: DiffLine = { kind, text: line.slice(1) };
      if (kind === 'removed' || kind === 'same') numbered.before = before++;
      if (kind === 'added' || kind === 'same') numbered.after = after++;
      return numbered;
    });
  return { header: `@@ -${hunk.oldStart},${hunk.oldLines} +${hunk.newStart},${hunk.newLines} @@`, lines };
}
