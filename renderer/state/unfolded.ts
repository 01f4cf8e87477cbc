// What the person unfolded in the talk, for this run: a message that scrolls far away leaves the page, and comes back as it was.
import { useEffect, useState } from 'react';
import type { MessageId } from '../../shared/model/ids';
import type { ToolResult } from '../../shared/model/tool';

/** The newest of each are kept. Results are at most some ten thousand characters long. */
const limits = { unfolded: 2000, results: 40 };
const unfolded = new Map<string, true>();
const results = new Map<string, ToolResult>();

/** Messages know their conversation: an id is enough to keep each conversation's own. */
export const placeIn = (messageId: MessageId, part: string): string => `${messageId} ${part}`;

export function useUnfolded(place: string): [boolean, (open: boolean) => void] {
  const [open, setOpen] = useState(() => unfolded.has(place));
  useEffect(() => {
    if (open) keep(unfolded, place, true, limits.unfolded);
    else unfolded.delete(place);
  }, [open, place]);
  return [open, setOpen];
}

/** With its result in hand an unfolded call has its height at once, and nothing below it moves. */
export const keptResult = (place: string): ToolResult | null => results.get(place) ?? null;
export const keepResult = (place: string, result: ToolResult): void => keep(results, place, result, limits.results);

function keep<Value>(map: Map<string, Value>, key: string, value: Value, limit: number): void {
  map.delete(key);
  map.set(key, value);
  const [oldest] = map.keys();
  if (map.size > limit && oldest !== undefined) map.delete(oldest);
}

export function foldAll(): void {
  unfolded.clear();
  results.clear();
}
