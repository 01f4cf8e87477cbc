// Pictures on their way into a request: sized to the reader (P7). One that is gone or cannot be read becomes a notice to the model (X4),
// never a broken request.
import { FailureError } from '../../shared/model/failure';
import type { RequestPart } from '../../shared/model/request';
import { pictureLimits } from './pictures/readers';
import { PictureSizer } from './pictures/sizePicture';
import type { Connection } from './port';

export type LoadedPart = Exclude<RequestPart, { type: 'image' }> | { type: 'image'; mime: string; name: string; base64: string };
/** Who will look at the pictures. */
export type Reader = { modelId: string; connection: Connection };

const sizer = new PictureSizer();

export async function loadParts(parts: readonly RequestPart[], reader: Reader): Promise<LoadedPart[]> {
  return Promise.all(parts.map((part) => (part.type === 'image' ? loadImage(part, reader) : part)));
}

async function loadImage(part: Extract<RequestPart, { type: 'image' }>, { modelId, connection }: Reader): Promise<LoadedPart> {
  try {
    const limits = pictureLimits(modelId, connection.provider);
    const sized = await sizer.size(part.hash, limits, () => connection.readBlob(part.hash), {
      draw: connection.drawPicture,
      page: part.page,
    });
    if ('unreadable' in sized) return { type: 'text', text: `[The picture “${part.name}” is left out: ${sized.unreadable}.]` };
    const { bytes, mime } = sized;
    return {
      type: 'image',
      mime,
      name: part.name,
      base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    };
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'blobGone')
      return { type: 'text', text: `[The picture “${part.name}” is no longer stored.]` };
    throw error;
  }
}
