// The files of transcripts as they are open: the live one of an agent, which is appended to, and sealed ones, which are read.
import { nothingStands, type TranscriptEntry } from '../../shared/model/transcript';
import { systemCode, throwFileFailure } from '../lib/systemError';
import { type LiveFileDeps, livePath, openLive, openSealed, readLive, type TranscriptPlace } from './liveFile';
import { appendEntry, type Segment, SegmentChanged } from './segment';
import type { SegmentCache } from './segmentCache';

/** `known`: those that are kept open; one that something went wrong with is opened anew. */
export function openSegments(deps: LiveFileDeps & { known: SegmentCache; readOnly: boolean }) {
  const { disk, folder, known, readOnly } = deps;
  /** Throws a failure of the file as what the user is told. */
  const guarded = <T>(place: TranscriptPlace, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      known.forget(keyOf(place));
      throwFileFailure(error, livePath(folder, place));
    }
  };
  const live = (place: TranscriptPlace): Segment => {
    const segment = guarded(place, () => known.remember(keyOf(place), () => (readOnly ? readLive : openLive)(deps, place)));
    if (!segment) throw new Error('a live transcript was not opened');
    return segment;
  };
  const sealed = (place: TranscriptPlace, file: number, isOfAnother: boolean): Segment | undefined =>
    guarded(place, () => known.remember(`${keyOf(place)}\n${file}`, () => forSteps(openSealed(deps, place, file, isOfAnother))));
  /** A file that was changed or removed by someone else since it was read is read anew, once. */
  const append = (place: TranscriptPlace, entry: TranscriptEntry): Segment =>
    guarded(place, () => {
      const segment = live(place);
      try {
        appendEntry(disk, segment, entry);
        return segment;
      } catch (error) {
        if (!(error instanceof SegmentChanged) && systemCode(error) !== 'ENOENT') throw error;
        known.forget(keyOf(place));
        const again = live(place);
        appendEntry(disk, again, entry);
        return again;
      }
    });
  return { guarded, live, sealed, append };
}

/** Of a sealed file that is kept open: what stood at its end stands in the live one, and a long run has a copy of it in each. */
const forSteps = (segment: Segment | undefined): Segment | undefined => segment && { ...segment, standing: nothingStands };

export function keyOf({ conversationId, agentId }: TranscriptPlace): string {
  return `${conversationId}\n${agentId}`;
}
