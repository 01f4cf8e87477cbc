// The glyphs as they ship, for tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Glyphs, readGlyphs } from './glyphs';

const folder = join(import.meta.dirname, '../../../assets/glyphs');
let known: Glyphs | null = null;

export function shippedGlyphs(): Glyphs {
  known ??= readGlyphs({ narrow: readFileSync(join(folder, 'narrow.bin')), wide: readFileSync(join(folder, 'wide.bin')) });
  return known;
}

export const glyphFile = (name: string): string => join(folder, name);
