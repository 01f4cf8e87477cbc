// Differences as a page asks for them: of short texts when the browser is idle, of long ones from a worker; each is kept.
import { useEffect, useState } from 'react';
import { boundedCache } from './boundedCache';
import { type Difference, differenceOf } from './difference';
import type { DifferenceAnswer, DifferenceRequest } from './differenceWorker';
import { whenIdle } from './lazily';

/** Characters of both texts up to which the page compares them itself. */
const inPage = 2_000;
/** Shorter ones are compared at once, within a frame. */
const atOnce = 400;

const done = boundedCache<Difference>(20_000_000);
const asked = new Map<number, (difference: Difference | null) => void>();
let worker: Worker | null = null;
let nextId = 0;

function stopWorker(): void {
  worker?.terminate();
  worker = null;
  for (const answer of asked.values()) answer(null);
  asked.clear();
}

function startWorker(): Worker {
  const made = new Worker(new URL('./differenceWorker.ts', import.meta.url), { type: 'module' });
  made.addEventListener('message', (event: MessageEvent<DifferenceAnswer>) => {
    asked.get(event.data.id)?.(event.data.difference);
    asked.delete(event.data.id);
  });
  // Without marks the texts can still be read: whoever waits is told so, and the next ones try again.
  made.addEventListener('error', stopWorker);
  return made;
}

function inWorker({ left, right }: Compared): Promise<Difference | null> {
  worker ??= startWorker();
  const request: DifferenceRequest = { id: nextId++, left, right };
  worker.postMessage(request);
  return new Promise((resolve) => asked.set(request.id, resolve));
}

/** `key` names the two texts, which never change. */
export type Compared = { key: string; left: string; right: string };

export async function difference(compared: Compared): Promise<Difference> {
  const { key, left, right } = compared;
  const known = done.get(key);
  if (known) return known;
  const length = left.length + right.length;
  if (length > atOnce && length <= inPage) await new Promise<void>((resolve) => whenIdle(resolve));
  const found = length > inPage && typeof Worker !== 'undefined' ? await inWorker(compared) : differenceOf(left, right);
  if (!found) return 'tooLong';
  done.set(key, found, length * 4);
  return found;
}

/** Null while it is looked for, or where a side is missing. */
export function useDifference(compared: Compared | null): Difference | null {
  const [found, setFound] = useState<{ key: string; difference: Difference } | null>(null);
  const key = compared?.key;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the key stands for the texts
  useEffect(() => {
    if (!compared || done.get(compared.key)) return undefined;
    let wanted = true;
    void difference(compared).then((answer) => {
      if (wanted) setFound({ key: compared.key, difference: answer });
    });
    return () => {
      wanted = false;
    };
  }, [key]);
  if (key === undefined) return null;
  return found?.key === key ? found.difference : (done.get(key) ?? null);
}

/** Ends the worker when nothing is compared any more. */
export function endDifferences(): void {
  if (asked.size === 0) stopWorker();
}
