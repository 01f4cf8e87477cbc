// What a file is, told from its bytes and never from its name alone: a picture, a PDF, text, or something Bough does not take. Pure.
import { imageSize } from 'image-size';
import { decodeText } from '../lib/textFile';

export type Sniffed =
  | { kind: 'image'; mime: string; width: number; height: number }
  | { kind: 'pdf' }
  | { kind: 'text'; text: string }
  /** Looks like a picture by name or first bytes, but cannot be read as one. */
  | { kind: 'badImage' }
  | { kind: 'binary' };

/** Formats that both Chromium and the model families read. */
const imageMimes: Record<string, string> = { png: 'image/png', jpg: 'image/jpeg', gif: 'image/gif', webp: 'image/webp' };
const imageNames = /\.(?:png|jpe?g|gif|webp|bmp|avif|heic|heif|tiff?|ico|jp2|jxl|psd)$/i;

export function sniff(bytes: Uint8Array, name: string): Sniffed {
  if (startsWith(bytes, '%PDF-')) return { kind: 'pdf' };
  const image = readImage(bytes);
  if (image) return image;
  if (imageNames.test(name)) return { kind: 'badImage' };
  const file = decodeText(bytes);
  return file === null ? { kind: 'binary' } : { kind: 'text', text: file.text };
}

function readImage(bytes: Uint8Array): Sniffed | null {
  try {
    const { type, width, height } = imageSize(bytes);
    if (type === 'svg') return null;
    const mime = imageMimes[type ?? ''];
    if (!mime || width < 1 || height < 1) return { kind: 'badImage' };
    return { kind: 'image', mime, width, height };
  } catch {
    // The library throws for everything that is no picture.
    return null;
  }
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, index) => bytes[index] === character.charCodeAt(0));
}
