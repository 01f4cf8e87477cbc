// Keeps the canvas of the map as what is to be seen: drawn at once when something about it changed, once a frame while it is scrolled.
import { useEffect, useLayoutEffect, useMemo, useRef } from 'react';
import { useTheme } from '../../../text/useTheme';
import { drawMap, type Scene } from './drawMap';
import { createPen } from './pen';

export function useMapCanvas(canvas: HTMLCanvasElement | null, scroller: HTMLElement | null, scene: Omit<Scene, 'scroll'>): void {
  const theme = useTheme();
  const { unit } = scene.space;
  // biome-ignore lint/correctness/useExhaustiveDependencies: another theme has other colours
  const pen = useMemo(() => {
    const context = canvas?.getContext('2d');
    return context ? createPen(context, unit) : null;
  }, [canvas, unit, theme]);
  const draw = useRef<() => void>(() => undefined);
  draw.current = () => {
    if (pen && scroller && scene.view.width > 0) drawMap(pen, { ...scene, scroll: { x: scroller.scrollLeft, y: scroller.scrollTop } });
  };
  useLayoutEffect(() => draw.current());
  useEffect(() => {
    if (!scroller) return;
    let frame = 0;
    const onScroll = () => {
      cancelAnimationFrame(frame);
      frame = requestAnimationFrame(() => draw.current());
    };
    scroller.addEventListener('scroll', onScroll, { passive: true });
    return () => {
      cancelAnimationFrame(frame);
      scroller.removeEventListener('scroll', onScroll);
    };
  }, [scroller]);
}
