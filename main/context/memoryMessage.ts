// The memory as the model reads it: a frame that says what it is, the card or the pages, files that were read for it, and references (L8, M6). Pure.
import type { MemoryBody, MemoryRecord } from '../../shared/model/memoryRecord';
import type { RequestMessage, RequestPart } from '../../shared/model/request';
import { autoReadFile, earlierNotes, memoryEnd, memoryStart, openTasks, pagesStart, referencedFiles } from './wording';

/**
 * One message, built from the record alone, so that it replays without what made it (L9). A card is Bough's word, pages are always the user's:
 * no provider takes pictures from anybody else.
 */
export function memoryMessage({ body }: Pick<MemoryRecord, 'body'>): RequestMessage {
  const known = body ?? { text: '', pages: [], files: [], references: [] };
  return known.pages.length > 0 ? pagesMessage(known) : { role: 'system', parts: framed(memoryStart, textOfBody(known)) };
}

/** An earlier card, what the pages are, then the history: its beginning, the pages, its end (S1, S9). */
function pagesMessage({ text, pages, frame, ...rest }: MemoryBody): RequestMessage {
  const pictures = pages.map(
    ({ hash, width, height }, at): RequestPart => ({
      type: 'image',
      hash,
      mime: 'image/png',
      name: `page ${at + 1}`,
      width,
      height,
      page: true,
    }),
  );
  const card = text.trim() === '' ? [] : [`${earlierNotes}\n${text.trim()}`];
  const history = [...texts([frame?.legend, frame?.head]), ...pictures, ...texts([frame?.tail])];
  return {
    role: 'user',
    parts: framed(pagesStart(pages.length), [...texts(card), ...history, ...textOfBody({ ...rest, text: '', pages: [] })]),
  };
}

const framed = (start: string, parts: readonly RequestPart[]): RequestPart[] => [...texts([start]), ...parts, ...texts([memoryEnd])];

function textOfBody({ text, files, references, tasks }: MemoryBody): RequestPart[] {
  const shown = files.map(({ path, text: content, from, to }) => `${autoReadFile(path, from, to)}\n${content}`);
  return texts([
    text.trim(),
    ...shown,
    ...(references.length > 0 ? [referencedFiles(references)] : []),
    ...(tasks ? [`${openTasks}\n${tasks}`] : []),
  ]);
}

function texts(all: readonly (string | undefined)[]): RequestPart[] {
  return all.flatMap((text) => (text ? [{ type: 'text', text }] : []));
}
