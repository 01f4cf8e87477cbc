// Takes steps, and memory and failures that hang on them, out of the files of a transcript (T8): each file is copied without them beside itself and
// put in its own place at once, so that a crash leaves the old one or the new one. What the lines taken out referred to is told.
import { join } from 'node:path';
import type { MessageId, StepId } from '../../shared/model/ids';
import type { TranscriptEntry } from '../../shared/model/transcript';
import { type Disk, namesIn, writeAll } from '../lib/disk';
import { inSlices } from '../lib/slices';
import { folderName, liveName, sealedName, sealedSegments } from './fileName';
import { type LineSink, openLines, readLines, type SourceFile } from './forkLines';
import type { TranscriptPlace } from './liveFile';
import { closing, headText } from './transcriptFile';

export type Stripping = {
  /** By the ids they have in the files. */
  steps: ReadonlySet<StepId>;
  messages: ReadonlySet<MessageId>;
  /** Told of each blob a line that goes refers to, before it goes. */
  loosened(hashes: readonly string[]): void;
  signal?: AbortSignal | undefined;
};
type Work = Stripping & { disk: Disk; folder: string; place: TranscriptPlace };

/** A file that grows while it is copied is copied anew; in the end at once. */
const attempts = 4;

/** `replaced` is told once a file is in its place, in the same moment. Throws system errors as they are. */
export async function stripFiles(work: Work, replaced: () => void): Promise<void> {
  const { disk, place } = work;
  const folder = join(work.folder, folderName(place.conversationId));
  const names = namesIn(disk, folder);
  const sealed = sealedSegments(place.agentId, names).map((segment) => sealedName(place.agentId, segment));
  for (const name of [...sealed, liveName(place.agentId)]) {
    const file = { path: join(folder, name), copy: join(folder, `.${name}.strip.tmp`) };
    disk.remove(file.copy);
    for (let attempt = 1; !(await stripFile(work, file, attempt === attempts, replaced)); attempt++);
  }
  disk.flushFolder(folder);
}

type Paths = { path: string; copy: string };

/** False where the file has grown meanwhile. */
async function stripFile(work: Work, { path, copy }: Paths, atOnce: boolean, replaced: () => void): Promise<boolean> {
  const { disk, signal } = work;
  const source = openLines(disk, path);
  if (source === undefined || source === 'newer') return true;
  const before = disk.size(source.handle);
  let out: number | undefined;
  try {
    out = disk.open(copy, 'w');
    const copying = new Copying(work, source, out);
    const budget = atOnce ? Number.POSITIVE_INFINITY : undefined;
    await inSlices(readLines(disk, source, copying.sink()), { signal, budget });
    if (copying.hashes.size > 0) work.loosened([...copying.hashes]);
    if (copying.dropped === 0) return true;
    copying.end();
    if (atOnce) disk.flush(out);
    else await disk.flushLater(out);
    if (disk.size(source.handle) !== before) return false;
    disk.rename(copy, path);
    replaced();
    return true;
  } finally {
    disk.close(source.handle);
    if (out !== undefined) disk.close(out);
    disk.remove(copy);
  }
}

const hashPattern = /"([0-9a-f]{64})"/g;
const hashesIn = (text: string): string[] => Array.from(text.matchAll(hashPattern), ([, hash]) => hash ?? '');

class Copying {
  readonly hashes = new Set<string>();
  dropped = 0;
  readonly #work: Work;
  readonly #out: number;
  #records = new Set<string>();
  #position = 0;
  #lines = 0;

  constructor(work: Work, source: SourceFile, out: number) {
    this.#work = work;
    this.#out = out;
    this.#put(headText(source.head));
  }

  sink(): LineSink {
    return {
      step: (id, line) => {
        if (this.#work.steps.has(id)) this.#drop(line.toString('utf8'));
        else this.#keep(line);
        return true;
      },
      entry: (entry) => {
        const line = JSON.stringify(entry);
        if (this.#goes(entry)) this.#drop(line);
        else this.#keep(Buffer.from(line));
      },
    };
  }

  #goes(entry: Exclude<TranscriptEntry, { type: 'step' }>): boolean {
    const { messages } = this.#work;
    switch (entry.type) {
      case 'failed':
      case 'retried':
        return messages.has(entry.parentId);
      case 'undo':
      case 'redo':
        return this.#records.has(entry.recordId);
      case 'record': {
        const { id, anchorId, previousId, folded, elided, droppedImages } = entry.record;
        const named = [anchorId, ...folded, ...elided.map((one) => one.messageId), ...droppedImages.map((one) => one.messageId)];
        // One that was made over another stands for what that one folded, too.
        const isOverGone = previousId !== undefined && this.#records.has(previousId);
        if (!isOverGone && !named.some((message) => messages.has(message))) return false;
        this.#records.add(id);
        return true;
      }
    }
  }

  #drop(line: string): void {
    this.dropped += 1;
    for (const hash of hashesIn(line)) this.hashes.add(hash);
  }

  #keep(line: Buffer): void {
    this.#put(this.#lines === 0 ? '\n' : ',\n');
    this.#put(line);
    this.#lines += 1;
  }

  end(): void {
    this.#put(closing);
  }

  #put(text: string | Buffer): void {
    const bytes = typeof text === 'string' ? Buffer.from(text) : text;
    writeAll(this.#work.disk, this.#out, bytes, this.#position);
    this.#position += bytes.length;
  }
}
