// A thread that makes snapshot pages, so that drawing and reading them back hold up nobody (S11). Asked again and again (lib/askedWorker).
import { parentPort } from 'node:worker_threads';
import narrow from '../../assets/glyphs/narrow.bin?inline';
import wide from '../../assets/glyphs/wide.bin?inline';
import { makeFailure } from '../../shared/model/failure';
import { type Glyphs, readGlyphs } from '../context/snapshot/glyphs';
import { makePages, type PagesArgs, type PagesOutcome } from '../context/snapshot/makePages';

let glyphs: Glyphs | null = null;

function make(job: PagesArgs): PagesOutcome {
  glyphs ??= readGlyphs({ narrow: bytesOf(narrow), wide: bytesOf(wide) });
  return makePages(glyphs, job);
}

/** Of a data URL, which the bundle has in the place of the file. */
function bytesOf(url: string): Uint8Array {
  return Buffer.from(url.slice(url.indexOf(',') + 1), 'base64');
}

parentPort?.on('message', ({ id, job }: { id: number; job: PagesArgs }) => {
  try {
    const value = make(job);
    // The bytes of pages move, they are not copied.
    const bytes = value.ok ? value.pages.pages.map(({ png }) => png.buffer as ArrayBuffer) : [];
    parentPort?.postMessage({ id, ok: true, value }, bytes);
  } catch (error) {
    const failure = makeFailure('internal', error instanceof Error ? error.message : String(error));
    parentPort?.postMessage({ id, ok: false, failure });
  }
});
