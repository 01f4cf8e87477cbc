// Keys of the viewer: + - 0 and F for the size, arrows and Page Up, Page Down, Home and End for the pages. In the text they scroll it. Pure.
import type { ZoomWay } from './usePagePane';

export type ViewerAct = { type: 'zoom'; how: ZoomWay } | { type: 'page'; to: 1 | -1 | 'first' | 'last' };

const sizes: Record<string, ZoomWay> = { '+': 'in', '=': 'in', '-': 'out', _: 'out', '0': 'one' };
const pages: Record<string, 1 | -1 | 'first' | 'last'> = {
  ...{ ArrowRight: 1, ArrowLeft: -1, PageDown: 1, PageUp: -1 },
  ...{ Home: 'first', End: 'last' },
};
const scrolling = new Set(['PageDown', 'PageUp', 'Home', 'End']);

export function actOf({ key, code, ctrlKey, metaKey, altKey, target, defaultPrevented }: KeyboardEvent): ViewerAct | null {
  if (defaultPrevented || ctrlKey || metaKey || altKey) return null;
  const within = (selector: string) => target instanceof Element && target.closest(selector) !== null;
  const how = code === 'KeyF' ? 'fit' : sizes[key];
  if (how) return { type: 'zoom', how };
  const to = pages[key];
  if (to === undefined || within('[role="radiogroup"]')) return null;
  return scrolling.has(key) && within('[data-page-text]') ? null : { type: 'page', to };
}
