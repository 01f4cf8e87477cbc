// Work that waits: until a block is near the visible part, and until the browser has nothing better to do.

const waiting = new WeakMap<Element, () => void>();
let observer: IntersectionObserver | null = null;

function watch(): IntersectionObserver {
  observer ??= new IntersectionObserver(
    (entries) => {
      for (const entry of entries) {
        if (!entry.isIntersecting) continue;
        observer?.unobserve(entry.target);
        const run = waiting.get(entry.target);
        waiting.delete(entry.target);
        run?.();
      }
    },
    { rootMargin: '400px 0px' },
  );
  return observer;
}

/** Runs `run` once when `element` comes near the visible part; returns how to give up. */
function whenNear(element: Element, run: () => void): () => void {
  if (typeof IntersectionObserver === 'undefined') {
    run();
    return () => undefined;
  }
  waiting.set(element, run);
  watch().observe(element);
  return () => {
    waiting.delete(element);
    watch().unobserve(element);
  };
}

/** Runs `run` when the browser is idle, at the latest after half a second; returns how to give up. */
export function whenIdle(run: () => void): () => void {
  if (typeof requestIdleCallback === 'undefined') {
    const timer = setTimeout(run, 0);
    return () => clearTimeout(timer);
  }
  const handle = requestIdleCallback(run, { timeout: 500 });
  return () => cancelIdleCallback(handle);
}

/** Both: once the element is near, and then once the browser is idle. */
export function whenNearAndIdle(element: Element, run: () => void): () => void {
  let giveUpIdle: (() => void) | undefined;
  const giveUp = whenNear(element, () => {
    giveUpIdle = whenIdle(run);
  });
  return () => {
    giveUp();
    giveUpIdle?.();
  };
}
