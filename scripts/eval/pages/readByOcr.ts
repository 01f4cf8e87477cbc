// A reader of another make: tesseract, Debian's, for a floor under the legibility of pages. It is no vision model.
import { spawnSync } from 'node:child_process';
import { diffChars } from 'diff';
import { encodePng } from '../../../main/context/snapshot/png';
import type { Bitmap } from '../../../main/context/snapshot/raster';
import { inked } from './pageOf';

/** Rows of text of one size, read from left to right. */
const asOneBlock = ['--psm', '6', '--dpi', '150'];

export function readByOcr(bitmap: Bitmap, language: string): string {
  const run = spawnSync('tesseract', ['stdin', 'stdout', '-l', language, ...asOneBlock], {
    input: encodePng(bitmap),
    encoding: 'utf8',
    maxBuffer: 64_000_000,
    env: { ...process.env, OMP_THREAD_LIMIT: '1' },
  });
  if (run.error || run.status !== 0) throw new Error(`tesseract: ${run.error?.message ?? run.stderr}`);
  return inked(run.stdout);
}

/** The share that agrees: 1 minus the edits (characters left out or put in) over the characters of both. */
export function agreement(said: string, read: string): number {
  let edits = 0;
  for (const { added, removed, count } of diffChars(said, read)) if (added || removed) edits += count;
  const both = [...said].length + [...read].length;
  return both === 0 ? 1 : 1 - edits / both;
}
