// Which pictures of a request go: not those that the provider refused (P7), and not more than it takes. Their places say so. Pure.
import type { BlobHash } from '../../../shared/model/ids';
import type { ImageRequestPart, ModelRequest, RequestMessage, RequestPart, ToolResultRequestPart } from '../../../shared/model/request';

export const refusedPicture = '[An image was left out: the provider refused it]';
export const tooManyPictures = '[An older image was left out: the request holds more than this model takes]';

/** Hashes of the pictures in a request, in order, each as often as it occurs. */
export function picturesIn(messages: readonly RequestMessage[]): BlobHash[] {
  return messages.flatMap(({ parts }) => parts.flatMap((part) => imagesOf(part).map(({ hash }) => hash)));
}

/** Those of them that are pages of a memory. */
export function pagesIn(messages: readonly RequestMessage[]): Set<BlobHash> {
  return new Set(messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'image' && part.page ? [part.hash] : []))));
}

/** Pages stay together, and of the others the newest. */
export function withoutPictures(request: ModelRequest, count: number): RequestMessage[] {
  const refused = request.leaveOut ?? new Set<BlobHash>();
  const pages = pagesIn(request.messages);
  const wanted = picturesIn(request.messages).filter((hash) => !refused.has(hash)).length;
  let over = Math.max(0, wanted - count);
  if (over === 0 && refused.size === 0) return request.messages;
  const wordsFor = ({ hash }: ImageRequestPart): string | null => {
    if (refused.has(hash)) return refusedPicture;
    if (pages.has(hash)) return null;
    over -= 1;
    return over >= 0 ? tooManyPictures : null;
  };
  return request.messages.map((message) => ({ ...message, parts: message.parts.map((part) => thinned(part, wordsFor)) }));
}

function thinned(part: RequestPart, wordsFor: (image: ImageRequestPart) => string | null): RequestPart {
  if (part.type === 'image') {
    const words = wordsFor(part);
    return words === null ? part : { type: 'text', text: words };
  }
  return part.type === 'toolResult' && part.images?.length ? thinnedResult(part, part.images, wordsFor) : part;
}

function thinnedResult(
  { images: _, ...result }: ToolResultRequestPart,
  images: readonly ImageRequestPart[],
  wordsFor: (image: ImageRequestPart) => string | null,
): ToolResultRequestPart {
  const judged = images.map((image) => ({ image, words: wordsFor(image) }));
  const words = judged.flatMap((one) => one.words ?? []);
  const left = judged.flatMap((one) => (one.words === null ? [one.image] : []));
  return { ...result, content: [result.content, ...words].join('\n'), ...(left.length > 0 ? { images: left } : {}) };
}

function imagesOf(part: RequestPart): ImageRequestPart[] {
  if (part.type === 'image') return [part];
  return part.type === 'toolResult' ? (part.images ?? []) : [];
}
