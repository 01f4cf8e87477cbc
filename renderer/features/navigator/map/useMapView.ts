// How large the map is drawn and which part of it is in view. Scrolling is the browser's own.
import { useCallback, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { ConversationId } from '../../../../shared/model/ids';
import type { OutlineMap } from '../../../../shared/tree/outlineMap';
import { keepMapPlace, mapPlaceOf } from '../../../state/mapPlaces';
import { cellAt, type MapSpace, margin, most, type Point, placeOf, type Size, spaceOf } from './mapSpace';

/** One press of a button. */
const step = 1.25;
export type Zoom = 'in' | 'out' | 'one' | 'fit';

export function useMapView(map: OutlineMap, scroller: HTMLDivElement | null, conversationId: ConversationId | null) {
  const view = useSize(scroller);
  const [left] = useState(() => mapPlaceOf(conversationId));
  const [zoom, setZoom] = useState(left?.zoom ?? 1);
  const unit = (Number.parseFloat(getComputedStyle(document.documentElement).fontSize) || 16) / 16;
  const space = useMemo(() => spaceOf(map, view, zoom, unit), [map, view, zoom, unit]);
  const latest = useRef({ space, view });
  latest.current = { space, view };
  /** What stays at a point of the view while the zoom changes. */
  const held = useRef<{ cell: ReturnType<typeof cellAt>; at: Point } | null>(null);

  const zoomTo = useCallback(
    (next: number, at?: Point) => {
      if (!scroller) return;
      const { space: now, view: size } = latest.current;
      const point = at ?? { x: size.width / 2, y: size.height / 2 };
      held.current ??= { cell: cellAt(now, { x: scroller.scrollLeft + point.x, y: scroller.scrollTop + point.y }), at: point };
      setZoom(Math.max(now.least, Math.min(next, most)));
    },
    [scroller],
  );
  useLayoutEffect(() => {
    const hold = held.current;
    held.current = null;
    if (!hold || !scroller) return;
    const { x, y } = placeOf(space, hold.cell);
    scroller.scrollTo(x - hold.at.x, y - hold.at.y);
  }, [space, scroller]);
  useZoomWheel(scroller, zoomTo, latest);
  const tip = map.nodes[map.tip]?.key;
  const kept = left !== undefined && left.tip === tip;
  const back = useRef(false);
  useLayoutEffect(() => {
    if (!scroller || view.height === 0 || back.current) return;
    back.current = true;
    if (!kept || !left) return;
    const { x, y } = placeOf(space, left);
    scroller.scrollTo(x, y);
  }, [scroller, view, space, kept, left]);
  const leaving = useRef<(() => void) | null>(null);
  leaving.current = () => {
    // Gone before it had a size: what was known of it still holds.
    if (!scroller || (left && !back.current)) return;
    keepMapPlace(conversationId, { zoom, tip, ...cellAt(space, { x: scroller.scrollLeft, y: scroller.scrollTop }) });
  };
  useLayoutEffect(() => () => leaving.current?.(), []);

  const inView = (at: number) => isInView(scroller, space, map, at);
  return {
    space,
    view,
    inView,
    /** It came back where it was left. */
    kept,
    zoom: (how: Zoom) => {
      if (how === 'fit') zoomTo(space.least, { x: 0, y: 0 });
      else zoomTo(how === 'one' ? 1 : how === 'in' ? space.zoom * step : space.zoom / step);
    },
    /** Brings a node into view, if it is not. */
    show: (at: number, align: 'near' | 'middle' = 'near') => {
      const node = map.nodes[at];
      if (!node || !scroller || inView(at)) return;
      const { x, y } = placeOf(space, node);
      const { clientWidth, clientHeight, scrollLeft, scrollTop } = scroller;
      if (align === 'middle') scroller.scrollTo(Math.max(0, x - clientWidth / 3), y - clientHeight * 0.6);
      else scroller.scrollTo(nearest(x, scrollLeft, clientWidth, space), nearest(y, scrollTop, clientHeight, space));
    },
  };
}

function nearest(at: number, from: number, length: number, { unit }: MapSpace): number {
  const edge = 2 * margin * unit;
  return Math.max(at + edge - length, Math.min(from, at - edge));
}

function isInView(scroller: HTMLElement | null, space: MapSpace, { nodes }: OutlineMap, at: number): boolean {
  const node = nodes[at];
  if (!node || !scroller) return false;
  const { x, y } = placeOf(space, node);
  const { clientWidth, clientHeight, scrollLeft, scrollTop } = scroller;
  return x >= scrollLeft && x <= scrollLeft + clientWidth && y >= scrollTop && y <= scrollTop + clientHeight;
}

function useSize(element: HTMLElement | null): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 });
  useLayoutEffect(() => {
    if (!element) return;
    const look = () => {
      const { clientWidth: width, clientHeight: height } = element;
      setSize((before) => (before.width === width && before.height === height ? before : { width, height }));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    return () => observer.disconnect();
  }, [element]);
  return size;
}

/** Mod and the wheel, or two fingers drawn apart, which come as the same event. */
function useZoomWheel(
  scroller: HTMLElement | null,
  zoomTo: (zoom: number, at: Point) => void,
  latest: { current: { space: MapSpace } },
): void {
  useLayoutEffect(() => {
    if (!scroller) return;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const box = scroller.getBoundingClientRect();
      const by = Math.max(-100, Math.min(event.deltaY, 100));
      zoomTo(latest.current.space.zoom * 2 ** (-by / 250), { x: event.clientX - box.left, y: event.clientY - box.top });
    };
    scroller.addEventListener('wheel', onWheel, { passive: false });
    return () => scroller.removeEventListener('wheel', onWheel);
  }, [scroller, zoomTo, latest]);
}
