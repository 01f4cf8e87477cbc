// Where a window stood: restored on the next start, clamped to the displays that are there now (U6). Pure but for its file.
import { readFileSync } from 'node:fs';
import * as z from 'zod/mini';
import { writeAtomic } from '../lib/atomicFile';

export type Rectangle = { x: number; y: number; width: number; height: number };
const windowStateSchema = z.object({
  x: z.optional(z.int()),
  y: z.optional(z.int()),
  width: z.int(),
  height: z.int(),
  maximized: z._default(z.boolean(), false),
});
export type WindowState = z.infer<typeof windowStateSchema>;

export const minimumSize = { width: 640, height: 480 };
const defaultState: WindowState = { width: 1280, height: 800, maximized: false };

/** A state that cannot be read or makes no sense is the default one. */
export function readWindowState(file: string): WindowState {
  try {
    return z.parse(windowStateSchema, JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The first start has none; a damaged one is worth nothing.
    return defaultState;
  }
}

export function saveWindowState(file: string, state: WindowState): Promise<void> {
  return writeAtomic(file, JSON.stringify(state));
}

/** Keeps a window on a display: at least 100 px of its title bar must be reachable, else it is centred by leaving x and y out. */
export function clampToDisplays(state: WindowState, displays: readonly Rectangle[]): WindowState {
  const largest = displays.reduce(
    (best, area) => ({ width: Math.max(best.width, area.width), height: Math.max(best.height, area.height) }),
    {
      width: 0,
      height: 0,
    },
  );
  const width = Math.max(minimumSize.width, Math.min(state.width, largest.width || state.width));
  const height = Math.max(minimumSize.height, Math.min(state.height, largest.height || state.height));
  const { x, y, maximized } = state;
  const visible =
    x !== undefined &&
    y !== undefined &&
    displays.some((area) => x + width >= area.x + 100 && x <= area.x + area.width - 100 && y >= area.y && y <= area.y + area.height - 40);
  return visible ? { x, y, width, height, maximized } : { width, height, maximized };
}
