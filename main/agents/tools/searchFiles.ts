// search_files: lines that match, with their files, numbers and neighbours. ripgrep's engine takes linear time, so no pattern hangs it.
import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { ToolResult } from '../../../shared/model/tool';
import { isOffLimits, locate, type Place } from './common/confine';
import { defineTool, errorResult, type ToolContext, textResult } from './common/definition';
import { explained } from './common/openFile';
import { oneLine, shortenLine } from './common/output';
import { runRipgrep, tidyPath } from './common/ripgrep';

const input = z.object({
  pattern: z.string().check(z.minLength(1), z.maxLength(2000), z.describe('What to look for, a regular expression')),
  path: z.optional(z.string().check(z.describe('Folder or file to search, relative to the workspace folder; all of it when left out'))),
  glob: z.optional(z.string().check(z.maxLength(1000), z.describe('Which files, such as *.ts or src/**/*.md'))),
  literal: z.optional(z.boolean().check(z.describe('Take the pattern as plain text'))),
  ignoreCase: z.optional(z.boolean()),
  context: z.optional(z.int().check(z.minimum(0), z.maximum(10), z.describe('Lines to show before and after each match'))),
  ignored: z.optional(z.boolean().check(z.describe('Also search what .gitignore leaves out'))),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(1000), z.describe('How many matching lines to show at most, 100 when left out'))),
});
type Input = z.output<typeof input>;

/** One line of `rg --json`; lines that are not UTF-8 come as base64. */
const words = z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]);
const eventSchema = z.object({
  type: z.enum(['match', 'context']),
  data: z.object({ path: words, lines: words, line_number: z.nullable(z.int()) }),
});
type Line = { file: string; number: number; text: string; match: boolean };

export const searchFilesTool = defineTool({
  name: 'search_files',
  description:
    'Searches the text files of the workspace for a regular expression or plain text. What .gitignore leaves out and binary files are not searched. Matching lines come as "number: text", lines around them as "number- text".',
  input,
  async plan(asked, context) {
    const place = await locate(context.workspace, asked.path ?? '.', context.platform);
    return { needs: [{ kind: 'read', path: place.path, outside: place.outside }], run: () => search(place, asked, context) };
  },
});

async function search(place: Place, asked: Input, context: ToolContext): Promise<ToolResult> {
  const folder = await folderOf(place);
  const end = await runRipgrep(context, folder, {
    globs: asked.glob === undefined ? [] : [asked.glob],
    ignored: asked.ignored ?? false,
    more: [
      '--json',
      '--sort=path',
      `--max-filesize=${context.limits.fileBytes}`,
      `--context=${asked.context ?? 0}`,
      asked.ignoreCase ? '--ignore-case' : '--case-sensitive',
      ...(asked.literal ? ['--fixed-strings'] : []),
      `--regexp=${asked.pattern}`,
    ],
    rest: [folder === place.path ? '.' : place.path.slice(folder.length).replace(/^[\\/]/, '')],
  });
  if (end.code === 2 && end.text === '') return errorResult('The search failed', oneLine(end.errors, 1000));
  const lines = await allowedLines(linesIn(end.text), folder, context);
  const prefix = place.shown === '.' ? '' : `${folder === place.path ? place.shown : dirname(place.shown)}/`.replace(/^\.\//, '');
  const note = end.timedOut ? ', stopped by its time limit' : end.lost > 0 ? ', and more than could be kept' : '';
  return listed(lines, asked, prefix, note);
}

async function folderOf(place: Place): Promise<string> {
  try {
    return (await stat(place.path)).isDirectory() ? place.path : dirname(place.path);
  } catch (error) {
    throw explained(error, place.shown);
  }
}

function linesIn(output: string): Line[] {
  return output.split('\n').flatMap((json) => {
    const event = parsed(json);
    if (event === null) return [];
    const text = wordsOf(event.data.lines).replace(/\r?\n$/, '');
    return { file: tidyPath(wordsOf(event.data.path)), number: event.data.line_number ?? 0, text, match: event.type === 'match' };
  });
}

/** Null for events of other kinds, and for the one line that a limit may have cut. */
function parsed(json: string): z.output<typeof eventSchema> | null {
  try {
    return eventSchema.safeParse(JSON.parse(json)).data ?? null;
  } catch {
    return null;
  }
}

function wordsOf(value: z.output<typeof words>): string {
  return 'text' in value ? value.text : Buffer.from(value.bytes, 'base64').toString('latin1');
}

/** Without files that are only another name (a hard link) of one in `.bough`. */
async function allowedLines(lines: readonly Line[], folder: string, context: ToolContext): Promise<Line[]> {
  const refused = new Set<string>();
  for (const file of new Set(lines.map((line) => line.file))) {
    if (await isOffLimits(context.workspace, join(folder, file), context.platform)) refused.add(file);
  }
  return lines.filter((line) => !refused.has(line.file));
}

function listed(lines: readonly Line[], asked: Input, prefix: string, note: string): ToolResult {
  const all = lines.filter((line) => line.match).length;
  if (all === 0) return { summary: `No match for ${oneLine(asked.pattern, 100)}${note}` };
  const files = new Set(lines.filter((line) => line.match).map((line) => line.file)).size;
  const limit = asked.limit ?? 100;
  const shown: string[] = [];
  let matches = 0;
  let last: Line | undefined;
  for (const line of lines) {
    if (line.match && ++matches > limit) break;
    if (line.file !== last?.file) shown.push(...(last ? [''] : []), `${prefix}${line.file}`);
    else if (line.number > last.number + 1 && (asked.context ?? 0) > 0) shown.push('--');
    shown.push(`${line.number}${line.match ? ':' : '-'} ${shortenLine(line.text)}`);
    last = line;
  }
  if (all > limit) shown.push('', `[${all - limit} more matching lines are not shown. Narrow the search.]`);
  return textResult(
    `Found ${all} matching ${all === 1 ? 'line' : 'lines'} in ${files} ${files === 1 ? 'file' : 'files'} for ${oneLine(asked.pattern, 100)}${note}`,
    shown.join('\n'),
  );
}
