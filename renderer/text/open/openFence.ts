// An open code fence: whole lines gather in chunks that are never touched again.
import { chunkChars, chunkLines } from '../codeChunks';
import type { OpenBlock } from './openBlock';

const opener = /^( {0,3})(`{3,}(?=[^`\n]*(?:\n|$))|~{3,})([^\n]*)(?:\n|$)/;

/** The open fence at `start`, or null when there is none or its first line is not whole yet. */
export function openFence(text: string, start: number, language: (info: string) => string): OpenBlock | null {
  const head = opener.exec(text.slice(start, start + 400));
  const mark = head?.[2];
  if (!head || !mark || !head[0].endsWith('\n')) return null;
  const indent = new RegExp(`^ {0,${head[1]?.length ?? 0}}`);
  const closing = new RegExp(`^ {0,3}${mark}[\`~]* *$`);
  const name = language(head[3] ?? '');
  const full: string[] = [];
  let lines: string[] = [];
  let chars = 0;
  let at = start + head[0].length;
  let rest = '';

  const push = (line: string) => {
    lines.push(line);
    chars += line.length;
    if (lines.length < chunkLines && chars < chunkChars) return;
    full.push(lines.join('\n'));
    lines = [];
    chars = 0;
  };
  return {
    update(source) {
      for (let end = source.indexOf('\n', at); end >= 0; end = source.indexOf('\n', at)) {
        const line = source.slice(at, end);
        if (closing.test(line)) return false;
        push(line.replace(indent, ''));
        at = end + 1;
      }
      // A line without an end is shown in pieces too: one 50 kB line costs no more than many short ones.
      while (source.length - at > chunkChars) {
        push(source.slice(at, at + chunkChars));
        at += chunkChars;
      }
      rest = source.slice(at);
      return !closing.test(rest);
    },
    nodes() {
      const tail = lines.length > 0 ? `${lines.join('\n')}\n${rest}` : rest;
      const key = `open ${start} ${full.length} ${tail.length}`;
      return [{ kind: 'code', key, language: name, chunks: [...full, tail], open: true }];
    },
  };
}
