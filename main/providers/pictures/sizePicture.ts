// P7: a stored picture as its reader takes it: never enlarged, drawn anew only where it must be, the same bytes each time (L10).

import { FailureError } from '../../../shared/model/failure';
import type { BlobHash } from '../../../shared/model/ids';
import type { DrawnPicture, PictureFormat, PictureJob } from '../../lib/drawPicture';
import { createSequential } from '../../lib/sequential';
import { type PictureFacts, pictureFacts } from './pictureFacts';
import type { PictureLimits } from './readers';

export type Draw = (job: PictureJob) => Promise<DrawnPicture | null>;
export type SizedPicture = { mime: string; bytes: Uint8Array } | { unreadable: string };
/** What was found out before; `as it is` keeps no bytes: they are in the blob. */
type Verdict = { as: 'it is'; mime: string } | { as: 'drawn'; picture: DrawnPicture } | { as: 'unreadable'; why: string };

/** Loads the drawing library with the first picture. */
const drawHere: Draw = async (job) => (await import('../../lib/drawPicture')).drawPicture(job);

const maxBytes = 64 * 1024 * 1024;
const maxVerdicts = 512;

/** Remembers results, least recently used out first. One picture is drawn at a time: each takes four bytes a pixel of memory. */
export class PictureSizer {
  readonly #verdicts = new Map<string, Verdict>();
  readonly #line = createSequential();
  #bytes = 0;

  /** `read` gives the stored bytes, and is asked only when they are needed. `page`: one that was read back when it was made. */
  async size(
    hash: BlobHash,
    limits: PictureLimits,
    read: () => Promise<Uint8Array>,
    { draw = drawHere, page = false }: { draw?: Draw | undefined; page?: boolean | undefined } = {},
  ): Promise<SizedPicture> {
    const key = `${hash} ${limits.longestSide} ${limits.pixels} ${limits.bytes} ${limits.mimes.join()}`;
    const known = this.#verdicts.get(key);
    if (known?.as === 'drawn') return this.#use(key, known, null);
    const stored = await read();
    const verdict =
      known ??
      (page ? pageAsItIs(stored, limits) : null) ??
      (await this.#line.run(async () => {
        const before = this.#verdicts.get(key);
        return before ?? this.#keep(key, await verdictOf(stored, limits, draw));
      }));
    return this.#use(key, verdict, stored);
  }

  #keep(key: string, verdict: Verdict): Verdict {
    this.#verdicts.set(key, verdict);
    this.#bytes += sizeOf(verdict);
    for (const [oldest, old] of this.#verdicts) {
      if (this.#bytes <= maxBytes && this.#verdicts.size <= maxVerdicts) break;
      this.#verdicts.delete(oldest);
      this.#bytes -= sizeOf(old);
    }
    return verdict;
  }

  #use(key: string, verdict: Verdict, stored: Uint8Array | null): SizedPicture {
    if (this.#verdicts.delete(key)) this.#verdicts.set(key, verdict);
    if (verdict.as === 'drawn') return { mime: verdict.picture.mime, bytes: verdict.picture.bytes };
    if (verdict.as === 'unreadable' || stored === null) return { unreadable: verdict.as === 'unreadable' ? verdict.why : '' };
    return { mime: verdict.mime, bytes: stored };
  }
}

function sizeOf(verdict: Verdict): number {
  return verdict.as === 'drawn' ? verdict.picture.bytes.length : 0;
}

/** Nobody decodes eighty of them once more to see whether they can be. Null where it has to be drawn, or is none. */
function pageAsItIs(bytes: Uint8Array, limits: PictureLimits): Verdict | null {
  const facts = pictureFacts(bytes);
  return facts && drawOf(facts, bytes.length, limits) === null ? { as: 'it is', mime: facts.mime } : null;
}

async function verdictOf(bytes: Uint8Array, limits: PictureLimits, draw: Draw): Promise<Verdict> {
  const facts = pictureFacts(bytes);
  if (!facts) return { as: 'unreadable', why: 'it is no PNG, JPEG, GIF or WebP' };
  const asItIs: Verdict = { as: 'it is', mime: facts.mime };
  try {
    const drawn = await draw({ bytes, draw: drawOf(facts, bytes.length, limits) });
    return drawn ? { as: 'drawn', picture: drawn } : asItIs;
  } catch (error) {
    if (error instanceof FailureError && error.failure.code === 'imageUnreadable') return { as: 'unreadable', why: 'it is damaged' };
    // No drawing library for this machine, or no memory: the provider may still take the picture as it is.
    return limits.mimes.includes(facts.mime) && bytes.length <= limits.bytes
      ? asItIs
      : { as: 'unreadable', why: 'it could not be made smaller' };
  }
}

/** Null where the picture can go as it is. */
function drawOf(facts: PictureFacts, size: number, limits: PictureLimits): PictureJob['draw'] {
  const { width, height } = fitSize(facts, limits);
  const isTaken = limits.mimes.includes(facts.mime) && !facts.animated && facts.whole && size <= limits.bytes;
  if (isTaken && width === facts.width && height === facts.height) return null;
  const formats = (['image/png', 'image/jpeg'] as const).filter((format: PictureFormat) => limits.mimes.includes(format));
  return { width, height, maxBytes: limits.bytes, formats, lossless: facts.lossless };
}

/** The largest size of the same shape within the limits. */
export function fitSize(
  { width, height }: { width: number; height: number },
  { longestSide, pixels }: Pick<PictureLimits, 'longestSide' | 'pixels'>,
): { width: number; height: number } {
  const scale = Math.min(1, longestSide / Math.max(width, height), Math.sqrt(pixels / (width * height)));
  if (scale === 1) return { width, height };
  return { width: Math.max(1, Math.floor(width * scale)), height: Math.max(1, Math.floor(height * scale)) };
}
