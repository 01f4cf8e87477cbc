// Something that floats open while the pointer rests on its button, and stays when it is clicked or opened by keys.
import { type PointerEvent, useEffect, useRef, useState } from 'react';

const restMs = 350;
/** Long enough to cross the gap between the button and what it opened. */
const leaveMs = 200;

export function useHoverOpen() {
  const [open, setOpen] = useState<'hover' | 'stays' | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  const later = (act: () => void, wait: number) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(act, wait);
  };
  return {
    isOpen: open !== null,
    byHover: open === 'hover',
    setOpen: (next: boolean) => {
      clearTimeout(timer.current);
      setOpen((now) => (next ? (now ?? 'stays') : null));
    },
    /** For the button: a click on what hover opened keeps it, and closes nothing. */
    onClick: (event: { preventDefault(): void }) => {
      clearTimeout(timer.current);
      if (open !== 'hover') return;
      event.preventDefault();
      setOpen('stays');
    },
    /** For the place of the button; what floats is in it for React, wherever it is on the page. */
    hover: {
      onPointerEnter: ({ pointerType, buttons }: PointerEvent) => {
        if (pointerType !== 'touch' && buttons === 0) later(() => setOpen((now) => now ?? 'hover'), restMs);
      },
      onPointerLeave: () => later(() => setOpen((now) => (now === 'hover' ? null : now)), leaveMs),
    },
  };
}
