// The stand of a list, with what React draws of it.
import { type RefObject, useLayoutEffect, useMemo, useState } from 'react';
import { flushSync } from 'react-dom';
import { Stand } from './stand';

type Around = { redraw(): void; spare: number; setSpare(pixels: number): void };

export function useStand(scroller: RefObject<HTMLDivElement | null>, { redraw, spare, setSpare }: Around) {
  const [away, setAway] = useState(false);
  const [following, setFollowing] = useState(true);
  const around = { redraw, spare, setSpare, setAway, setFollowing };
  const [stand] = useState(() => new Stand(scroller, around));
  stand.around = around;
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    // At once: the next frame would already show the text elsewhere.
    const observer = new ResizeObserver(() => flushSync(stand.resized));
    observer.observe(element);
    return () => observer.disconnect();
  }, [scroller, stand]);
  const handlers = useMemo(
    () => ({
      onScroll: stand.onScroll,
      onWheel: stand.onWheel,
      onPointerDown: stand.onPointerDown,
      onTouchMove: stand.onTouchMove,
    }),
    [stand],
  );
  return { stand, away, following, handlers };
}
