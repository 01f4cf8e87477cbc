// Differences as a page asks for them: of short texts when the browser is idle, of long ones from a worker; each is kept.
import { useEffect, useState } from 'react';
import { askedWorker } from './askedWorker';
import { boundedCache } from './boundedCache';
import { type Difference, differenceOf } from './difference';
import type { DifferenceJob } from './differenceWorker';
import { whenIdle } from './lazily';

/** Characters of both texts up to which the page compares them itself. */
const inPage = 2_000;
/** Shorter ones are compared at once, within a frame. */
const atOnce = 400;

const done = boundedCache<Difference>(20_000_000);
// Without marks the texts can still be read: where the worker breaks whoever waits is told so, and the next ones try again.
const comparing = askedWorker<DifferenceJob, Difference>(
  () => new Worker(new URL('./differenceWorker.ts', import.meta.url), { type: 'module' }),
);

/** `key` names the two texts, which never change. */
export type Compared = { key: string; left: string; right: string };

export async function difference(compared: Compared): Promise<Difference> {
  const { key, left, right } = compared;
  const known = done.get(key);
  if (known) return known;
  const length = left.length + right.length;
  if (length > atOnce && length <= inPage) await new Promise<void>((resolve) => whenIdle(resolve));
  const found = length > inPage && typeof Worker !== 'undefined' ? await comparing.ask({ left, right }) : differenceOf(left, right);
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
  comparing.endWhenIdle();
}
