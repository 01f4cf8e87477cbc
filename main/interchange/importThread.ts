// A reader that runs in a thread of its own: files of a gigabyte must not hold up the program. The protocol is one answer to each question.
import { Worker } from 'node:worker_threads';
import type { ImportReader, ReadEvent } from './importReader';
import { readerBroke } from './importRun';

export type ReaderQuestion = { id: number; ask: 'next' } | { id: number; ask: 'attachment'; source: number; file: string };
/** Events as JSON: two to three times as fast as the engine's own copy of so many small things. */
export type ReaderAnswer = { id: number; events: string | null } | { id: number; bytes: Uint8Array | null };

/** A single conversation may be large; a thread that needs more than this is ended, and the program lives on. */
const memory = { maxOldGenerationSizeMb: 4096 };

/** `script`: path of the built `main/workers/importer.ts`. */
export function createThreadReader(script: string, paths: readonly string[]): ImportReader {
  const worker = new Worker(script, { workerData: paths, resourceLimits: memory });
  const waiting = new Map<number, { resolve(answer: ReaderAnswer): void; reject(error: unknown): void }>();
  let asked = 0;
  let broken: unknown;
  const end = (error: unknown) => {
    broken ??= error;
    for (const { reject } of waiting.values()) reject(broken);
    waiting.clear();
  };
  worker.on('message', (answer: ReaderAnswer) => {
    waiting.get(answer.id)?.resolve(answer);
    waiting.delete(answer.id);
  });
  worker.on('error', (error) => end(readerBroke(error)));
  worker.on('exit', (code) => end(readerBroke(new Error(`the thread ended with code ${code}`))));
  const ask = (question: (id: number) => ReaderQuestion): Promise<ReaderAnswer> =>
    new Promise((resolve, reject) => {
      if (broken !== undefined) return reject(broken);
      const id = ++asked;
      waiting.set(id, { resolve, reject });
      worker.postMessage(question(id));
    });
  return {
    async next() {
      const answer = await ask((id) => ({ id, ask: 'next' }));
      // Written by our own thread from this very type.
      return 'events' in answer && answer.events !== null ? (JSON.parse(answer.events) as ReadEvent[]) : null;
    },
    async attachment(source, file) {
      const answer = await ask((id) => ({ id, ask: 'attachment', source, file }));
      return 'bytes' in answer ? answer.bytes : null;
    },
    async close() {
      await worker.terminate();
    },
  };
}
