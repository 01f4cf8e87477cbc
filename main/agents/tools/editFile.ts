// edit_file: replaces a text that occurs exactly once (or each time, when asked); encoding, byte order mark and line ends stay.
import * as z from 'zod/mini';
import type { ToolResult } from '../../../shared/model/tool';
import { decodeText, encodeText } from '../../lib/textFile';
import { locate, type Place } from './common/confine';
import { defineTool, type ToolContext, ToolError, textResult } from './common/definition';
import { changeOf, diffText, previewText } from './common/diffText';
import { withFile } from './common/fingerprint';
import { readPlace } from './common/openFile';
import { replaceText } from './common/replaceText';
import { writePlace } from './common/writePlace';

const input = z.object({
  path: z.string().check(z.describe('Path of the file, relative to the workspace folder')),
  oldText: z
    .string()
    .check(z.minLength(1), z.describe('The text to replace, exactly as it is in the file, with enough around it to occur once')),
  newText: z.string().check(z.describe('The text to put there')),
  replaceAll: z.optional(z.boolean().check(z.describe('Replace every occurrence'))),
});
type Input = z.output<typeof input>;

export const editFileTool = defineTool({
  name: 'edit_file',
  description: 'Replaces a piece of a text file. oldText must occur exactly once, without the line numbers that read_file shows.',
  input,
  async plan(asked, context) {
    const place = await locate(context.workspace, asked.path, context.platform);
    return {
      needs: [{ kind: 'edit', path: place.path, outside: place.outside, guarded: place.guarded }],
      preview: async () => {
        const { file, replaced } = await replacedIn(place, asked, context);
        return previewText(place.shown, file.text, replaced.text);
      },
      run: () => edit(place, asked, context),
    };
  },
});

async function replacedIn(place: Place, asked: Input, context: ToolContext) {
  const { bytes, mode } = await readPlace(place, context.limits.fileBytes);
  const file = decodeText(bytes);
  if (file === null) throw new ToolError(`${place.shown} is a binary file.`);
  const replaced = replaceText(file.text, asked.oldText, asked.newText, asked.replaceAll ?? false);
  if (!replaced.ok) throw new ToolError(`${place.shown}: ${replaced.why}`);
  return { file, replaced, mode };
}

async function edit(place: Place, asked: Input, context: ToolContext): Promise<ToolResult> {
  const { file, replaced, mode } = await replacedIn(place, asked, context);
  const after = encodeText(replaced.text, file);
  if (after === null)
    throw new ToolError(`${place.shown} is in an old encoding (${file.encoding}) that cannot be written. Write it anew with write_file.`);
  const isOutdated = Boolean(await context.outdated?.(place, asked.path));
  await writePlace(place, after, context, mode);
  const diff = diffText(place.shown, file.text, replaced.text);
  const places = replaced.count > 1 ? `, ${replaced.count} places` : '';
  return withFile(textResult(`Edited ${place.shown} (${changeOf(diff)}${places})`, diff?.text), place, isOutdated ? null : after);
}
