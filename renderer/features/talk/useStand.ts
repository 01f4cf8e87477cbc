// The stand of a list, with what React draws of it.
import { type RefObject, useMemo, useState } from 'react';
import { Stand } from './stand';

type Around = { redraw(): void; spare: number; setSpare(pixels: number): void };

export function useStand(scroller: RefObject<HTMLDivElement | null>, { redraw, spare, setSpare }: Around) {
  const [away, setAway] = useState(false);
  const [following, setFollowing] = useState(true);
  const around = { redraw, spare, setSpare, setAway, setFollowing };
  const [stand] = useState(() => new Stand(scroller, around));
  stand.around = around;
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
