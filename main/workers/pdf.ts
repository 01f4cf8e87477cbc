// A thread that reads the text of one PDF: a large or hostile file must not hold up the program. One job, one answer, end.
import { parentPort, workerData } from 'node:worker_threads';
import { extractText, getDocumentProxy } from 'unpdf';
import { makeFailure } from '../../shared/model/failure';
import type { WorkerAnswer } from '../lib/runInWorker';

/** Pages apart by a blank line; a page without text is empty. */
async function answer(): Promise<WorkerAnswer> {
  try {
    if (!(workerData instanceof Uint8Array)) throw new TypeError('bytes expected');
    const pdf = await getDocumentProxy(workerData);
    const { text, totalPages } = await extractText(pdf, { mergePages: false });
    return { ok: true, value: { text: text.join('\n\n').trim(), pages: totalPages } };
  } catch (error) {
    return { ok: false, failure: makeFailure('pdfUnreadable', error instanceof Error ? error.message : String(error)) };
  }
}

void answer().then((result) => parentPort?.postMessage(result));
