// A thread that reads other programs' files: while the program writes one batch, the next is read. Opens nothing of the workspace.
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { createImportReader, type ReadEvent } from '../interchange/importReader';
import type { ReaderAnswer, ReaderQuestion } from '../interchange/importThread';

const reader = createImportReader(z.array(z.string()).parse(workerData));
let ahead: Promise<ReadEvent[] | null> | undefined;

async function answer(question: ReaderQuestion): Promise<void> {
  if (question.ask === 'attachment') {
    const bytes = await reader.attachment(question.source, question.file);
    const reply: ReaderAnswer = { id: question.id, bytes };
    parentPort?.postMessage(reply);
    return;
  }
  const events = await (ahead ?? reader.next());
  const reply: ReaderAnswer = { id: question.id, events: events === null ? null : JSON.stringify(events) };
  parentPort?.postMessage(reply);
  ahead = events === null ? Promise.resolve(null) : reader.next();
  // What goes wrong is told when it is asked for.
  ahead.catch(() => undefined);
}

parentPort?.on('message', (question: ReaderQuestion) => {
  void answer(question).catch((error: unknown) => {
    // Breaks the thread: who waits is told by its end.
    setImmediate(() => {
      throw error;
    });
  });
});
