// One import from start to end: what the reader gives is written conversation by conversation, counted, and told in a report (I3, I4, R4).
import { FailureError, makeFailure } from '../../shared/model/failure';
import { emptyCounts, type ImportProgress, type ImportReport } from '../../shared/model/importReport';
import type { ImportedConversation } from './importedTree';
import { currentFile, note, noteEvent, skip, stopped, type WriteResult } from './importNotes';
import type { ImportReader, ReadEvent } from './importReader';
import type { OwnLine } from './ownLine';

export type ReadAttachment = (file: string) => Promise<Uint8Array | null>;

/** Where conversations are written to. */
export type ImportSink = {
  /** All of them or none, each whole. Throws the failure of the workspace. */
  write(conversations: readonly ImportedConversation[], attachment: ReadAttachment): Promise<WriteResult[]>;
  /** Bough's own export, line by line; gives the result at its end. When it throws, nothing of that conversation stays. */
  takeOwn(line: OwnLine): Promise<WriteResult | null>;
  /** Nothing more comes: what is not at its end is given up. */
  end(): Promise<void>;
};

export type ImportRun = {
  reader: ImportReader;
  sink: ImportSink;
  onProgress?: ((progress: ImportProgress) => void) | undefined;
  signal?: AbortSignal | undefined;
};

/** Small conversations share a transaction: each costs a flush of the disk. Larger ones stand alone. */
const messagesTogether = 400;
/** Milliseconds after which others have their turn. */
const atOnce = 8;

const othersTurn = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Closes the reader. Rejects only for bugs: what is expected is in the report. */
export async function runImport({ reader, sink, onProgress, signal }: ImportRun): Promise<ImportReport> {
  const report: ImportReport = { files: [], total: emptyCounts(), otherFiles: 0, ended: 'done' };
  const unlessCancelled = giveUpOn(signal);
  const writer = createWriter(report, sink, (source) => (file) => unlessCancelled(reader.attachment(source, file)));
  const isCancelled = () => signal?.aborted === true;
  const takeAll = async (batch: readonly ReadEvent[]) => {
    // Parsing it was a piece of work of its own.
    await othersTurn();
    let since = performance.now();
    for (const event of batch) {
      if (isCancelled()) return;
      if (performance.now() - since > atOnce) {
        await othersTurn();
        since = performance.now();
      }
      await writer.take(event);
      if (event.type === 'progress') onProgress?.({ ...event, counts: { ...report.total } });
    }
    if (!isCancelled()) await writer.flush();
  };
  try {
    const next = () => unlessCancelled(reader.next());
    for (let batch = await next(); batch !== null && !isCancelled(); batch = await next()) await takeAll(batch);
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    if (!isCancelled()) stopped(report, error.failure);
  } finally {
    await sink.end();
    await reader.close();
  }
  if (isCancelled()) {
    report.ended = 'cancelled';
    delete report.failure;
  }
  return report;
}

/** A drive may hang, and one conversation may take seconds to read: a cancelled import waits for neither. */
function giveUpOn(signal: AbortSignal | undefined): <T>(work: Promise<T>) => Promise<T | null> {
  // Not a race with one promise for all: that would keep every batch until the import ends.
  return (work) =>
    new Promise((resolve, reject) => {
      const stop = () => resolve(null);
      if (signal?.aborted) stop();
      signal?.addEventListener('abort', stop, { once: true });
      void work.then(resolve, reject).finally(() => signal?.removeEventListener('abort', stop));
    });
}

type Writer = { take(event: ReadEvent): Promise<void>; flush(): Promise<void> };

function createWriter(report: ImportReport, sink: ImportSink, attachmentsOf: (source: number) => ReadAttachment): Writer {
  let waiting: ImportedConversation[] = [];
  let messages = 0;
  let source = 0;
  const file = () => currentFile(report);
  // Of a cancelled import that is said once, and is no fault of what was being written.
  const lose = (title: string | null) => {
    if (report.failure?.code !== 'stopped') skip(file(), title, 'notWritten');
  };

  const writeOne = async (conversation: ImportedConversation) => {
    // After the first failure the rest is only counted: what was written stays, and what was not is said.
    if (report.ended === 'failed') return lose(conversation.title);
    try {
      note(report, file(), conversation, (await sink.write([conversation], attachmentsOf(source)))[0]);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      stopped(report, error.failure);
      lose(conversation.title);
    }
  };
  const flush = async () => {
    const group = waiting;
    waiting = [];
    messages = 0;
    if (group.length > 1 && report.ended !== 'failed') {
      try {
        const results = await sink.write(group, attachmentsOf(source));
        group.forEach((conversation, at) => {
          note(report, file(), conversation, results[at]);
        });
        return;
      } catch (error) {
        // One of them does not go in: alone the others may.
        if (!(error instanceof FailureError)) throw error;
      }
    }
    for (const conversation of group) await writeOne(conversation);
  };
  let own: { title: string | null; isLost: boolean } = { title: null, isLost: false };
  const takeOwn = async (line: OwnLine) => {
    if (line.type === 'begin') {
      await flush();
      own = { title: line.conversation.title || null, isLost: report.ended === 'failed' };
    }
    try {
      const result = own.isLost ? null : await sink.takeOwn(line);
      if (result !== null && line.type === 'end') {
        note(report, file(), { title: own.title, leftOut: [...line.leftOut, ...(result.leftOut ?? [])] }, result);
        return;
      }
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      stopped(report, error.failure);
      own.isLost = true;
    }
    if (own.isLost && line.type === 'end') lose(own.title);
  };
  return {
    flush,
    async take(event) {
      if (event.type === 'own') return takeOwn(event.line);
      if (event.type === 'conversation') {
        const { conversation } = event;
        const size = conversation.messages.length;
        // A second export of the same conversation can only update what is written.
        const isThere = waiting.some(({ format, sourceId }) => format === conversation.format && sourceId === conversation.sourceId);
        if (isThere || messages + size > messagesTogether) await flush();
        waiting.push(conversation);
        messages += size;
        return;
      }
      if (event.type === 'file') {
        await flush();
        source = event.source;
      }
      noteEvent(report, event);
    },
  };
}

/** For a reader whose thread broke: a file may need more memory than there is. */
export function readerBroke(cause: unknown): FailureError {
  return new FailureError(makeFailure('internal', 'The file could not be read to its end.'), { cause });
}
