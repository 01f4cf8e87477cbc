// list_files: the files below a folder by glob, without what .gitignore leaves out. ripgrep walks and matches.
import { stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { ToolResult } from '../../../shared/model/tool';
import { locate, type Place } from './common/confine';
import { defineTool, errorResult, type ToolContext, ToolError, textResult } from './common/definition';
import { explained } from './common/openFile';
import { oneLine } from './common/output';
import { runRipgrep, tidyPath } from './common/ripgrep';

const input = z.object({
  path: z.optional(z.string().check(z.describe('Folder to list, relative to the workspace folder; the workspace itself when left out'))),
  glob: z.optional(z.string().check(z.maxLength(1000), z.describe('Which files, such as *.ts or src/**/*.{ts,tsx}; all when left out'))),
  ignored: z.optional(z.boolean().check(z.describe('Also list what .gitignore leaves out'))),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(2000), z.describe('How many files to list at most, 300 when left out'))),
});
type Input = z.output<typeof input>;

export const listFilesTool = defineTool({
  name: 'list_files',
  description: 'Lists the files below a folder, by glob where one is given, in order of path. What .gitignore leaves out is not listed.',
  input,
  async plan(asked, context) {
    const place = await locate(context.workspace, asked.path ?? '.', context.platform);
    return { needs: [{ kind: 'read', path: place.path, outside: place.outside }], run: () => list(place, asked, context) };
  },
});

async function list(place: Place, asked: Input, context: ToolContext): Promise<ToolResult> {
  await mustBeFolder(place);
  const end = await runRipgrep(context, place.path, {
    globs: asked.glob === undefined ? [] : [asked.glob],
    ignored: asked.ignored ?? false,
    more: ['--files', '--sort=path', '--null'],
    rest: ['.'],
  });
  if (end.timedOut) return errorResult(`Listing ${place.shown} took too long; name a smaller folder`);
  if (end.code === 2 && end.text === '') return errorResult(`Listing failed: ${oneLine(end.errors)}`);
  const prefix = place.shown === '.' ? '' : `${place.shown}/`;
  // Without its end mark a last name was cut.
  const files = end.text
    .split('\0')
    .slice(0, -1)
    .map((path) => `${prefix}${tidyPath(path)}`);
  const shown = files.slice(0, asked.limit ?? 300);
  const what = asked.glob === undefined ? place.shown : `${asked.glob} in ${place.shown}`;
  if (files.length === 0) return { summary: `No files: ${oneLine(what, 150)}` };
  const total = end.lost > 0 ? `more than ${files.length}` : String(files.length);
  const left = files.length - shown.length;
  return textResult(
    `Listed ${left > 0 ? `${shown.length} of ` : ''}${total} ${files.length === 1 ? 'file' : 'files'}: ${oneLine(what, 150)}`,
    [...shown, ...(left > 0 ? [`[${left} more files are not listed. Name a folder or a glob.]`] : [])].join('\n'),
  );
}

async function mustBeFolder(place: Place): Promise<void> {
  try {
    if ((await stat(place.path)).isDirectory()) return;
  } catch (error) {
    throw explained(error, place.shown);
  }
  throw new ToolError(`${place.shown} is a file. Use read_file.`);
}
