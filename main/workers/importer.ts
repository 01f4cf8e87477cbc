// A thread that reads other programs' files: while the program writes one batch, the next is read. Opens nothing of the workspace.
import { parentPort, workerData } from 'node:worker_threads';
import * as z from 'zod/mini';
import { createImportReader } from '../interchange/importReader';
import type { ReaderAnswer, ReaderQuestion } from '../interchange/importThread';
import { readAhead } from '../interchange/readAhead';

const reader = createImportReader(z.array(z.string()).parse(workerData));
const next = readAhead(reader);

async function answer(question: ReaderQuestion): Promise<void> {
  if (question.ask === 'attachment') {
    const bytes = await reader.attachment(question.source, question.file);
    const reply: ReaderAnswer = { id: question.id, bytes };
    parentPort?.postMessage(reply);
    return;
  }
  const reply: ReaderAnswer = { id: question.id, events: await next() };
  parentPort?.postMessage(reply);
}

parentPort?.on('message', (question: ReaderQuestion) => {
  void answer(question).catch((error: unknown) => {
    // Breaks the thread: who waits is told by its end.
    setImmediate(() => {
      throw error;
    });
  });
});
