// What a model may see of a part. Pure.
import { assertNever } from '../../shared/model/assertNever';
import type { BlobHash } from '../../shared/model/ids';
import type { ImagePart, Part } from '../../shared/model/message';
import type { ImageRequestPart, RequestPart } from '../../shared/model/request';
import { droppedImage, fileText, lostImage, unseenImage } from './wording';

/** What decides how a part is told. */
export type Sight = {
  /** False only for a model that is known to be blind. */
  vision: boolean;
  /** Text of file parts by the hash of their text. */
  texts: ReadonlyMap<BlobHash, string>;
  /** Blobs that are gone: told to the model, never named by their hash (X4). */
  missing: ReadonlySet<BlobHash>;
  /** Whether the tool `recall` brings back what is left out. */
  canRecall?: boolean | undefined;
  /** What a record leaves out of this message. */
  leaving?: Leaving | undefined;
};

/** What is left out of one message (L2, L3): contents of results by their calls, and images. */
export type Leaving = { calls: ReadonlySet<string>; images: ReadonlySet<BlobHash> };

/** Calls are not here: what they become depends on their step. */
export function toRequestParts(part: Exclude<Part, { type: 'toolCall' }>, sight: Sight): RequestPart[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return part.text.trim() === ''
        ? []
        : [{ type: 'reasoning', text: part.text, ...(part.source === undefined ? {} : { source: part.source }) }];
    case 'image': {
      const { image, told } = seen(part, sight);
      return image ? [image] : [{ type: 'text', text: told ?? '' }];
    }
    case 'file':
      return [{ type: 'text', text: fileText(part.name, part.textHash ? sight.texts.get(part.textHash) : undefined) }];
    case 'raw':
      return [];
    default:
      return assertNever(part);
  }
}

/** The image, or what is told in its place. */
export function seen(
  { hash, mime, name, width, height }: ImagePart,
  { vision, missing, leaving }: Sight,
): { image?: ImageRequestPart; told?: string } {
  if (missing.has(hash)) return { told: lostImage(name) };
  if (leaving?.images.has(hash)) return { told: droppedImage(name) };
  if (!vision) return { told: unseenImage(name) };
  const size = width === undefined || height === undefined ? {} : { width, height };
  return { image: { type: 'image', hash, mime, name, ...size } };
}
