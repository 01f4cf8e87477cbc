// Cuts a very long plain text into pieces that a browser can lay out one by one; 5 MB takes a few milliseconds.

export type LongText = {
  /** The first lines, for the folded view. */
  start: string;
  /** The whole text; a line feed between two pieces is not in either, except where a line was longer than a piece. */
  pieces: string[];
  lines: number;
};

const longChars = 24_000;
const longLines = 400;
const pieceChars = 6_000;
const startChars = 1_600;
const startLines = 16;

function countLines(text: string): number {
  let lines = 1;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) lines++;
  return text.endsWith('\n') ? lines - 1 : lines;
}

/** Never between the two halves of a character. */
function wholeCharacters(text: string, end: number): number {
  const code = text.charCodeAt(end - 1);
  return code >= 0xd800 && code <= 0xdbff ? end - 1 : end;
}

function cut(text: string): string[] {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    const limit = Math.min(text.length, at + pieceChars);
    const line = limit === text.length ? limit : text.lastIndexOf('\n', limit);
    const end = line > at ? line : wholeCharacters(text, limit);
    pieces.push(text.slice(at, end));
    at = text[end] === '\n' ? end + 1 : end;
  }
  return pieces;
}

function startOf(text: string): string {
  let end = 0;
  for (let lines = 0; lines < startLines; lines++) {
    const next = text.indexOf('\n', end + 1);
    if (next < 0 || next > startChars) break;
    end = next;
  }
  return end > 0 ? text.slice(0, end) : text.slice(0, wholeCharacters(text, startChars));
}

/** Null for a text of ordinary length, which is shown as Markdown. */
export function readLongText(text: string): LongText | null {
  const lines = text.length > longLines ? countLines(text) : 1;
  if (text.length <= longChars && lines <= longLines) return null;
  return { start: startOf(text), pieces: cut(text), lines };
}
