// Compares long texts on a thread of its own, so that no frame waits for it.
import { type Difference, differenceOf } from './difference';

export type DifferenceRequest = { id: number; left: string; right: string };
export type DifferenceAnswer = { id: number; difference: Difference };

self.addEventListener('message', (event: MessageEvent<DifferenceRequest>) => {
  const { id, left, right } = event.data;
  self.postMessage({ id, difference: differenceOf(left, right) } satisfies DifferenceAnswer);
});
