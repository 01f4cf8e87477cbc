// Compares long texts on a thread of its own, so that no frame waits for it.
import type { Answer } from './askedWorker';
import { type Difference, differenceOf } from './difference';

export type DifferenceJob = { left: string; right: string };

self.addEventListener('message', (event: MessageEvent<DifferenceJob & { id: number }>) => {
  const { id, left, right } = event.data;
  self.postMessage({ id, value: differenceOf(left, right) } satisfies Answer<Difference>);
});
