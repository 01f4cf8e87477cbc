// Headings as models write them: `## Task`, `# 1. TASK:`, `**Task**`. Pure.

/** `title`: to be compared. */
export type Heading = { level: number; text: string; title: string };

export function headingOf(line: string): Heading | undefined {
  // Longer lines are no headings, and no work for a pattern.
  const found = line.length > 400 ? null : /^ {0,3}(#{1,6})\s+(\S.*)$/.exec(line);
  if (!found) return undefined;
  const text = (found[2] ?? '').replace(/\s+#+\s*$/, '').trim();
  return text === '' ? undefined : { level: found[1]?.length ?? 1, text, title: titleOf(text) };
}

/** A line that is bold as a whole, which some models write instead of a heading. */
export function isBoldTitle(line: string): boolean {
  return line.length < 100 && /^\s{0,3}\*\*[^*]+\*\*:?\s*$/.test(line);
}

export function titleOf(text: string): string {
  return text
    .replaceAll(/[*_`]/g, '')
    .replace(/^\s*(?:\d+[.)]\s*)?/, '')
    .replace(/[\s:.]+$/, '')
    .replaceAll(/\s+/g, ' ')
    .toLowerCase();
}
