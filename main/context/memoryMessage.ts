// The memory as the model reads it: a frame that says what it is, the card or the pages, files that were read for it, and references (L8, M6). Pure.
import type { MemoryBody, MemoryRecord } from '../../shared/model/memoryRecord';
import type { RequestMessage, RequestPart } from '../../shared/model/request';
import { autoReadFile, memoryEnd, memoryStart, openTasks, pagesStart, referencedFiles } from './wording';

/**
 * One message, built from the record alone, so that it replays without what made it (L9). A card is Bough's word, pages are always the user's:
 * no provider takes pictures from anybody else.
 */
export function memoryMessage({ body }: Pick<MemoryRecord, 'body'>): RequestMessage {
  const known = body ?? { text: '', pages: [], files: [], references: [] };
  const pages = known.pages.map(
    ({ hash, width, height }, at): RequestPart => ({ type: 'image', hash, mime: 'image/png', name: `page ${at + 1}`, width, height }),
  );
  const hasPages = known.pages.length > 0;
  const start: RequestPart = { type: 'text', text: hasPages ? pagesStart(known.pages.length) : memoryStart };
  return { role: hasPages ? 'user' : 'system', parts: [start, ...textOfBody(known), ...pages, { type: 'text', text: memoryEnd }] };
}

function textOfBody({ text, files, references, tasks }: MemoryBody): RequestPart[] {
  const shown = files.map(({ path, text: content, from, to }) => `${autoReadFile(path, from, to)}\n${content}`);
  const all = [
    text.trim(),
    ...shown,
    ...(references.length > 0 ? [referencedFiles(references)] : []),
    ...(tasks ? [`${openTasks}\n${tasks}`] : []),
  ];
  return all.filter((one) => one !== '').map((one) => ({ type: 'text', text: one }));
}
