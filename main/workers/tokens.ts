// A thread that counts tokens with a real tokenizer, so that its loading and its work hold up nobody. Asked again and again (lib/askedWorker).
import { parentPort } from 'node:worker_threads';
import { makeFailure } from '../../shared/model/failure';
import { type CountText, type Encoding, loadCounter } from '../context/tokens/exact';
import type { CountJob } from '../context/tokens/tokenCounter';

const counters = new Map<Encoding, Promise<CountText>>();

async function count({ encoding, texts }: CountJob): Promise<number[]> {
  const counter = counters.get(encoding) ?? loadCounter(encoding);
  counters.set(encoding, counter);
  return texts.map(await counter);
}

parentPort?.on('message', ({ id, job }: { id: number; job: CountJob }) => {
  count(job).then(
    (value) => parentPort?.postMessage({ id, ok: true, value }),
    (error: unknown) => {
      const failure = makeFailure('internal', error instanceof Error ? error.message : String(error));
      parentPort?.postMessage({ id, ok: false, failure });
    },
  );
});
