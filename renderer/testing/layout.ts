// A layout for pages that have none: the message list measures rows and scrolls, and a test decides how tall they are.
type Layout = {
  /** Tells the observers that these rows changed their height. */
  resized(...rows: Element[]): void;
  /** The view takes another height, as when the composer takes or gives room. */
  setView(height: number): void;
  restore(): void;
};

const scrolls = (element: HTMLElement) => element.getAttribute('role') === 'feed' || element.dataset.compare !== undefined;

/** `heightOf` is asked for each row of the list; the view is `viewHeight` tall. */
export function installLayout(heightOf: (row: HTMLElement) => number, firstHeight = 600): Layout {
  let viewHeight = firstHeight;
  const tops = new WeakMap<HTMLElement, number>();
  const observers = new Map<Element, Set<FakeObserver>>();
  class FakeObserver implements ResizeObserver {
    readonly run: ResizeObserverCallback;
    constructor(run: ResizeObserverCallback) {
      this.run = run;
    }
    observe(element: Element) {
      observers.set(element, (observers.get(element) ?? new Set()).add(this));
      // As in a browser: the first size is told too, a moment later.
      requestAnimationFrame(() => {
        if (element.isConnected && observers.get(element)?.has(this)) this.run([entryOf(element)], this);
      });
    }
    unobserve(element: Element) {
      observers.get(element)?.delete(this);
    }
    disconnect() {
      for (const set of observers.values()) set.delete(this);
    }
  }
  const most = (element: HTMLElement) => Math.max(0, element.scrollHeight - element.clientHeight);
  const fakes: Record<string, PropertyDescriptor> = {};
  fakes.clientHeight = {
    configurable: true,
    get(this: HTMLElement) {
      return scrolls(this) ? viewHeight : 0;
    },
  };
  fakes.clientWidth = {
    configurable: true,
    get(this: HTMLElement) {
      return scrolls(this) ? 700 : 0;
    },
  };
  fakes.offsetHeight = {
    configurable: true,
    get(this: HTMLElement) {
      return this.dataset.index === undefined ? 0 : heightOf(this);
    },
  };
  fakes.scrollHeight = {
    configurable: true,
    get(this: HTMLElement) {
      const sizer = this.firstElementChild;
      return scrolls(this) && sizer instanceof HTMLElement ? Number.parseFloat(sizer.style.height) || 0 : 0;
    },
  };
  fakes.scrollTop = {
    configurable: true,
    get(this: HTMLElement) {
      return Math.min(tops.get(this) ?? 0, most(this));
    },
    set(this: HTMLElement, top: number) {
      tops.set(this, Math.max(0, Math.min(top, most(this))));
    },
  };
  fakes.scrollTo = {
    configurable: true,
    writable: true,
    value(this: HTMLElement, options: ScrollToOptions) {
      this.scrollTop = options.top ?? 0;
    },
  };
  const before = new Map(Object.keys(fakes).map((name) => [name, Object.getOwnPropertyDescriptor(HTMLElement.prototype, name)]));
  for (const [name, fake] of Object.entries(fakes)) Object.defineProperty(HTMLElement.prototype, name, fake);
  const observerBefore = window.ResizeObserver;
  window.ResizeObserver = FakeObserver;
  const resized = (...rows: Element[]) => {
    for (const row of rows) for (const observer of observers.get(row) ?? []) observer.run([entryOf(row)], observer);
  };
  return {
    resized,
    setView(height) {
      viewHeight = height;
      // As in a browser: what is scrolled too far for the new height is pulled back for good.
      for (const element of observers.keys()) {
        if (!(element instanceof HTMLElement) || !scrolls(element) || !element.isConnected) continue;
        tops.set(element, element.scrollTop);
        resized(element);
      }
    },
    restore() {
      for (const [name, descriptor] of before) {
        if (descriptor) Object.defineProperty(HTMLElement.prototype, name, descriptor);
        else Reflect.deleteProperty(HTMLElement.prototype, name);
      }
      window.ResizeObserver = observerBefore;
    },
  };
}

function entryOf(row: Element): ResizeObserverEntry {
  const height = row instanceof HTMLElement ? row.offsetHeight : 0;
  const size = [{ blockSize: height, inlineSize: 0 }];
  return {
    target: row,
    borderBoxSize: size,
    contentBoxSize: size,
    devicePixelContentBoxSize: size,
    contentRect: new DOMRect(0, 0, 0, height),
  };
}
