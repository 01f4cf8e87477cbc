// A finished text of book length is shown from its start and grows in idle moments, so that opening it never stops the window.
import { useEffect, useState } from 'react';
import { whenIdle } from './lazily';

/** Texts up to this many characters are shown at once. */
const giantText = 200_000;
const step = 60_000;

/** The part of `text` to show now; always all of it when `active` is false. */
export function useGrowingText(text: string, active: boolean): string {
  const [limit, setLimit] = useState(step);
  const growing = active && text.length > giantText && limit < text.length;
  useEffect(() => (growing ? whenIdle(() => setLimit(limit + step)) : undefined), [growing, limit]);
  if (!growing) return text;
  const end = text.lastIndexOf('\n\n', limit);
  return text.slice(0, end > limit / 2 ? end : limit);
}
