// The transcripts of a workspace: appended at each step boundary, read step by step for a request (X1, X2, X5).
import { rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { BlobHash, ConversationId, MessageId, StepId } from '../../shared/model/ids';
import type { Standing, Step, TranscriptEntry } from '../../shared/model/transcript';
import { type Disk, disk as realDisk } from '../lib/disk';
import { throwFileFailure } from '../lib/systemError';
import { bringTexts, moveTexts, type TextBlobs } from './bigText';
import { folderName } from './fileName';
import { forkFiles, makeForkFolder, type TranscriptFork } from './forkFiles';
import { Holds } from './holds';
import { type LiveFileDeps, livePath, type TranscriptNotice, type TranscriptPlace } from './liveFile';
import { LostSteps } from './lostSteps';
import { readPieces } from './namedHashes';
import { noticeBox } from './noticeBox';
import { keyOf, openSegments } from './openSegments';
import { sealer } from './sealing';
import { isAsLeft, readSteps, type Segment } from './segment';
import { SegmentCache } from './segmentCache';
import { type Stripping, stripFiles } from './stripFiles';
import { TranscriptWriter } from './writeFiles';

/** Bytes of a live file above which it is sealed (X5). */
export const sealAbove = 16 * 1024 * 1024;
/** Above this the user is told what keeps it from being sealed. */
export const sayAbove = 64 * 1024 * 1024;

/**
 * Where a step is: the number of its file, as the database keeps it. `copied`: its file came from another conversation and has it under another
 * id; it is given as the step of `messageId` here, while its `parentId` and `turnId` are those of the file (T9).
 */
export type StepRef = { stepId: StepId; file: number; copied?: { as: StepId; messageId: MessageId } | undefined };

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
  /** Work that reads or will write this transcript in the background: while it is held its file is not sealed (X5). Ends with what it gives. */
  hold(place: TranscriptPlace, what: string): () => void;
  /** Makes the files of a fork's transcript, a few milliseconds at a time; the source's stay as they are (T9). Throws `transcriptNewer`, `diskFull` … */
  fork(fork: TranscriptFork): Promise<void>;
  /** For a conversation that comes from elsewhere and is seen when all of it is there (I2). Throws `workspaceReadOnly`. */
  writer(conversationId: ConversationId): TranscriptWriter;
  /** Takes steps, and what hangs on their messages, out of the files of one agent, a few milliseconds at a time (T8). */
  strip(place: TranscriptPlace, what: Stripping): Promise<void>;
  /** Hands on all that the files of all transcripts hold, in pieces that no hash lies across unseen. */
  readAll(take: (text: string) => void, signal?: AbortSignal): Promise<void>;
  /** Removes the files of a conversation that is nowhere any more. */
  remove(conversationId: ConversationId): Promise<void>;
  /** Told by who looked for the steps of messages which were found; the user is told where some are not. True where some are lost since now (X7). */
  noteFound(place: TranscriptPlace, asked: readonly MessageId[], found: ReadonlySet<MessageId>): boolean;
  /** Whether the step of a message was looked for in vain. */
  lacks(messageId: MessageId): boolean;
  /** Told of damage that was met; one listener. */
  listen(listener: (notice: TranscriptNotice) => void): void;
};

export type TranscriptsOptions = {
  folder: string;
  blobs: TextBlobs;
  disk?: Disk | undefined;
  /** For a workspace that is only read: no file is made, mended or moved, and appending throws `workspaceReadOnly`. */
  readOnly?: boolean | undefined;
  sealAbove?: number | undefined;
  sayAbove?: number | undefined;
};

export function createTranscripts(options: TranscriptsOptions): Transcripts {
  const { folder, blobs, disk = realDisk, readOnly = false } = options;
  const known = new SegmentCache();
  const holds = new Holds();
  const { notify: tell, listen } = noticeBox();
  const lost = new LostSteps();
  const notify = (notice: TranscriptNotice) => {
    if (notice.kind !== 'textLost' && notice.kind !== 'long') lost.told(dirname(notice.path));
    tell(notice);
  };
  const deps: LiveFileDeps = { disk, folder, notify };

  const { guarded, live, sealed, append } = openSegments({ ...deps, known, readOnly });
  const limits = { sealAbove: options.sealAbove ?? sealAbove, sayAbove: options.sayAbove ?? sayAbove };
  const sealWhenDue = sealer({ files: deps, known, holds, ...limits });
  const whole = bringer(blobs, (place, count) => notify({ kind: 'textLost', path: livePath(folder, place), count }));

  return {
    open(place) {
      const kept = known.get(keyOf(place));
      if (kept && !guarded(place, () => isAsLeft(disk, kept))) known.forget(keyOf(place));
      const { standing, head } = live(place);
      return { standing, file: head.segment };
    },
    append(place, entry) {
      if (readOnly) throw readOnlyFailure(folder);
      const stored: TranscriptEntry = entry.type === 'step' ? { type: 'step', step: moveTexts(entry.step, blobs) } : entry;
      const segment = append(place, stored);
      sealWhenDue(keyOf(place), place, segment);
      return { file: segment.head.segment };
    },
    async steps(place, refs) {
      if (refs.length === 0) return [];
      const current = live(place);
      const found: Step[] = [];
      for (const file of new Set(refs.map((ref) => ref.file))) {
        const wanted = refs.filter((ref) => ref.file === file);
        const segment = file === current.head.segment ? current : sealed(place, file, wanted.some(isCopied));
        if (segment) found.push(...guarded(place, () => readRefs(disk, segment, wanted)));
      }
      return whole(place, found);
    },
    async findStep(place, stepId) {
      const current = live(place);
      const file = current.head.segment - (current.steps.has(stepId) ? 0 : 1);
      const [step] = file === 0 ? [] : await this.steps(place, [{ stepId, file }]);
      return step && { step, file };
    },
    ...wholeFileActs({ deps, known, holds, readOnly }),
    noteFound(place, asked, found) {
      const fresh = lost.note(asked, found);
      const path = livePath(folder, place);
      if (fresh.length > 0 && !lost.isTold(dirname(path))) notify({ kind: 'lacking', path, count: fresh.length });
      return fresh.length > 0;
    },
    lacks: (messageId) => lost.has(messageId),
    hold: (place, what) => holds.add(keyOf(place), what),
    writer(conversationId) {
      if (readOnly) throw readOnlyFailure(folder);
      return new TranscriptWriter({ disk, folder, blobs, sealAbove: limits.sealAbove }, conversationId);
    },
    listen,
  };
}

/** What is done to files as a whole: copied by a fork, rid of what is deleted for good, read through, removed. */
function wholeFileActs(args: {
  deps: LiveFileDeps;
  known: SegmentCache;
  holds: Holds;
  readOnly: boolean;
}): Pick<Transcripts, 'fork' | 'strip' | 'readAll' | 'remove'> {
  const { deps, known, holds, readOnly } = args;
  const { folder } = deps;
  return {
    async fork(fork) {
      if (readOnly) throw readOnlyFailure(folder);
      try {
        makeForkFolder(deps, fork.to.conversationId);
        await forkFiles(deps, fork);
      } catch (error) {
        throwFileFailure(error, join(folder, folderName(fork.to.conversationId)));
      }
    },
    async strip(place, what) {
      if (readOnly) throw readOnlyFailure(folder);
      const release = holds.add(keyOf(place), 'deleting');
      try {
        await stripFiles({ disk: deps.disk, folder, place, ...what }, () => known.forgetAll(keyOf(place)));
      } catch (error) {
        throwFileFailure(error, livePath(folder, place));
      } finally {
        release();
      }
    },
    readAll: (take, signal) => readPieces(folder, take, signal),
    async remove(conversationId) {
      known.forgetAll(`${conversationId}\n`);
      await rm(join(folder, folderName(conversationId)), { recursive: true, force: true });
    },
  };
}

const isCopied = ({ copied }: StepRef) => copied !== undefined;

/** Copies as the steps they are here. */
function readRefs(disk: Disk, segment: Segment, refs: readonly StepRef[]): Step[] {
  const copies = new Map(refs.flatMap(({ stepId, copied }) => (copied ? [[copied.as, { id: stepId, messageId: copied.messageId }]] : [])));
  const steps = readSteps(
    disk,
    segment,
    refs.map(({ stepId, copied }) => copied?.as ?? stepId),
  );
  return copies.size === 0 ? steps : steps.map((step) => ({ ...step, ...copies.get(step.id) }));
}

function readOnlyFailure(path: string): FailureError {
  return new FailureError(makeFailure('workspaceReadOnly', 'This workspace is open for reading only.', { detail: { path } }));
}

/** Brings long texts back; `say` is told of those that are gone and were not met before. */
function bringer(blobs: TextBlobs, say: (place: TranscriptPlace, count: number) => void) {
  const lost = new Set<BlobHash>();
  return async (place: TranscriptPlace, steps: Step[]): Promise<Step[]> => {
    // Nearly none has a long text, and a thousand promises cost more than reading the steps.
    if (!steps.some(({ moved }) => moved)) return steps;
    let count = 0;
    const whenGone = (hash: BlobHash) => {
      if (!lost.has(hash)) count++;
      lost.add(hash);
    };
    const whole = await Promise.all(steps.map((step) => bringTexts(step, blobs, whenGone)));
    if (count > 0) say(place, count);
    return whole;
  };
}
