// Pictures on their way into a request. A blob that is gone becomes a notice to the model (X4), never a broken request.
import { FailureError } from '../../shared/model/failure';
import type { RequestPart } from '../../shared/model/request';
import type { Connection } from './port';

export type LoadedPart = Exclude<RequestPart, { type: 'image' }> | { type: 'image'; mime: string; name: string; base64: string };

export async function loadParts(parts: readonly RequestPart[], connection: Connection): Promise<LoadedPart[]> {
  return Promise.all(parts.map((part) => (part.type === 'image' ? loadImage(part, connection) : part)));
}

async function loadImage(part: Extract<RequestPart, { type: 'image' }>, connection: Connection): Promise<LoadedPart> {
  try {
    const bytes = await connection.readBlob(part.hash);
    return {
      type: 'image',
      mime: part.mime,
      name: part.name,
      base64: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64'),
    };
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'blobGone')
      return { type: 'text', text: `[The picture “${part.name}” is no longer stored.]` };
    throw error;
  }
}
