// A command asks for the tree, which may come on the page with it.
import { useEffect } from 'react';
import { treeHasFocus, useOutlineState } from '../../state/outlineSlice';

export function useWantedFocus(scroller: HTMLElement | null): void {
  const { wantsFocus } = useOutlineState();
  useEffect(() => {
    if (!scroller || !wantsFocus) return;
    treeHasFocus();
    requestAnimationFrame(() => {
      const row = scroller.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]');
      if (!row) return;
      row.focus();
      // A shortcut led here: the ring is seen although the pointer was used before.
      row.dataset.led = '';
      row.addEventListener('blur', () => delete row.dataset.led, { once: true });
    });
  }, [wantsFocus, scroller]);
}
