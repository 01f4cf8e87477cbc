// The difference between two texts as a unified diff (A5), or that it is too large to show. Pure.
import { createTwoFilesPatch } from 'diff';

export type TextDiff = { added: number; removed: number; text: string };

/** Null when working it out takes more than a quarter of a second. `shown` names the file; `around`: the lines that stay, before and after a change. */
export function diffText(shown: string, before: string, after: string, around = 3): TextDiff | null {
  const patch = createTwoFilesPatch(shown, shown, before, after, undefined, undefined, { context: around, timeout: 250 });
  if (patch === undefined) return null;
  const all = patch.split('\n');
  // Without the lines above it that name the file once more.
  const lines = all.slice(all.findIndex((line) => line.startsWith('--- ')));
  const body = lines.slice(lines.findIndex((line) => line.startsWith('@@')));
  return {
    added: body.filter((line) => line.startsWith('+')).length,
    removed: body.filter((line) => line.startsWith('-')).length,
    // The last line of a hunk may be blanks alone: it counts.
    text: lines.join('\n').replace(/\n$/, ''),
  };
}

/** `+3 −1`, or that the change is large. */
export function changeOf(diff: TextDiff | null): string {
  return diff === null ? 'a large change' : `+${diff.added} −${diff.removed}`;
}

/** What is shown before the user's word: two lines around each change. Without one where the texts are the same. */
export function previewText(shown: string, before: string, after: string): string | undefined {
  return before === after ? undefined : diffText(shown, before, after, 2)?.text;
}
