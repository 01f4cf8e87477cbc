// What a file is, told from its bytes and never from its name alone: a picture, a PDF, text, or something Bough does not take. Pure.
import { imageSize } from 'image-size';

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
  const text = decodeText(bytes);
  return text === null ? { kind: 'binary' } : { kind: 'text', text };
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

/** UTF-8, UTF-16 with its mark, else Windows-1252; null for bytes that are no text. */
export function decodeText(bytes: Uint8Array): string | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decode(bytes, 'utf-16le');
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decode(bytes, 'utf-16be');
  if (bytes.includes(0)) return null;
  return decode(bytes, 'utf-8') ?? (looksWritten(bytes) ? decode(bytes, 'windows-1252') : null);
}

function decode(bytes: Uint8Array, encoding: string): string | null {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    // Not of this encoding: the caller tries the next.
    return null;
  }
}

/** Old single-byte text has hardly any control characters; compressed and machine data has many. */
function looksWritten(bytes: Uint8Array): boolean {
  const sample = bytes.subarray(0, 65_536);
  let controls = 0;
  for (const byte of sample) if (byte < 0x20 && byte !== 0x09 && byte !== 0x0a && byte !== 0x0d && byte !== 0x0c) controls++;
  return controls * 100 < sample.length;
}

function startsWith(bytes: Uint8Array, text: string): boolean {
  return [...text].every((character, index) => bytes[index] === character.charCodeAt(0));
}
