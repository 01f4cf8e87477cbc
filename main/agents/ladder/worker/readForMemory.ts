// A file that a worker marked, read once for the memory (M6): confined as every file tool (A3), its lines numbered as `read_file` gives them, so
// that no line of it can pass for one of the program's own.
import type { MemoryBody } from '../../../../shared/model/memoryRecord';
import { oneLine } from '../../../context/digest/frame';
import { decodeText, linesOf } from '../../../lib/textFile';
import { locate } from '../../tools/common/confine';
import { type ToolContext, ToolError } from '../../tools/common/definition';
import { readPlace } from '../../tools/common/openFile';
import { cleanText, shortenLine } from '../../tools/common/output';
import { mostPath } from '../references';

export type Part = { path: string; offset?: number | undefined; limit?: number | undefined };
type MemoryFile = MemoryBody['files'][number];
/** `why`: no contents can be had; what is left is to name it. */
export type ReadResult = { type: 'read'; file: MemoryFile } | { type: 'refused'; path: string; why: string };
export type Reading = Pick<ToolContext, 'workspace' | 'platform' | 'limits' | 'hideKeys'>;

/** Throws `ToolError` for a part that the file has not. */
export async function readForMemory(asked: Part, { workspace, platform, limits, hideKeys }: Reading): Promise<ReadResult> {
  const refused = (path: string, why: string): ReadResult => ({ type: 'refused', path: oneLine(hideKeys(path), mostPath), why });
  try {
    const place = await locate(workspace, asked.path, platform);
    if (place.outside) return refused(place.path, 'is outside the workspace');
    const { bytes } = await readPlace(place, limits.fileBytes);
    const text = decodeText(bytes)?.text;
    if (text === undefined) return refused(place.shown, 'is a binary file');
    if (text === '') return refused(place.shown, 'is empty');
    return { type: 'read', file: fileOf(place.shown, linesOf(hideKeys(cleanText(text))), asked) };
  } catch (error) {
    if (!(error instanceof ToolError) || error instanceof NoSuchPart) throw error;
    return refused(asked.path, withoutName(error.message, asked.path));
  }
}

class NoSuchPart extends ToolError {}

/** Behind one of them a text could look as if it began a line. */
const otherLineEnds = /[\u0085\u2028\u2029]/g;

function fileOf(shown: string, lines: readonly string[], { offset = 1, limit }: Part): MemoryFile {
  if (offset > lines.length) throw new NoSuchPart(`${shown} has only ${lines.length} lines.`);
  const to = Math.min(lines.length, limit === undefined ? lines.length : offset - 1 + limit);
  const text = lines
    .slice(offset - 1, to)
    .map((line, at) => `${offset + at}\t${shortenLine(line).replaceAll(otherLineEnds, ' ')}`)
    .join('\n');
  const path = oneLine(shown, mostPath);
  return offset === 1 && to === lines.length ? { path, text } : { path, text, from: offset, to };
}

/** The reference names the file already. */
function withoutName(message: string, path: string): string {
  const line = oneLine(message, 160);
  return (line.startsWith(path) ? line.slice(path.length).replace(/^[:\s]+/, '') : line).replace(/\.$/, '');
}
