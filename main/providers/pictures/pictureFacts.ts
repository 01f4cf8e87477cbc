// What a picture's bytes say it is: names and stored types may be wrong, and what is cut short or moves must be drawn anew.
import { imageSize } from 'image-size';

export type PictureFacts = {
  mime: string;
  /** As shown: upright. */
  width: number;
  height: number;
  animated: boolean;
  /** Whether the bytes go on to the end mark of their format. */
  whole: boolean;
  /** Every pixel as it was drawn, or nearly so: a screenshot rather than a photo. */
  lossless: boolean;
};

const mimes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };

/** Null for anything but PNG, JPEG, GIF and WebP. */
export function pictureFacts(bytes: Uint8Array): PictureFacts | null {
  let found: ReturnType<typeof imageSize>;
  try {
    found = imageSize(bytes);
  } catch {
    // The library throws for everything that is no picture.
    return null;
  }
  const mime = mimes[found.type ?? ''];
  if (!mime || !(found.width >= 1) || !(found.height >= 1)) return null;
  const isTurned = (found.orientation ?? 1) >= 5;
  return {
    mime,
    width: isTurned ? found.height : found.width,
    height: isTurned ? found.width : found.height,
    animated: isAnimated(mime, bytes),
    whole: isWhole(mime, bytes),
    lossless: mime === 'image/png' || mime === 'image/gif' || (mime === 'image/webp' && at(bytes, 12, 'VP8L')),
  };
}

function isAnimated(mime: string, bytes: Uint8Array): boolean {
  // Of a GIF only the reader of every block could tell; it is drawn anew in any case.
  if (mime === 'image/gif') return true;
  if (mime === 'image/webp') return at(bytes, 12, 'VP8X') && ((bytes[20] ?? 0) & 2) !== 0;
  return mime === 'image/png' && indexOf(bytes.subarray(0, 4096), 'acTL') >= 0;
}

function isWhole(mime: string, bytes: Uint8Array): boolean {
  const tail = bytes.subarray(-64);
  if (mime === 'image/png') return indexOf(tail, 'IEND') >= 0;
  // Some cameras and programs add bytes behind the end mark.
  if (mime === 'image/jpeg') return indexOf(bytes.subarray(-65_536), '\xff\xd9') >= 0;
  if (mime === 'image/webp') return new DataView(bytes.buffer, bytes.byteOffset, 8).getUint32(4, true) + 8 <= bytes.length;
  return tail.at(-1) === 0x3b;
}

function at(bytes: Uint8Array, offset: number, text: string): boolean {
  return indexOf(bytes.subarray(offset, offset + text.length), text) === 0;
}

function indexOf(bytes: Uint8Array, text: string): number {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).indexOf(text, 0, 'latin1');
}
