// The glyphs as they ship, for tests.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Glyphs, readGlyphs } from './glyphs';

/** Bundled for the bench it does not know where it is, and runs in the project's folder. */
const here = import.meta.dirname as string | undefined;
const folder = here?.endsWith('snapshot') ? join(here, '../../../assets/glyphs') : 'assets/glyphs';
let known: Glyphs | null = null;

export function shippedGlyphs(): Glyphs {
  known ??= readGlyphs({ narrow: readFileSync(join(folder, 'narrow.bin')), wide: readFileSync(join(folder, 'wide.bin')) });
  return known;
}

export const glyphFile = (name: string): string => join(folder, name);
