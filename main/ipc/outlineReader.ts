// Who reads an outline: main itself where that takes no more than a frame or two, else a thread of the database file (N6).
import type { ConversationId } from '../../shared/model/ids';
import { type AskedWorker, openAskedWorker } from '../lib/askedWorker';
import { fileOf, type ReadableDb } from '../store/database';
import { answerOutline, countMessages, type OutlineAnswers, type OutlineJob } from '../store/outline';

export type OutlineReader = <Type extends OutlineJob['type']>(
  db: ReadableDb,
  job: Extract<OutlineJob, { type: Type }> & { conversationId: ConversationId },
) => Promise<OutlineAnswers[Type]>;

/** A tree of so many messages is read by main: the thread would take longer to start than it takes to read. A search reads every word. */
const inMain = { read: 12_000, turns: 12_000, preview: 12_000, at: 12_000, search: 2_000 };
/** After so long without a question the thread ends. */
const idle = 60_000;

export function openOutlineReader(script: string): OutlineReader {
  const workers = new WeakMap<ReadableDb, AskedWorker>();
  return async (db, job) => {
    // The answer is that of the job's type: this is the one place that says so.
    type Answer = OutlineAnswers[typeof job.type];
    if (countMessages(db, job.conversationId) <= inMain[job.type]) return answerOutline(db, job) as Answer;
    const worker = workers.get(db) ?? openAskedWorker(script, { workerData: { file: fileOf(db) }, idle });
    workers.set(db, worker);
    return (await worker.ask(job)) as Answer;
  };
}
