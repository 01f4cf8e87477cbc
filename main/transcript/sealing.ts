// When a live file is sealed, and what is said where it cannot be (X5).
import { systemCode } from '../lib/systemError';
import type { Holds } from './holds';
import { type LiveFileDeps, seal, type TranscriptPlace } from './liveFile';
import type { Segment } from './segment';
import type { SegmentCache } from './segmentCache';

export type Sealing = {
  files: LiveFileDeps;
  known: SegmentCache;
  holds: Holds;
  /** Bytes. */
  sealAbove: number;
  sayAbove: number;
};

/** To be called at each boundary, after its entry is safe. */
export function sealer({ files, known, holds, sealAbove, sayAbove }: Sealing) {
  /** Gives what kept it from being sealed. The next opening goes on with this, and says what is wrong before a model is asked. */
  const sealNow = (key: string, place: TranscriptPlace, segment: Segment): string | undefined => {
    known.forget(key);
    try {
      known.keep(key, seal(files, place, segment));
      return undefined;
    } catch (error) {
      const code = systemCode(error);
      if (code === undefined) throw error;
      return code;
    }
  };
  return (key: string, place: TranscriptPlace, segment: Segment): void => {
    if (segment.size <= sealAbove && !segment.isFolded) return;
    const why = holds.of(key) ?? sealNow(key, place, segment);
    if (why !== undefined && segment.size > sayAbove) files.notify({ kind: 'long', path: segment.path, count: segment.size, why });
  };
}
