// What the person asked and no pass folds: the agent has it word for word beside the card, and whoever writes the card must know it, or the Task
// would be a guess (L8, M1). Pure.
import { quotedWithin } from '../digest/frame';

/** Tokens of all of it; a small window has less. */
const most = 1_200;
const shareOfWindow = 1 / 16;
/** The one that began it all, and the newest. */
const newest = 3;

/** Quoted lines, oldest first; both ends of long ones. */
export function stayingLines(requests: readonly string[], window: number): string[] {
  const told = requests.length > newest ? [...requests.slice(0, 1), ...requests.slice(-newest)] : requests;
  const each = Math.floor(Math.min(most, window * shareOfWindow) / Math.max(1, told.length));
  return told.flatMap((text) => {
    const lines = quotedWithin(text, each);
    return lines.length === 0 ? [] : ['[User]', ...lines];
  });
}
