// The lines of a card are one stop of the Tab key: arrows go from line to line, and along the messages that were found behind one.
import { type FocusEvent, type KeyboardEvent, useState } from 'react';

const linesIn = (element: Element) => [...element.querySelectorAll<HTMLElement>('[data-line]')];
const buttonOf = (line: Element | undefined) => line?.querySelector<HTMLElement>('[data-find]');
const buttonsIn = (line: Element) => [...line.querySelectorAll<HTMLElement>('[data-find], [data-source]')];

/** `stop`: the line that the Tab key comes to, of `count`. */
export function useLineKeys(count: number): {
  stop: number;
  onFocus(event: FocusEvent<HTMLElement>): void;
  onKeyDown(event: KeyboardEvent<HTMLElement>): void;
} {
  const [active, setActive] = useState(0);
  const placeOf = (event: { currentTarget: HTMLElement; target: EventTarget }) => {
    const lines = linesIn(event.currentTarget);
    const at = lines.findIndex((line) => event.target instanceof Node && line.contains(event.target));
    return { lines, at, line: lines[at] };
  };
  return {
    stop: Math.min(active, Math.max(0, count - 1)),
    onFocus: (event) => {
      const { at } = placeOf(event);
      if (at >= 0) setActive(at);
    },
    onKeyDown: (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
      const { lines, at, line } = placeOf(event);
      const here = line && buttonsIn(line);
      const nth = here?.indexOf(event.target as HTMLElement) ?? -1;
      // A link within a line has the arrows for itself.
      if (!here || nth < 0) return;
      const places: Record<string, HTMLElement | null | undefined> = {
        ArrowDown: buttonOf(lines[at + 1]),
        ArrowUp: buttonOf(lines[at - 1]),
        Home: buttonOf(lines[0]),
        End: buttonOf(lines.at(-1)),
        ArrowRight: here[nth + 1],
        ArrowLeft: here[nth - 1],
      };
      if (!(event.key in places)) return;
      event.preventDefault();
      places[event.key]?.focus();
    },
  };
}
