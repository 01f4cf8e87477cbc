// The line between two areas: dragged by mouse, moved by arrows, double click for the usual width.
import { type KeyboardEvent, type PointerEvent, useRef } from 'react';
import { cx } from './cx';
import styles from './Splitter.module.css';

type SplitterProps = {
  label: string;
  /** Id of the area whose width it sets. */
  controls: string;
  /** Which side of the line that area is on. */
  side: 'before' | 'after';
  value: number;
  min: number;
  max: number;
  usual: number;
  /** While it moves. */
  onChange(width: number): void;
  /** Once it rests. */
  onDone(width: number): void;
};

const step = 16;

export function Splitter({ label, controls, side, value, min, max, usual, onChange, onDone }: SplitterProps) {
  const drag = useRef<{ x: number; from: number; width: number } | null>(null);
  const sign = side === 'before' ? 1 : -1;
  const clamp = (width: number) => Math.round(Math.max(min, Math.min(width, max)));
  const settle = (width: number) => {
    onChange(width);
    onDone(width);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const moves: Record<string, number> = {
      ArrowLeft: value - sign * step,
      ArrowRight: value + sign * step,
      Home: min,
      End: max,
      Enter: usual,
    };
    const next = moves[event.key];
    if (next === undefined) return;
    event.preventDefault();
    settle(clamp(next));
  };
  const onPointerDown = (event: PointerEvent<HTMLDivElement>) => {
    if (event.button !== 0) return;
    event.preventDefault();
    event.currentTarget.setPointerCapture(event.pointerId);
    event.currentTarget.focus({ preventScroll: true });
    drag.current = { x: event.clientX, from: value, width: value };
  };
  const onPointerMove = (event: PointerEvent) => {
    if (!drag.current) return;
    drag.current.width = clamp(drag.current.from + sign * (event.clientX - drag.current.x));
    onChange(drag.current.width);
  };
  const onPointerEnd = () => {
    if (drag.current) onDone(drag.current.width);
    drag.current = null;
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a focusable separator is the ARIA pattern for a splitter; hr can't be one
    <div
      role="separator"
      tabIndex={0}
      aria-label={label}
      aria-orientation="vertical"
      aria-controls={controls}
      aria-valuenow={Math.round(value)}
      aria-valuemin={min}
      aria-valuemax={max}
      className={cx(styles.splitter, styles[side])}
      onKeyDown={onKeyDown}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerEnd}
      onPointerCancel={onPointerEnd}
      onDoubleClick={() => settle(clamp(usual))}
    />
  );
}
