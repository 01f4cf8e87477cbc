// Where the talk's view stands (U3): at the end while the person is there, holding one message where it is, or free.
// The text being read never jumps: growth above is made up for, a switch keeps the switched message in its place.
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';
import { type KeyboardEvent, type RefObject, useMemo, useRef, useState, type WheelEvent } from 'react';
import type { Anchor, Reading } from '../../state/talkSlice';

type List = Virtualizer<HTMLDivElement, HTMLDivElement>;
/** `hold` keeps an edge of the message at `depth` `y` pixels below the top of the view until the person scrolls. */
type Stance = { kind: 'end' } | { kind: 'free' } | { kind: 'hold'; depth: number; edge: 'start' | 'end'; y: number; spare: boolean };

/** Pixels from the end that count as being there. */
const nearEnd = 100;
const upKeys = new Set(['PageUp', 'ArrowUp', 'Home']);
const downKeys = new Set(['PageDown', 'ArrowDown', 'End', ' ']);

type Surroundings = { redraw(): void; spare: number; setSpare(pixels: number): void };

export function useStand(scroller: RefObject<HTMLDivElement | null>, around: Surroundings) {
  const [away, setAway] = useState(false);
  const [following, setFollowing] = useState(true);
  const outer = useRef(around);
  outer.current = around;
  const stand = useMemo(() => makeStand(scroller, outer, setAway, setFollowing), [scroller]);
  return useMemo(() => ({ ...stand, away, following }), [stand, away, following]);
}

function makeStand(
  scroller: RefObject<HTMLDivElement | null>,
  outer: RefObject<Surroundings>,
  setAway: (away: boolean) => void,
  setFollowing: (following: boolean) => void,
) {
  let list: List | null = null;
  let stance: Stance = { kind: 'end' };
  /** Where the view was when it was last looked at. */
  let top = 0;
  let height = 0;
  let total = 0;
  let turned = -1;
  /** Measured rows that were in view when it was last looked at: what the person's eye is on. */
  let shown: { first: number; last: number } | null = null;
  let before: { count: number; start: number; end: number } | null = null;

  const turn = (next: Stance) => {
    stance = next;
    height = -1;
    setFollowing(next.kind === 'end');
  };
  const release = () => {
    if (stance.kind !== 'free') turn({ kind: 'free' });
  };
  const look = (element: HTMLElement) => {
    shown = list ? measuredInView(list, element) : null;
  };
  const distance = (element: HTMLElement) => element.scrollHeight - element.clientHeight - element.scrollTop;

  /** Puts the view where it stands; true when that moved it. */
  const settle = (): boolean => {
    const element = scroller.current;
    if (!element || !list) return false;
    const size = list.getTotalSize();
    // Only when something grew: coming near the end must not pull the view under the person's hand.
    const grew = size !== total || element.clientHeight !== height;
    if (stance.kind === 'end' && grew) element.scrollTop = element.scrollHeight;
    if (stance.kind === 'hold') holdAt(element, list.measurementsCache[stance.depth], size, stance);
    total = size;
    height = element.clientHeight;
    top = element.scrollTop;
    setAway(stance.kind !== 'end' && distance(element) > nearEnd);
    const moved = Math.abs((list.scrollOffset ?? 0) - top) > 0.5;
    if (stance.kind !== 'free') list.scrollOffset = top;
    look(element);
    return moved && stance.kind !== 'free';
  };
  /** Below a short version there may be too little to stay in place: the list lends the space. */
  const holdAt = (element: HTMLElement, row: VirtualItem | undefined, size: number, hold: Extract<Stance, { kind: 'hold' }>) => {
    if (!row) return;
    const target = Math.max(0, (hold.edge === 'start' ? row.start : row.end) - hold.y);
    const { spare, setSpare } = outer.current;
    const missing = Math.max(0, Math.ceil(target + element.clientHeight - (size - spare)));
    if (hold.spare && missing !== spare) setSpare(missing);
    if (Math.abs(element.scrollTop - target) > 0.5) element.scrollTop = target;
  };

  const onScroll = () => {
    const element = scroller.current;
    if (!element) return;
    const left = distance(element);
    const up = element.scrollTop < top - 1;
    if (stance.kind === 'end' && up && left > 1) release();
    else if (stance.kind === 'free' && !up && element.scrollTop > top && left <= nearEnd) turn({ kind: 'end' });
    top = element.scrollTop;
    total = list?.getTotalSize() ?? total;
    height = element.clientHeight;
    look(element);
    setAway(stance.kind !== 'end' && left > nearEnd);
    const { spare, setSpare } = outer.current;
    if (spare > 0 && stance.kind === 'free') setSpare(Math.max(0, Math.ceil(top + element.clientHeight - (total - spare))));
  };

  return {
    /** The list is made anew by each render; the newest one is asked. */
    take(next: List) {
      list = next;
      next.shouldAdjustScrollPositionOnItemSizeChange = (row) => {
        const element = scroller.current;
        if (!element || stance.kind !== 'free') return false;
        // The browser keeps the place inside a message by itself; what it did since is only known to the element.
        next.scrollOffset = element.scrollTop;
        const eye = stillInView(next, element, shown);
        return eye === null ? row.end <= element.scrollTop + 1 : row.index < eye;
      };
    },
    /** Before the rows change: where the message that is being switched stands now. */
    noteBefore(anchor: Anchor & { count: number }) {
      if (anchor.kind !== 'depth' || anchor.count === turned || before?.count === anchor.count) return;
      const row = list?.measurementsCache[anchor.depth];
      if (row) before = { count: anchor.count, start: row.start - top, end: row.end - top };
    },
    turnTo(anchor: Anchor & { count: number }) {
      if (anchor.count === turned) return;
      const first = turned === -1;
      turned = anchor.count;
      if (anchor.kind === 'at') turn({ kind: 'hold', depth: anchor.depth, edge: 'start', y: anchor.y, spare: false });
      else if (anchor.kind === 'depth' && before?.count === anchor.count) {
        // A message whose top is out of sight is held by its foot, where its switcher is.
        turn({
          kind: 'hold',
          depth: anchor.depth,
          spare: true,
          ...(before.start >= 0 ? { edge: 'start', y: before.start } : { edge: 'end', y: before.end }),
        });
      } else if (anchor.kind === 'end' || first) {
        turn({ kind: 'end' });
        outer.current.setSpare(0);
      }
    },
    settle,
    toEnd() {
      turn({ kind: 'end' });
      outer.current.setSpare(0);
      outer.current.redraw();
    },
    toStart() {
      turn({ kind: 'hold', depth: 0, edge: 'start', y: 16, spare: false });
      outer.current.redraw();
    },
    /** Brings a message into view, if it is not. */
    show(depth: number) {
      const element = scroller.current;
      const row = list?.measurementsCache[depth];
      if (!element || !row) return;
      const [from, to] = [element.scrollTop, element.scrollTop + element.clientHeight];
      if (row.start >= from && Math.min(row.end, row.start + 80) <= to) return;
      turn({ kind: 'hold', depth, edge: 'start', y: 16, spare: false });
    },
    reading: (): Reading => {
      if (stance.kind === 'end' || !list) return 'end';
      const row = list.getVirtualItemForOffset(top);
      return row ? { depth: row.index, y: row.start - top } : 'end';
    },
    handlers: {
      onScroll,
      onWheel(event: WheelEvent) {
        const element = scroller.current;
        const scrolls = element !== null && element.scrollHeight > element.clientHeight + 1;
        if (scrolls && (event.deltaY < 0 || stance.kind === 'hold')) release();
      },
      onPointerDown(event: { target: EventTarget | null }) {
        // On the scroller itself: its scroll bar.
        if (stance.kind === 'hold' && event.target === scroller.current) release();
      },
      onTouchMove() {
        if (stance.kind === 'hold') release();
      },
      onScrollKey(event: KeyboardEvent) {
        if (upKeys.has(event.key) || (downKeys.has(event.key) && stance.kind === 'hold')) release();
      },
    },
  };
}

/** Rows in view whose height is known; new ones that scroll in are not among them until they are measured. */
function measuredInView(list: List, element: HTMLElement): { first: number; last: number } | null {
  const bottom = element.scrollTop + element.clientHeight;
  const start = list.getVirtualItemForOffset(element.scrollTop)?.index ?? 0;
  const measured: number[] = [];
  for (let index = start; index < list.options.count; index++) {
    const row = list.measurementsCache[index];
    if (!row || row.start >= bottom) break;
    if (list.itemSizeCache.has(row.key)) measured.push(index);
  }
  const [first, last] = [measured[0], measured.at(-1)];
  return first === undefined || last === undefined ? null : { first, last };
}

/** The first row that was in view before and still is: what comes in above it must not move it. */
function stillInView(list: List, element: HTMLElement, shown: { first: number; last: number } | null): number | null {
  if (!shown) return null;
  const [top, bottom] = [element.scrollTop, element.scrollTop + element.clientHeight];
  for (let index = shown.first; index <= shown.last; index++) {
    const row = list.measurementsCache[index];
    if (row && row.end > top && row.start < bottom) return index;
  }
  return null;
}
