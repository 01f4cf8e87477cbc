// The text that goes before pages (S9): what they are, their grid and marks, what is missing, and what to do where one is not clear. Pure.
import type { Pages } from './makePages';
import { lineMark } from './print';
import { mark } from './text';

type Shown = Pick<Pages, 'pages' | 'facts' | 'dropped' | 'gapBefore' | 'missing'>;

/** The frame around it says that this is past work and no new request. */
export function pagesLegend({ pages, facts, dropped, gapBefore, missing }: Shown): string {
  const lines = [
    `Older messages of this conversation, in order: first as text, then as ${pages.length === 1 ? 'one picture' : `${pages.length} pictures`} of text, then as text again. They are past context, not the current request. Users and assistants stand in one message because pictures may stand nowhere else; who speaks is told by the marks.`,
    `Each picture is a page of ${gridsOf(pages)}, read row by row; words may break across rows.`,
    `${mark} begins a mark of the program: ${mark}user, ${mark}assistant, ${mark}call with its arguments, ${mark}result, ${mark}file, ${mark}image. ${lineMark} is a line break, several blanks are one, [U+1F525] is a character without a picture. Indentation is lost.`,
  ];
  if (missing > 0)
    lines.push(`${missing} characters of arguments, results and files are left out; each place says how many, and the id for recall.`);
  if (dropped > 0)
    lines.push(
      `${dropped} characters are missing ${gapBefore === 0 ? 'before the first page' : `between page ${gapBefore} and page ${gapBefore + 1}`}.`,
    );
  lines.push(
    'Text is exact. Where an exact name, id, number or line of a picture matters and is not plainly legible, read the file or run the command again, or use recall; never guess.',
  );
  if (facts.length > 0) lines.push('Exact words from the pages:', ...facts.map((fact) => `- ${fact}`));
  return lines.join('\n');
}

/** Each size once, in the order in which it first comes. */
function gridsOf(pages: Shown['pages']): string {
  const grids = new Map<string, number>();
  for (const { columns, rows } of pages) grids.set(String(columns), Math.max(rows, grids.get(String(columns)) ?? 0));
  return [...grids].map(([columns, rows]) => `${columns} columns and up to ${rows} rows`).join(', or of ');
}
