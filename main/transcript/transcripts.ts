// The transcripts of a workspace: appended at each step boundary, read step by step for a request (X1, X2, X5).
import { join } from 'node:path';
import type { StepId } from '../../shared/model/ids';
import type { Standing, Step, TranscriptEntry } from '../../shared/model/transcript';
import { type Disk, disk as realDisk } from '../lib/disk';
import { systemCode, throwFileFailure } from '../lib/systemError';
import { bringTexts, moveTexts, type TextBlobs } from './bigText';
import { folderName, liveName } from './fileName';
import { type LiveFileDeps, openLive, openSealed, seal, type TranscriptNotice, type TranscriptPlace } from './liveFile';
import { appendEntry, isAsLeft, readSteps, type Segment, SegmentChanged } from './segment';
import { SegmentCache } from './segmentCache';

/** Bytes of a live file above which it is sealed (X5). */
export const sealAbove = 16 * 1024 * 1024;

/** Where a step is: the number of its file, as the database keeps it. */
export type StepRef = { stepId: StepId; file: number };

export type Transcripts = {
  /** What stands, with the file made ready for the next append. Throws `transcriptNewer`, `diskFull`, `workspaceReadOnly`, `workspaceGone`. */
  open(place: TranscriptPlace): { standing: Standing; file: number };
  /**
   * Writes one entry and flushes it; its cost is that of the entry. Gives the number of the file. When it throws, nothing was appended. Throws what
   * `open` throws, and what the blob store throws for long texts.
   */
  append(place: TranscriptPlace, entry: TranscriptEntry): { file: number };
  /** The steps that can be found, exactly as they were appended; a lost long text is a notice in its place. */
  steps(place: TranscriptPlace, refs: readonly StepRef[]): Promise<Step[]>;
  /** A step that was appended last, whether a message names it or not: in the live file, or in the one sealed behind it. */
  findStep(place: TranscriptPlace, stepId: StepId): Promise<{ step: Step; file: number } | undefined>;
  /** Told of damage that was met; one listener. */
  listen(listener: (notice: TranscriptNotice) => void): void;
};

export type TranscriptsOptions = { folder: string; blobs: TextBlobs; disk?: Disk | undefined; sealAbove?: number | undefined };

export function createTranscripts(options: TranscriptsOptions): Transcripts {
  const { folder, blobs, disk = realDisk, sealAbove: limit = sealAbove } = options;
  const known = new SegmentCache();
  const { notify, listen } = noticeBox();
  const deps: LiveFileDeps = { disk, folder, notify };

  const live = (place: TranscriptPlace): Segment => {
    const segment = guarded(place, () => known.remember(keyOf(place), () => openLive(deps, place)));
    if (!segment) throw new Error('a live transcript was not opened');
    return segment;
  };
  const guarded = <T>(place: TranscriptPlace, work: () => T): T => {
    try {
      return work();
    } catch (error) {
      known.forget(keyOf(place));
      throwFileFailure(error, join(folder, folderName(place.conversationId), liveName(place.agentId)));
    }
  };
  /** A file that was changed or removed by someone else since it was read is read anew, once. */
  const appendToLive = (place: TranscriptPlace, entry: TranscriptEntry): Segment => {
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
  };
  const sealWhenDue = (place: TranscriptPlace, segment: Segment, entry: TranscriptEntry): void => {
    if (segment.size <= limit && !foldsStart(segment, entry)) return;
    known.forget(keyOf(place));
    try {
      known.keep(keyOf(place), seal(deps, place, segment));
    } catch (error) {
      // The entry is safe. The next opening goes on with this, and says what is wrong before a model is asked.
      if (systemCode(error) === undefined) throw error;
    }
  };

  return {
    open(place) {
      const kept = known.get(keyOf(place));
      if (kept && !guarded(place, () => isAsLeft(disk, kept))) known.forget(keyOf(place));
      const { standing, head } = live(place);
      return { standing, file: head.segment };
    },
    append(place, entry) {
      const stored: TranscriptEntry = entry.type === 'step' ? { type: 'step', step: moveTexts(entry.step, blobs) } : entry;
      const segment = guarded(place, () => appendToLive(place, stored));
      sealWhenDue(place, segment, stored);
      return { file: segment.head.segment };
    },
    async steps(place, refs) {
      if (refs.length === 0) return [];
      const current = live(place);
      const found: Step[] = [];
      for (const file of new Set(refs.map((ref) => ref.file))) {
        const key = `${keyOf(place)}\n${file}`;
        const segment =
          file === current.head.segment ? current : guarded(place, () => known.remember(key, () => openSealed(deps, place, file)));
        const ids = refs.flatMap((ref) => (ref.file === file ? [ref.stepId] : []));
        if (segment) found.push(...guarded(place, () => readSteps(disk, segment, ids)));
      }
      return Promise.all(found.map((step) => bringTexts(step, blobs)));
    },
    async findStep(place, stepId) {
      const current = live(place);
      const file = current.head.segment - (current.steps.has(stepId) ? 0 : 1);
      const [step] = file === 0 ? [] : await this.steps(place, [{ stepId, file }]);
      return step && { step, file };
    },
    listen,
  };
}

/** Notices wait for the first listener. */
function noticeBox(): { notify(notice: TranscriptNotice): void; listen(next: (notice: TranscriptNotice) => void): void } {
  let listener: ((notice: TranscriptNotice) => void) | undefined;
  const waiting: TranscriptNotice[] = [];
  return {
    notify(notice) {
      if (listener) listener(notice);
      else waiting.push(notice);
    },
    listen(next) {
      listener = next;
      for (const notice of waiting.splice(0)) next(notice);
    },
  };
}

function keyOf({ conversationId, agentId }: TranscriptPlace): string {
  return `${conversationId}\n${agentId}`;
}

/** Whether a pass has folded the start of this file. */
function foldsStart({ firstMessage }: Segment, entry: TranscriptEntry): boolean {
  return entry.type === 'record' && firstMessage !== null && entry.record.folded.includes(firstMessage);
}
