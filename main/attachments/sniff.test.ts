import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sniff } from './sniff';

const bytes = (text: string) => new TextEncoder().encode(text);
const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');

it('U4: a file is what its bytes say, whatever its name', () => {
  expect(sniff(png, 'photo.txt')).toEqual({ kind: 'image', mime: 'image/png', width: 1, height: 1 });
  expect(sniff(bytes('%PDF-1.7\n'), 'x.png')).toEqual({ kind: 'pdf' });
  expect(sniff(bytes('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>'), 'x.svg').kind).toBe('text');
  expect(sniff(bytes('const a = 1;'), 'a.ts')).toEqual({ kind: 'text', text: 'const a = 1;' });
});

it.each([
  ['a picture by name only', bytes('not a picture'), 'cat.png', 'badImage'],
  ['a cut picture', png.subarray(0, 12), 'cat.png', 'badImage'],
  ['a format models do not read', Buffer.from('424d3e000000000000003e00000028000000010000000100000001000100', 'hex'), 'x.bmp', 'badImage'],
  ['a program', Buffer.from('7f454c460201010000', 'hex'), 'a.out', 'binary'],
  ['an archive', Buffer.from('504b0304140000000800', 'hex'), 'a.zip', 'binary'],
])('U4: %s is refused', (_what, content, name, kind) => {
  expect(sniff(content, name).kind).toBe(kind);
});

it.each([
  ['UTF-8', bytes('привет 世界'), 'привет 世界'],
  ['UTF-8 with its mark', bytes('\uFEFFпривет'), 'привет'],
  ['UTF-16 with its mark', Buffer.from('\uFEFFпривет', 'utf16le'), 'привет'],
  ['Windows-1252', Buffer.from([0x63, 0x61, 0x66, 0xe9]), 'café'],
  ['Windows-1252 behind what looks like a mark', Buffer.from([0xef, 0xbb, 0xbf, 0x63, 0xe9]), 'ï»¿cé'],
])('U4: text in %s is read', (_what, content, text) => {
  expect(sniff(content, 'a.txt')).toEqual({ kind: 'text', text });
});

it('U4: always: no bytes make it throw, and what it calls text has no zero bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), fc.string(), (content, name) => {
      const found = sniff(content, name);
      if (found.kind === 'text' && content[0] !== 0xff && content[0] !== 0xfe) expect(content.includes(0)).toBe(false);
    }),
  );
});
