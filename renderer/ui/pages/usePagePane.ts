// The room a page is drawn in: how large, and what stays under the pointer while that changes.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { MemoryPage } from '../../../shared/model/memoryRecord';
import { fitScale, nextZoom, type PageZoom, scaleOf } from './pageZoom';

export type ZoomWay = 'in' | 'out' | 'one' | 'fit';
/** In pixels of the window. */
export type Point = { x: number; y: number };
export type PagePane = ReturnType<typeof usePagePane>;

/** Of the border and the air around the page. */
const around = 24;

export function usePagePane(page: Pick<MemoryPage, 'width' | 'height'>) {
  const pane = useRef<HTMLDivElement>(null);
  const [zoom, setZoom] = useState<PageZoom>('fit');
  const [room, setRoom] = useState({ width: 0, height: 0 });
  const held = useRef<{ across: number; down: number; x: number; y: number } | null>(null);
  const fit = fitScale(page, { width: room.width - around, height: room.height - around });
  const scale = scaleOf(zoom, fit);

  useEffect(() => {
    const element = pane.current;
    if (!element) return;
    const observer = new ResizeObserver(() => setRoom({ width: element.clientWidth, height: element.clientHeight }));
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  /** Without a point: from the whole page to its beginning, else around the middle. */
  const change = (how: ZoomWay, point?: Point) => {
    const next = how === 'fit' ? 'fit' : how === 'one' ? 1 : nextZoom(zoom, fit, how);
    const element = pane.current;
    const picture = element?.querySelector('img')?.getBoundingClientRect();
    if (element && picture && picture.width > 0) {
      const frame = element.getBoundingClientRect();
      const middle = { x: frame.left + element.clientWidth / 2, y: frame.top + element.clientHeight / 2 };
      const { x, y } = point ?? (zoom === 'fit' ? { x: picture.left, y: picture.top } : middle);
      held.current = {
        across: (x - picture.left) / picture.width,
        down: (y - picture.top) / picture.height,
        x: point || zoom !== 'fit' ? x : frame.left + around / 2,
        y: point || zoom !== 'fit' ? y : frame.top + around / 2,
      };
    }
    setZoom(next);
  };

  // biome-ignore lint/correctness/useExhaustiveDependencies: what was held moves when the scale changed
  useLayoutEffect(() => {
    const place = held.current;
    const picture = pane.current?.querySelector('img')?.getBoundingClientRect();
    held.current = null;
    if (!place || !picture || !pane.current) return;
    pane.current.scrollLeft += picture.left + place.across * picture.width - place.x;
    pane.current.scrollTop += picture.top + place.down * picture.height - place.y;
  }, [scale]);

  return { ref: pane, zoom, scale, isFit: zoom === 'fit' || scale <= fit, change };
}
