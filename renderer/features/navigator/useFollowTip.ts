// A tip that was in sight stays in sight; at first it is brought there. A person who looks elsewhere is left there.
import { useEffect, useRef } from 'react';

/** `kept`: it came back where it was left, and stays there at first. */
type View = { show(index: number, align?: 'near' | 'middle'): void; inView(index: number): boolean; kept?: boolean };

export function useFollowTip(key: string | undefined, at: number, view: View, scroller: HTMLElement | null): void {
  const before = useRef<{ key: string; seen: boolean } | null>(null);
  const latest = useRef({ at, view });
  latest.current = { at, view };
  useEffect(() => {
    if (!scroller || key === undefined) return;
    const { at, view } = latest.current;
    if (before.current === null) {
      if (!view.kept) view.show(at, 'middle');
    } else if (before.current.seen && before.current.key !== key && !scroller.contains(document.activeElement)) view.show(at);
  }, [key, scroller]);
  useEffect(() => {
    before.current = key === undefined || !scroller ? null : { key, seen: latest.current.view.inView(latest.current.at) };
  });
}
