// Where the talk's view stands (U3): at the end while the person is there, holding one message where it is, or free.
// The text being read never jumps: growth above is made up for, a switch keeps the switched message in its place.
import type { VirtualItem, Virtualizer } from '@tanstack/react-virtual';
import type { KeyboardEvent, WheelEvent } from 'react';
import type { Anchor, Reading } from '../../state/talkStore';
import { measuredInView, stillInView } from './inView';

export type List = Virtualizer<HTMLDivElement, HTMLDivElement>;
type Hold = { kind: 'hold'; depth: number; edge: 'start' | 'end'; y: number; spare: boolean };
/** `hold` keeps an edge of the message at `depth` `y` pixels below the top of the view until the person scrolls. */
type Stance = { kind: 'end' } | { kind: 'free' } | Hold;

/** What the stand tells React, and the space it lends below a short branch. */
export type Surroundings = {
  redraw(): void;
  spare: number;
  setSpare(pixels: number): void;
  setAway(away: boolean): void;
  setFollowing(following: boolean): void;
};

/** Pixels from the end that count as being there. */
const nearEnd = 100;
const upKeys = new Set(['PageUp', 'ArrowUp', 'Home']);
const downKeys = new Set(['PageDown', 'ArrowDown', 'End', ' ']);
const distance = (element: HTMLElement) => element.scrollHeight - element.clientHeight - element.scrollTop;

/** Lives as long as one list; the scroller and the list are given to it anew by each render. */
export class Stand {
  around: Surroundings;
  private list: List | null = null;
  private readonly scroller: { readonly current: HTMLDivElement | null };
  private stance: Stance = { kind: 'end' };
  /** Where the view was when it was last looked at. */
  private top = 0;
  private height = 0;
  private total = 0;
  private turned = -1;
  private before: { count: number; start: number; end: number } | null = null;
  /** Measured rows that were in view when it was last looked at: what the person's eye is on. */
  private shown: { first: number; last: number } | null = null;

  constructor(scroller: { readonly current: HTMLDivElement | null }, around: Surroundings) {
    this.scroller = scroller;
    this.around = around;
  }

  /** The list of this render; it asks here whether a change of height moves the view. */
  take(list: List): void {
    this.list = list;
    list.shouldAdjustScrollPositionOnItemSizeChange = (row) => this.makesUpFor(row);
  }

  private makesUpFor(row: VirtualItem): boolean {
    const { list } = this;
    const element = this.scroller.current;
    if (!element || !list || this.stance.kind !== 'free') return false;
    // The browser keeps the place inside a message by itself; what it did since is only known to the element.
    list.scrollOffset = element.scrollTop;
    const eye = stillInView(list, element, this.shown);
    return eye === null ? row.end <= element.scrollTop + 1 : row.index < eye;
  }

  private turn(next: Stance): void {
    this.stance = next;
    this.height = -1;
    this.around.setFollowing(next.kind === 'end');
  }
  private release(): void {
    if (this.stance.kind !== 'free') this.turn({ kind: 'free' });
  }

  /** Puts the view where it stands; true when that moved it. */
  readonly settle = (): boolean => {
    const { list, stance } = this;
    const element = this.scroller.current;
    if (!element || !list) return false;
    const size = list.getTotalSize();
    // Only when something grew: coming near the end must not pull the view under the person's hand.
    const grew = size !== this.total || element.clientHeight !== this.height;
    if (stance.kind === 'end' && grew) element.scrollTop = element.scrollHeight;
    if (stance.kind === 'hold') this.hold(element, list.measurementsCache[stance.depth], size, stance);
    this.look(element, size);
    const moved = Math.abs((list.scrollOffset ?? 0) - this.top) > 0.5;
    if (stance.kind !== 'free') list.scrollOffset = this.top;
    return moved && stance.kind !== 'free';
  };

  /** The view itself became taller or lower: the composer took room, or gave it back. */
  readonly resized = (): void => {
    const element = this.scroller.current;
    if (element) this.keepText(element);
    this.settle();
  };

  /** A taller view reaches past the end, and the browser pulls the text down: it is held instead, and the list lends the space. */
  private keepText(element: HTMLElement): void {
    const pulled = this.height > 0 && element.clientHeight > this.height && element.scrollTop < this.top - 0.5;
    const row = pulled && this.stance.kind === 'free' ? this.list?.getVirtualItemForOffset(this.top) : undefined;
    if (row) this.turn({ kind: 'hold', depth: row.index, edge: 'start', y: row.start - this.top, spare: true });
  }

  /** Below a short version there may be too little to stay in place: the list lends the space. */
  private hold(element: HTMLElement, row: VirtualItem | undefined, size: number, hold: Hold): void {
    if (!row) return;
    const target = Math.max(0, (hold.edge === 'start' ? row.start : row.end) - hold.y);
    const { spare, setSpare } = this.around;
    const missing = Math.max(0, Math.ceil(target + element.clientHeight - (size - spare)));
    if (hold.spare && missing !== spare) setSpare(missing);
    if (Math.abs(element.scrollTop - target) > 0.5) element.scrollTop = target;
  }

  private look(element: HTMLElement, size: number): void {
    this.total = size;
    this.height = element.clientHeight;
    this.top = element.scrollTop;
    this.shown = this.list ? measuredInView(this.list, element) : null;
    this.around.setAway(this.stance.kind !== 'end' && distance(element) > nearEnd);
  }

  /** Before the rows change: where the message that is being switched stands now. */
  noteBefore(anchor: Anchor & { count: number }): void {
    const switches = anchor.kind === 'depth' || (anchor.kind === 'at' && anchor.replaces);
    if (!switches || anchor.count === this.turned || this.before?.count === anchor.count) return;
    const row = this.list?.measurementsCache[anchor.depth];
    if (row) this.before = { count: anchor.count, start: row.start - this.top, end: row.end - this.top };
  }

  turnTo(anchor: Anchor & { count: number }): void {
    if (anchor.count === this.turned) return;
    const first = this.turned === -1;
    this.turned = anchor.count;
    const before = this.before?.count === anchor.count ? this.before : null;
    if (anchor.kind === 'at' && before && this.isSeen(before.start))
      this.turn({ kind: 'hold', depth: anchor.depth, edge: 'start', y: before.start, spare: true });
    else if (anchor.kind === 'at') this.turn({ kind: 'hold', depth: anchor.depth, edge: 'start', y: anchor.y, spare: false });
    else if (anchor.kind === 'depth' && before) {
      // A message whose top is out of sight is held by its foot, where its switcher is.
      const edge = before.start >= 0 ? 'start' : 'end';
      this.turn({ kind: 'hold', depth: anchor.depth, edge, y: before[edge], spare: true });
    } else if (anchor.kind === 'end' || first) {
      this.turn({ kind: 'end' });
      this.around.setSpare(0);
    }
  }

  /** A message that begins there has its first lines in view. */
  private isSeen(y: number): boolean {
    return y >= 0 && y + 80 <= (this.scroller.current?.clientHeight ?? 0);
  }

  readonly toEnd = (): void => {
    this.turn({ kind: 'end' });
    this.around.setSpare(0);
    this.around.redraw();
  };
  readonly toStart = (): void => {
    this.turn({ kind: 'hold', depth: 0, edge: 'start', y: 16, spare: false });
    this.around.redraw();
  };

  /** Brings a message into view, if it is not. */
  show(depth: number): void {
    const element = this.scroller.current;
    const row = this.list?.measurementsCache[depth];
    if (!element || !row) return;
    const [from, to] = [element.scrollTop, element.scrollTop + element.clientHeight];
    if (row.start >= from && Math.min(row.end, row.start + 80) <= to) return;
    this.turn({ kind: 'hold', depth, edge: 'start', y: 16, spare: false });
  }

  /** A message that is being edited stays where it is: its editor grows downward. Call what is given when that is over. */
  edit(depth: number): () => void {
    this.show(depth);
    const row = this.list?.measurementsCache[depth];
    if (!row || this.stance.kind !== 'end') return () => undefined;
    const held: Stance = { kind: 'hold', depth, edge: 'start', y: row.start - this.top, spare: false };
    this.turn(held);
    // Whoever was at the end and has not scrolled since is there again.
    return () => {
      if (this.stance === held) this.turn({ kind: 'end' });
    };
  }

  readonly reading = (): Reading => {
    if (this.stance.kind === 'end' || !this.list) return 'end';
    const row = this.list.getVirtualItemForOffset(this.top);
    return row ? { depth: row.index, y: row.start - this.top } : 'end';
  };

  readonly onScroll = (): void => {
    const element = this.scroller.current;
    if (!element) return;
    // A taller view may tell of the pull before it tells of its height.
    this.keepText(element);
    const left = distance(element);
    const moved = element.scrollTop - this.top;
    if (this.stance.kind === 'end' && moved < -1 && left > 1) this.release();
    else if (this.stance.kind === 'free' && moved > 0 && left <= nearEnd) this.turn({ kind: 'end' });
    this.look(element, this.list?.getTotalSize() ?? this.total);
    const { spare, setSpare } = this.around;
    if (spare > 0 && this.stance.kind === 'free') setSpare(Math.max(0, Math.ceil(this.top + element.clientHeight - (this.total - spare))));
  };
  readonly onWheel = (event: WheelEvent): void => {
    const element = this.scroller.current;
    const scrolls = element !== null && element.scrollHeight > element.clientHeight + 1;
    if (scrolls && (event.deltaY < 0 || this.stance.kind === 'hold')) this.release();
  };
  readonly onPointerDown = (event: { target: EventTarget | null }): void => {
    // On the scroller itself: its scroll bar.
    if (this.stance.kind === 'hold' && event.target === this.scroller.current) this.release();
  };
  readonly onTouchMove = (): void => {
    if (this.stance.kind === 'hold') this.release();
  };
  readonly onScrollKey = (event: KeyboardEvent): void => {
    if (upKeys.has(event.key) || (downKeys.has(event.key) && this.stance.kind === 'hold')) this.release();
  };
}
