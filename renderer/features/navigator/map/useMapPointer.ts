// The pointer on the map: drawn along it moves the view, held still it looks at a node, a click goes there.
import { type PointerEvent, useRef } from 'react';
import type { OutlineMap } from '../../../../shared/tree/outlineMap';
import { type MapSpace, nodeAt, type Point } from './mapSpace';

/** Pixels that a click may slip. */
const slip = 4;

type Around = {
  map: OutlineMap;
  space: MapSpace;
  scroller: HTMLDivElement | null;
  hover(node: number): void;
  click(node: number): void;
  menu(node: number, at: Point): void;
};
type Grip = { x: number; y: number; left: number; top: number; moved: boolean };

export function useMapPointer({ map, space, scroller, hover, click, menu }: Around) {
  const grip = useRef<Grip | null>(null);
  const under = ({ clientX, clientY }: Pick<PointerEvent, 'clientX' | 'clientY'>): number => {
    if (!scroller) return -1;
    const box = scroller.getBoundingClientRect();
    return nodeAt(map, space, { x: clientX - box.left + scroller.scrollLeft, y: clientY - box.top + scroller.scrollTop });
  };
  const drag = (event: PointerEvent, { x, y, left, top }: Grip) => {
    if (!scroller) return;
    const by = { x: event.clientX - x, y: event.clientY - y };
    if (!grip.current?.moved && Math.hypot(by.x, by.y) < slip) return;
    if (!grip.current?.moved) {
      event.currentTarget.setPointerCapture(event.pointerId);
      grip.current = { x, y, left, top, moved: true };
      hover(-1);
    }
    scroller.dataset.dragging = '';
    scroller.scrollTo(left - by.x, top - by.y);
  };
  const letGo = () => {
    grip.current = null;
    if (scroller) delete scroller.dataset.dragging;
  };
  return {
    onPointerDown: (event: PointerEvent) => {
      if (event.button !== 0 || !scroller || isField(event.target)) return;
      grip.current = { x: event.clientX, y: event.clientY, left: scroller.scrollLeft, top: scroller.scrollTop, moved: false };
    },
    onPointerMove: (event: PointerEvent) => {
      // A finger scrolls by itself.
      if (grip.current && event.pointerType !== 'touch') drag(event, grip.current);
      if (grip.current === null) hover(under(event));
    },
    onPointerUp: (event: PointerEvent) => {
      const clicked = grip.current !== null && !grip.current.moved;
      letGo();
      const node = clicked ? under(event) : -1;
      if (node >= 0) click(node);
    },
    onPointerCancel: letGo,
    onPointerLeave: () => hover(-1),
    onContextMenu: (event: React.MouseEvent) => {
      const node = event.clientX > 0 ? under(event) : focusedIn(event.target);
      if (node < 0) return;
      event.preventDefault();
      const box = event.target instanceof Element ? event.target.getBoundingClientRect() : null;
      menu(node, event.clientX > 0 || !box ? { x: event.clientX, y: event.clientY } : { x: box.right, y: box.bottom });
    },
  };
}

const isField = (target: EventTarget | null) => target instanceof HTMLInputElement;
const focusedIn = (target: EventTarget | null) => Number(target instanceof HTMLElement ? (target.dataset.node ?? -1) : -1);
