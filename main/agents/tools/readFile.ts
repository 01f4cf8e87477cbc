// read_file: the lines of a text file with their numbers; of a long file its ends and an outline, and how to read on (A2).
import * as z from 'zod/mini';
import type { ToolResult } from '../../../shared/model/tool';
import { decodeText, linesOf } from '../../lib/textFile';
import { locate, type Place } from './common/confine';
import { defineTool, errorResult, type ToolContext, ToolError, textResult } from './common/definition';
import { withFile } from './common/fingerprint';
import { readPlace } from './common/openFile';
import { shortenLine, shortenLines } from './common/output';

const input = z.object({
  path: z.string().check(z.describe('Path of the file, relative to the workspace folder')),
  offset: z.optional(z.int().check(z.minimum(1), z.describe('First line to read, counted from 1'))),
  limit: z.optional(z.int().check(z.minimum(1), z.describe('How many lines to read'))),
});
type Input = z.output<typeof input>;

export const readFileTool = defineTool({
  name: 'read_file',
  description:
    'Reads a text file of the workspace. Each line comes with its number and a tab. A long file comes as its head, its tail and an outline: read the part you need with offset and limit.',
  input,
  async plan(asked, context) {
    const place = await locate(context.workspace, asked.path, context.platform);
    return { needs: [{ kind: 'read', path: place.path, outside: place.outside }], run: () => readSeen(place, asked, context) };
  },
});

async function readSeen(place: Place, asked: Input, context: ToolContext): Promise<ToolResult> {
  const { bytes } = await readPlace(place, context.limits.fileBytes);
  return withFile(read(place, asked, context, bytes), place, bytes);
}

function read(place: Place, asked: Input, context: ToolContext, bytes: Uint8Array): ToolResult {
  if (bytes.length === 0) return { summary: `${place.shown} is empty` };
  const file = decodeText(bytes);
  if (file === null) return errorResult(`${place.shown} is a binary file (${bytes.length} bytes) and cannot be read as text`);
  const lines = linesOf(file.text);
  const note = file.encoding === 'utf-8' ? '' : `, ${file.encoding}`;
  if (asked.offset === undefined && asked.limit === undefined) {
    const fits = bytes.length + lines.length * 8 <= context.limits.outputBytes;
    const budget = fits ? context.limits.outputBytes : context.limits.shownCharacters;
    const text = shortenLines(lines, budget, (from, to) => readOn(asked.path, from, to), numbered);
    return textResult(`Read ${place.shown} (${count(lines.length)}${note})`, text);
  }
  const from = asked.offset ?? 1;
  if (from > lines.length) throw new ToolError(`${place.shown} has only ${count(lines.length)}.`);
  return part(place, asked, lines, from, context.limits.outputBytes);
}

/** Whole lines from `from` on, as many as were asked for and fit. */
function part(place: Place, asked: Input, lines: readonly string[], from: number, budget: number): ToolResult {
  const wanted = Math.min(lines.length, from - 1 + (asked.limit ?? lines.length));
  const shown: string[] = [];
  let room = budget;
  for (let at = from - 1; at < wanted; at++) {
    const line = numbered(shortenLine(lines[at] ?? ''), at);
    room -= Buffer.byteLength(line) + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(line);
  }
  const to = from - 1 + shown.length;
  if (to < wanted) shown.push(`[The part asked for is too long to show at once. ${readOn(asked.path, to + 1, wanted)}]`);
  return textResult(`Read ${place.shown}, lines ${from} to ${to} of ${lines.length}`, shown.join('\n'));
}

const numbered = (line: string, at: number) => `${at + 1}\t${line}`;
const count = (lines: number) => (lines === 1 ? '1 line' : `${lines} lines`);

function readOn(path: string, from: number, to: number): string {
  return `Read on with read_file ${JSON.stringify({ path, offset: from, limit: to - from + 1 })}`;
}
