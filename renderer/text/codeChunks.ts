// Code is shown in chunks of whole lines: a line that arrives lays out its own chunk, never the whole block.

export const chunkLines = 32;
export const chunkChars = 4_000;

/** Whole lines of `text` in chunks; joined by line feeds they are the text again. */
export function chunkCode(text: string): string[] {
  const chunks: string[] = [];
  let start = 0;
  let lines = 0;
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
    lines++;
    if (lines < chunkLines && at - start < chunkChars) continue;
    chunks.push(text.slice(start, at));
    start = at + 1;
    lines = 0;
  }
  chunks.push(text.slice(start));
  return chunks;
}

/** Number of lines in the chunks of a closed block. */
export function countLines(chunks: readonly string[]): number {
  let lines = 0;
  for (const chunk of chunks) {
    lines++;
    for (let at = chunk.indexOf('\n'); at >= 0; at = chunk.indexOf('\n', at + 1)) lines++;
  }
  return lines;
}
