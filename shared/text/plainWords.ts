// Markdown as one line of plain words, for rows and names that draw no Markdown. Pure.

/** Of a text that may have been cut: a mark without its partner stays as it is. */
export function plainWords(markdown: string): string {
  const whole = markdown.replace(/\s+/g, ' ').trim();
  const isTable = whole.startsWith('|');
  return inline(blocks(isTable ? cells(whole) : markdown))
    .replace(/\s+/g, ' ')
    .trim();
}

function cells(table: string): string {
  return table
    .replace(/\|(?:\s*:?-{2,}:?\s*(?:\||$))+/g, '|')
    .replace(/^\|\s*|\s*\|$/g, '')
    .replace(/\s*\|(?:\s*\|)*\s*/g, ' · ');
}

/** What stands at the start of a line: fences, headings, quotation and list marks, rules. */
function blocks(text: string): string {
  return text
    .replace(/^[ \t]*(?:`{3,}|~{3,})[^\n`]*$/gm, ' ')
    .replace(/^[ \t]*(?:>[ \t]?)+/gm, '')
    .replace(/^[ \t]*#{1,6}[ \t]+/gm, '')
    .replace(/^[ \t]*[-*+][ \t]+(?:\[[ xX]\][ \t]+)?/gm, '')
    .replace(/^[ \t]*(?:-{3,}|\*{3,}|_{3,})[ \t]*$/gm, ' ');
}

const before = '(?<![\\p{L}\\p{N}\\\\])';
const after = '(?![\\p{L}\\p{N}])';
const pairs = ['\\*\\*\\*', '\\*\\*', '__', '~~', '\\*', '_'].map(
  (mark) => new RegExp(`${before}${mark}(?=\\S)([^\\n]+?)(?<=\\S)${mark}${after}`, 'gu'),
);

function inline(text: string): string {
  return text
    .split(/(`+)([\s\S]*?[^`])\1(?!`)/g)
    .map((piece, at) => (at % 3 === 1 ? '' : at % 3 === 2 ? piece : unmarked(piece)))
    .join('');
}

function unmarked(text: string): string {
  const named = text.replace(/!?\[([^\]\n]+)\]\((?:[^()\s]|\([^()\s]*\))*(?:\s+"[^"]*")?\)/g, '$1');
  return pairs.reduce((all, pair) => all.replace(pair, '$1'), named);
}
