// `node scripts/packGlyphs.mjs FOLDER`: makes assets/glyphs from the bitmap fonts of Debian's packages xfonts-base and xfonts-efont-unicode. Run by
// hand, when the fonts or the surgery change; FOLDER is where their .pcf.gz files lie, after installing usr/share/fonts/X11/misc (docs/snapshot.md).
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { deflateRawSync } from 'node:zlib';
import { readPcf } from './glyphs/pcf.mjs';
import { projectRoot } from './setup/project.mjs';

const [, , folder = '/usr/share/fonts/X11/misc'] = argv;
const out = join(projectRoot, 'assets/glyphs');

/** Not packed: scripts whose characters join, stack or run from right to left, where one cell a character would mislead; private use. @type {[number, number][]} */
const UNFIT = [
  [0x0000, 0x0020],
  [0x007f, 0x00a0],
  [0x00ad, 0x00ad],
  [0x0300, 0x036f],
  [0x0483, 0x0489],
  [0x0590, 0x109f],
  [0x1100, 0x11ff],
  [0x1680, 0x1680],
  [0x2000, 0x200f],
  [0x2028, 0x202f],
  [0x205f, 0x206f],
  [0x20d0, 0x20ff],
  [0x3000, 0x3000],
  [0x302a, 0x302f],
  [0x3099, 0x309a],
  [0xd800, 0xf8ff],
  [0xfb1d, 0xfe0f],
  [0xfe20, 0xfe2f],
  [0xfe70, 0xfeff],
  [0xfff0, 0xffff],
];

/** @param {number} code */
const isFit = (code) => UNFIT.every(([first, last]) => code < first || code > last);

/** @param {number[]} rows */
const hasInk = (rows) => rows.some((row) => row !== 0);

/** Version, size of a bitmap, ranges of code points, then the bitmaps in their order. @param {[number, number[]][]} glyphs @param {number} width @param {number} height */
function pack(glyphs, width, height) {
  /** @type {{ first: number, count: number }[]} */
  const ranges = [];
  for (const [code] of glyphs) {
    const last = ranges.at(-1);
    if (last && code === last.first + last.count) last.count++;
    else ranges.push({ first: code, count: 1 });
  }
  const stride = Math.ceil(width / 8);
  const bytes = [1, width, height, ranges.length >> 8, ranges.length & 255];
  for (const { first, count } of ranges) bytes.push(first >> 8, first & 255, count >> 8, count & 255);
  for (const [, rows] of glyphs)
    for (const row of rows) bytes.push(...(stride === 1 ? [row] : [row >> (width - 8), (row << (16 - width)) & 255]));
  return deflateRawSync(Buffer.from(bytes), { level: 9 });
}

/** @type {Record<string, string[]>} */
const surgery = JSON.parse(readFileSync(join(projectRoot, 'scripts/glyphs/surgery.json'), 'utf8'));
const narrow = new Map(
  [...readPcf(join(folder, '8x13.pcf.gz'), { width: 8, height: 13, ascent: 11 })].map(([code, { rows }]) => [code, rows]),
);
for (const [character, drawn] of Object.entries(surgery))
  narrow.set(
    character.codePointAt(0) ?? 0,
    drawn.map((row) => Number.parseInt(row.replaceAll('.', '0').replaceAll('#', '1'), 2)),
  );
const wide = [...readPcf(join(folder, 'f14.pcf.gz'), { width: 14, height: 14, ascent: 12 })].filter(([code]) => !narrow.has(code));

/** @param {Iterable<[number, number[]]>} glyphs */
const chosen = (glyphs) => [...glyphs].filter(([code, rows]) => isFit(code) && hasInk(rows)).sort(([a], [b]) => a - b);
const sets = {
  narrow: { glyphs: chosen(narrow), width: 8, height: 13 },
  wide: { glyphs: chosen(wide.map(([code, { rows }]) => [code, rows])), width: 14, height: 14 },
};

/** Characters that look the same, each class one string, by their code points. @type {string[]} */
const alike = [];
for (const [name, { glyphs, width, height }] of Object.entries(sets)) {
  const bytes = pack(glyphs, width, height);
  writeFileSync(join(out, `${name}.bin`), bytes);
  console.log(`${name}: ${glyphs.length} glyphs, ${bytes.length} bytes`);
  /** @type {Map<string, string>} */
  const classes = new Map();
  for (const [code, rows] of glyphs) classes.set(rows.join(), `${classes.get(rows.join()) ?? ''}${String.fromCodePoint(code)}`);
  alike.push(...[...classes.values()].filter((characters) => [...characters].length > 1));
}
writeFileSync(join(out, 'alike.json'), `[\n${alike.map((characters) => `  ${JSON.stringify(characters)}`).join(',\n')}\n]\n`);
console.log(`${alike.length} classes of characters that look the same`);
