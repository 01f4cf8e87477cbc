// Text as files hold it: encoding, byte order mark and line ends are found, shown as plain text, and put back as they were. Pure.

export type TextEncoding = 'utf-8' | 'utf-16le' | 'utf-16be' | 'windows-1252';
/** `text` has no byte order mark; its line ends are the file's own. */
export type TextFile = { text: string; encoding: TextEncoding; mark: boolean };

/** UTF-8, UTF-16 with its mark, else Windows-1252; null for bytes that are no text. */
export function decodeText(bytes: Uint8Array): TextFile | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return decoded(bytes.subarray(2), 'utf-16le', true);
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return decoded(bytes.subarray(2), 'utf-16be', true);
  if (bytes.includes(0)) return null;
  const isMarked = bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  const found = isMarked ? decoded(bytes.subarray(3), 'utf-8', true) : decoded(bytes, 'utf-8', false);
  return found ?? (looksWritten(bytes) ? decoded(bytes, 'windows-1252', false) : null);
}

/** The bytes of `text` in the file's own encoding; null for one that cannot be written back (windows-1252). */
export function encodeText(text: string, like: Pick<TextFile, 'encoding' | 'mark'>): Uint8Array | null {
  if (like.encoding === 'windows-1252') return null;
  const whole = like.mark ? `\ufeff${text}` : text;
  if (like.encoding === 'utf-8') return Buffer.from(whole, 'utf8');
  const bytes = Buffer.from(whole, 'utf16le');
  return like.encoding === 'utf-16be' ? bytes.swap16() : bytes;
}

/** The line end most lines of `text` have; `\n` where there is none. */
export function lineEndOf(text: string): '\n' | '\r\n' {
  const all = text.split('\n').length - 1;
  const carriage = text.split('\r\n').length - 1;
  return carriage * 2 > all ? '\r\n' : '\n';
}

/** The lines of a text; a line end at its end begins no further line. */
export function linesOf(text: string): string[] {
  const lines = text.split(/\r\n|\n|\r/);
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

function decoded(bytes: Uint8Array, encoding: TextEncoding, mark: boolean): TextFile | null {
  try {
    // The mark was cut off above; a second one is a character of the text.
    return { text: new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(bytes), encoding, mark };
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
