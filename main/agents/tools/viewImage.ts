// view_image: a picture of the workspace for a model that sees. The result names a blob; sizing it to the reader is the request's part (P7).
import { basename } from 'node:path';
import { imageSize } from 'image-size';
import * as z from 'zod/mini';
import type { ToolResult } from '../../../shared/model/tool';
import { locate, type Place } from './common/confine';
import { defineTool, errorResult, type ToolContext } from './common/definition';
import { readPlace } from './common/openFile';

const input = z.object({ path: z.string().check(z.describe('Path of the picture, relative to the workspace folder')) });

/** Formats that both Chromium and the model families read. */
const mimes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };

export const viewImageTool = defineTool({
  name: 'view_image',
  description: 'Shows you a picture file of the workspace (PNG, JPEG, GIF, WebP).',
  input,
  async plan(asked, context) {
    const place = await locate(context.workspace, asked.path, context.platform);
    return { needs: [{ kind: 'read', path: place.path, outside: place.outside }], run: () => view(place, context) };
  },
});

async function view(place: Place, context: ToolContext): Promise<ToolResult> {
  const { bytes } = await readPlace(place, context.limits.imageBytes);
  const facts = factsOf(bytes);
  if (facts === null) return errorResult(`${place.shown} is no picture that can be shown (PNG, JPEG, GIF, WebP)`);
  const { mime, width, height } = facts;
  const hash = await context.blobs.write(bytes, mime);
  return {
    summary: `Viewed ${place.shown} (${width} × ${height}, ${mime})`,
    images: [{ type: 'image', hash, mime, name: basename(place.path), size: bytes.length, width, height }],
  };
}

function factsOf(bytes: Uint8Array): { mime: string; width: number; height: number } | null {
  try {
    const { type, width, height } = imageSize(bytes);
    const mime = mimes[type ?? ''];
    return mime !== undefined && width > 0 && height > 0 ? { mime, width, height } : null;
  } catch {
    // The library throws for everything that is no picture.
    return null;
  }
}
