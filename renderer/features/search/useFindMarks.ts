// Marks what is found in the rows of the page, again whenever they change, and brings the current one into view.
import './marks.css';
import { useEffect, useRef } from 'react';
import { literalTerm } from '../../../shared/text/searchQuery';
import { placeAt, showDepth, useFindState } from '../../state/findSlice';
import { mark, rangesIn } from './textRanges';

const feed = () => document.querySelector<HTMLElement>('[role="feed"]');
/** Pixels from the top of the view to the top of a message that is gone to. */
const topMargin = 64;

/** The message at the top of the view. */
export function depthInView(): number {
  const view = feed();
  const top = view?.getBoundingClientRect().top ?? 0;
  for (const row of view?.querySelectorAll<HTMLElement>('[data-index]') ?? []) {
    if (row.getBoundingClientRect().bottom > top + 1) return Number(row.dataset.index);
  }
  return 0;
}

export function useFindMarks(): void {
  const { open, query, matches, at, count } = useFindState();
  const gone = useRef(-1);
  useEffect(() => {
    const term = open ? literalTerm(query) : null;
    const view = feed();
    if (!view || !term) return;
    const terms = [term];
    const place = placeAt(matches, at);
    const draw = () => {
      const all: Range[] = [];
      let now: Range | undefined;
      for (const row of view.querySelectorAll<HTMLElement>('[data-index]')) {
        const ranges = rangesIn(row, terms);
        all.push(...ranges);
        if (place?.match.depth === Number(row.dataset.index)) {
          now = ranges[Math.min(place.nth, ranges.length - 1)];
          if (gone.current !== count) bringIntoView(view, row, now, place.match.depth);
          gone.current = count;
        }
      }
      mark('all', all);
      mark('now', now ? [now] : []);
    };
    if (place && gone.current !== count && !view.querySelector(`[data-index="${place.match.depth}"]`))
      showDepth(place.match.depth, topMargin);
    let frame = requestAnimationFrame(draw);
    const observer = new MutationObserver(() => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(draw);
    });
    observer.observe(view, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
      mark('all', []);
      mark('now', []);
    };
  }, [open, query, matches, at, count]);
}

/** Moves the view only when the place is not in its middle part already. */
function bringIntoView(view: HTMLElement, row: HTMLElement, range: Range | undefined, depth: number): void {
  const box = view.getBoundingClientRect();
  const top = row.getBoundingClientRect().top;
  const found = range?.getBoundingClientRect().top ?? top;
  if (found > box.top + topMargin / 2 && found < box.bottom - topMargin) return;
  const inside = found - top;
  showDepth(depth, inside < box.height - 2 * topMargin ? topMargin : box.height / 3 - inside);
}
