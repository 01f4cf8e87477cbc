// Heights of rows that come into the page together, read at once: placing one between two readings would lay out the page for each of them.

let read: Map<Element, number> | null = null;

/** The height of a row in whole pixels of layout; those beside it are read with it, and kept until this task's work is done. */
export function heightOf(row: HTMLElement): number {
  if (!read) {
    read = new Map();
    queueMicrotask(() => {
      read = null;
    });
  }
  const known = read.get(row);
  if (known !== undefined) return known;
  for (const beside of row.parentElement?.children ?? []) if (beside instanceof HTMLElement) read.set(beside, beside.offsetHeight);
  return read.get(row) ?? row.offsetHeight;
}
