// One bubble for the whole window, shown for whatever carries `data-tooltip`: a talk holds hundreds of icon buttons, and a
// component each would cost every row. With `data-tooltip-truncated` only when the text is cut. The text repeats the control's name, so it is hidden from screen readers.
import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { Kbd } from './Kbd';
import styles from './TooltipLayer.module.css';

type Shown = { target: Element; text: string; keys: string | undefined };
const delay = 500;
const gap = 6;

function tooltipOf(node: EventTarget | null): Shown | null {
  const target = node instanceof Element ? node.closest('[data-tooltip]') : null;
  const text = target?.getAttribute('data-tooltip');
  // What the control opened is in the place of the bubble.
  if (!target || !text || target.getAttribute('aria-expanded') === 'true') return null;
  if (target.hasAttribute('data-tooltip-truncated') && target.scrollWidth <= target.clientWidth) return null;
  return { target, text, keys: target.getAttribute('data-tooltip-keys') ?? undefined };
}

export function TooltipLayer() {
  const shown = useTooltipTarget();
  return shown ? createPortal(<Bubble {...shown} />, document.body) : null;
}

function useTooltipTarget(): Shown | null {
  const [shown, setShown] = useState<Shown | null>(null);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let current: Element | null = null;
    const hide = () => {
      clearTimeout(timer);
      current = null;
      setShown(null);
    };
    const show = (next: Shown | null, wait: number) => {
      if (next?.target === current) return;
      hide();
      if (!next) return;
      current = next.target;
      timer = setTimeout(() => setShown(next), wait);
    };
    const onOver = (event: PointerEvent) => {
      if (event.pointerType !== 'touch') show(tooltipOf(event.target), delay);
    };
    const onFocus = (event: FocusEvent) => {
      const next = tooltipOf(event.target);
      if (next && next.target === event.target && next.target.matches(':focus-visible')) show(next, delay);
    };
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' || event.key === 'Enter' || event.key === ' ') hide();
    };
    const options = { passive: true, capture: true };
    document.addEventListener('pointerover', onOver, options);
    document.addEventListener('focusin', onFocus, options);
    document.addEventListener('keydown', onKey, options);
    for (const type of ['pointerdown', 'focusout', 'scroll', 'wheel']) document.addEventListener(type, hide, options);
    window.addEventListener('blur', hide);
    return () => {
      hide();
      document.removeEventListener('pointerover', onOver, options);
      document.removeEventListener('focusin', onFocus, options);
      document.removeEventListener('keydown', onKey, options);
      for (const type of ['pointerdown', 'focusout', 'scroll', 'wheel']) document.removeEventListener(type, hide, options);
      window.removeEventListener('blur', hide);
    };
  }, []);
  return shown;
}

function Bubble({ target, text, keys }: Shown) {
  const bubble = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const box = bubble.current;
    if (!box) return;
    const at = target.getBoundingClientRect();
    const { width, height } = box.getBoundingClientRect();
    const below = at.bottom + gap + height <= window.innerHeight;
    const left = Math.max(gap, Math.min(at.left + at.width / 2 - width / 2, window.innerWidth - width - gap));
    box.style.transform = `translate(${Math.round(left)}px, ${Math.round(below ? at.bottom + gap : at.top - gap - height)}px)`;
    box.style.visibility = target.isConnected ? 'visible' : 'hidden';
  }, [target]);
  return (
    <div ref={bubble} className={styles.bubble} aria-hidden="true" dir="auto">
      {text}
      {keys ? <Kbd keys={keys} quiet /> : null}
    </div>
  );
}
