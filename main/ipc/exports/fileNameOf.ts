// A title as a file's name on every system: no separators, no reserved names, not too long.

const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)$/i;
/** Bytes of UTF-8; file systems take 255 with the ending. */
const most = 120;

/** Without an ending. */
export function fileNameOf(title: string): string {
  const plain = title
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they may not be in names
    .replaceAll(/[\u0000-\u001f\u007f<>:"/\\|?*\u200b-\u200f\u2028-\u202e\u2060-\u2069\ufeff]/g, ' ')
    .replaceAll(/\s+/gu, ' ')
    .trim();
  let name = '';
  for (const letter of plain) {
    if (Buffer.byteLength(name + letter) > most) break;
    name += letter;
  }
  name = name.replace(/^[. ]+|[. ]+$/g, '');
  if (name === '') return 'conversation';
  return reserved.test(name) ? `${name}_` : name;
}
