// write_file: makes a file or replaces it whole, and shows the difference (A5).
import * as z from 'zod/mini';
import type { ToolResult } from '../../../shared/model/tool';
import { decodeText, linesOf } from '../../lib/textFile';
import { locate, type Place } from './common/confine';
import { defineTool, type Outdated, type ToolContext, ToolError, textResult } from './common/definition';
import { changeOf, diffText, previewText } from './common/diffText';
import { withFile } from './common/fingerprint';
import { readPlace } from './common/openFile';
import { fileAt, writePlace } from './common/writePlace';

const input = z.object({
  path: z.string().check(z.describe('Path of the file, relative to the workspace folder')),
  content: z.string().check(z.describe('The whole new content')),
});

export const writeFileTool = defineTool({
  name: 'write_file',
  description: 'Writes a whole text file; missing folders are made, an old file is replaced. To change a part of a file use edit_file.',
  input,
  async plan(asked, context) {
    const place = await locate(context.workspace, asked.path, context.platform);
    const outdated = await context.outdated?.(place, asked.path);
    if (outdated) throw new ToolError(`${place.shown} ${words[outdated]} Read it, then write it.`);
    return {
      needs: [{ kind: 'edit', path: place.path, outside: place.outside, guarded: place.guarded }],
      preview: async () => {
        const { bytes } = await readPlace(place, context.limits.fileBytes);
        const before = decodeText(bytes);
        return before === null ? undefined : previewText(place.shown, before.text, asked.content);
      },
      run: () => write(place, asked.content, context),
    };
  },
});

const words: Record<Outdated, string> = {
  remembered: 'is not as you remember it: it was changed since.',
  seen: 'was changed since you last read or wrote it.',
};

async function write(place: Place, content: string, context: ToolContext): Promise<ToolResult> {
  const bytes = Buffer.from(content, 'utf8');
  const there = await fileAt(place);
  const lines = linesOf(content).length;
  if (there === null) {
    await writePlace(place, bytes, context);
    return withFile(textResult(`Wrote ${place.shown} (new, ${lines} ${lines === 1 ? 'line' : 'lines'})`), place, bytes);
  }
  const old = await readPlace(place, Math.max(context.limits.fileBytes, there.size));
  const before = old.bytes.length > context.limits.fileBytes ? null : decodeText(old.bytes);
  if (Buffer.compare(old.bytes, bytes) === 0) return withFile({ summary: `${place.shown} already has this content` }, place, bytes);
  await writePlace(place, bytes, context, old.mode);
  if (before === null)
    return withFile(textResult(`Wrote ${place.shown} in place of a file that is no text (${there.size} bytes)`), place, bytes);
  const diff = diffText(place.shown, before.text, content);
  return withFile(textResult(`Wrote ${place.shown} (${changeOf(diff)})`, diff?.text), place, bytes);
}
