// What runs inside the pages: marks by performance.now, ends at the first moment after the frame that shows the result.
// These functions are sent to the page as text: they use nothing from outside themselves but what `installMarks` puts on the window.

export type Shown = { ms: number; frames: number };
type Marks = {
  frame(): Promise<void>;
  afterFrame(): Promise<void>;
  /** Waits for the frame in which `ready` holds; counts frames and milliseconds from now. */
  until(ready: () => boolean): Promise<Shown>;
  /** The list in sight is whole: no gap, nothing waiting for its message. */
  isWhole(view: Element): boolean;
};
declare global {
  interface Window {
    marks?: Marks;
  }
}

export function installMarks(): void {
  const frame = () => new Promise<void>((resolve) => requestAnimationFrame(() => resolve()));
  const task = () =>
    new Promise<void>((resolve) => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => resolve();
      channel.port2.postMessage(0);
    });
  const isWhole = (view: Element) => {
    const box = view.getBoundingClientRect();
    const rows = [...view.querySelectorAll<HTMLElement>('[data-index]')]
      .map((row) => ({ row, at: row.getBoundingClientRect() }))
      .filter(({ at }) => at.bottom > box.top && at.top < box.bottom)
      .sort((a, b) => a.at.top - b.at.top);
    if (rows.length === 0 || rows.some(({ row }) => row.dataset.waiting !== undefined)) return false;
    const [first, last] = [rows[0], rows.at(-1)];
    if (!(first && last)) return false;
    const gapless = rows.every(({ at }, index) => index === 0 || at.top - (rows[index - 1]?.at.bottom ?? 0) < 40);
    const startsHere = first.at.top <= box.top + 40 || first.row.dataset.index === '0';
    const endsHere = last.at.bottom >= box.bottom - 60 || view.scrollTop + view.clientHeight >= view.scrollHeight - 2;
    return gapless && startsHere && endsHere;
  };
  const afterFrame = async () => {
    await frame();
    await task();
  };
  const until = async (ready: () => boolean) => {
    const start = performance.now();
    for (let frames = 1; ; frames++) {
      await frame();
      if (ready()) {
        await task();
        return { ms: performance.now() - start, frames };
      }
      if (performance.now() - start > 20_000) throw new Error('It was not shown within 20 s.');
    }
  };
  window.marks = { frame, afterFrame, until, isWhole };
}

/** Clicks a conversation in the list and waits until its messages are on screen. */
export async function switchTo(id: string): Promise<Shown> {
  const { marks } = window;
  const link = document.querySelector<HTMLElement>(`nav a[data-id="${CSS.escape(id)}"]`);
  if (!(marks && link)) throw new Error(`The list does not show ${id}.`);
  const before = document.querySelector('[role=feed]');
  // The click comes right after a frame: the next one is the first that can show anything, and the floor is one whole frame.
  await marks.afterFrame();
  const shown = marks.until(() => {
    const feed = document.querySelector('[role=feed]');
    return feed !== null && feed !== before && marks.isWhole(feed);
  });
  link.click();
  return shown;
}

/** The floor of it. */
export async function switchPlain(): Promise<Shown> {
  const { marks } = window;
  const button = document.querySelector<HTMLElement>('#switch');
  if (!(marks && button)) throw new Error('This is not the page of the floor.');
  const before = document.querySelector('[role=feed]');
  await marks.afterFrame();
  const shown = marks.until(() => document.querySelector('[role=feed]') !== before);
  button.click();
  return shown;
}

/** Milliseconds of each frame while the view moves by 300 pixels a frame; down first, then back. */
export async function scrollFrames({ selector, frames }: { selector: string; frames: number }): Promise<number[]> {
  const { marks } = window;
  const view = document.querySelector(selector);
  if (!(marks && view)) throw new Error(`There is no ${selector}.`);
  const times: number[] = [];
  await marks.frame();
  let last = performance.now();
  for (let frame = 0; frame < frames; frame++) {
    view.scrollTop += frame < frames / 2 ? -300 : 300;
    await marks.frame();
    const now = performance.now();
    times.push(now - last);
    last = now;
  }
  return times;
}

/** As a person drags the bar: somewhere else in the list, until what is there is on screen. */
export async function jumpTo({ selector, share }: { selector: string; share: number }): Promise<Shown> {
  const { marks } = window;
  const view = document.querySelector(selector);
  if (!(marks && view)) throw new Error(`There is no ${selector}.`);
  const shown = marks.until(() => marks.isWhole(view));
  view.scrollTop = (view.scrollHeight - view.clientHeight) * share;
  return shown;
}

export const countNodes = (): number => document.getElementsByTagName('*').length;

/** Unix time of the first paint of text inside what `selector` names, or, with null, of any text at all. */
export function whenPainted(selector: string | null): Promise<number> {
  return new Promise((resolve) => {
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) {
        const element = (entry as PerformanceEntry & { element?: Element | null }).element;
        // An element that is gone was text of the talk, too: colours and formulas come into it a moment later.
        const counts = selector ? !element || element.closest(selector) : entry.name === 'first-contentful-paint';
        if (counts) resolve(performance.timeOrigin + entry.startTime);
      }
    }).observe({ type: selector ? 'largest-contentful-paint' : 'paint', buffered: true });
  });
}
