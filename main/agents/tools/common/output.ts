// What of a long text the model sees: its head, its tail, and an outline of what lies between (A2). Pure.
import { stripVTControlCharacters } from 'node:util';

const maxLineLength = 2000;
const outlineLines = 40;
/** Control characters but tab, line feed and carriage return. */
const unprintable = /(?![\t\n\r])\p{Cc}/gu;
const loneSurrogates = /[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const remarkable =
  /^\s*(?:#{1,6} \S|(?:export |default |public |private |protected |static |abstract |async |pub(?:\([^)]*\))? )*(?:function|class|interface|type|enum|struct|impl|trait|def|fn|func|module|namespace) \w)|\b(?:error|failed|failure|fatal|exception|panic|warning)\b/i;

/** Text that can be shown: no escape sequences, no control characters but tab and line ends, no halves of characters. */
export function cleanText(text: string): string {
  return stripVTControlCharacters(text).replace(loneSurrogates, '\ufffd').replace(unprintable, '');
}

/** One line of at most `limit` characters. */
export function oneLine(text: string, limit = 200): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  return line.length <= limit ? line : `${line.slice(0, limit - 1)}…`;
}

/** Lines above 2,000 characters keep their beginning, and say how much is missing. */
export function shortenLine(line: string): string {
  return line.length <= maxLineLength ? line : `${line.slice(0, maxLineLength)} … [${line.length - maxLineLength} more characters]`;
}

/** Lines that begin something or report trouble, with their numbers (from 1), spread evenly where there are too many. */
export function outlineOf(lines: readonly string[], from: number, to: number): string[] {
  const found: string[] = [];
  for (let at = from; at < to; at++) {
    const line = lines[at] ?? '';
    if (line.length <= maxLineLength && remarkable.test(line)) found.push(`${at + 1}: ${line.trim().slice(0, 120)}`);
  }
  if (found.length <= outlineLines) return found;
  return Array.from({ length: outlineLines }, (_, index) => found[Math.floor((index * found.length) / outlineLines)] ?? '');
}

/** How many lines from the start, and from the end, fit into `budget` characters: all, or two thirds for the head. */
function endsOf(lines: readonly string[], budget: number, number: (line: string, at: number) => string): { head: number; tail: number } {
  const room = (at: number) => number(shortenLine(lines[at] ?? ''), at).length + 1;
  const fitting = (count: number, share: number, at: (index: number) => number) => {
    let left = share;
    for (let index = 0; index < count; index++) {
      left -= room(at(index));
      if (left < 0) return index;
    }
    return count;
  };
  if (fitting(lines.length, budget, (index) => index) === lines.length) return { head: lines.length, tail: 0 };
  const head = fitting(lines.length, Math.floor((budget * 2) / 3), (index) => index);
  return { head, tail: fitting(lines.length - head, Math.floor(budget / 3), (index) => lines.length - 1 - index) };
}

/**
 * The ends of a text whose lines are too many, with what is left out named between them. `hint` says how the rest is read, given its
 * first and last line (from 1). `number` prints a line with its number.
 */
export function shortenLines(
  lines: readonly string[],
  budget: number,
  hint: (from: number, to: number) => string,
  number: (line: string, at: number) => string = (line) => line,
): string {
  const { head, tail } = endsOf(lines, budget, number);
  const show = (from: number, to: number) => lines.slice(from, to).map((line, index) => number(shortenLine(line), from + index));
  const end = lines.length - tail;
  if (head >= end) return show(0, lines.length).join('\n');
  const outline = outlineOf(lines, head, end);
  return [
    ...show(0, head),
    `[Lines ${head + 1} to ${end} of ${lines.length} are left out. ${hint(head + 1, end)}]`,
    ...(outline.length > 0 ? ['[Outline of what is left out:', ...outline, ']'] : []),
    ...show(end, lines.length),
  ].join('\n');
}
