// A command asks for the tree, which may come on the page with it.
import { useEffect } from 'react';
import { treeHasFocus, useOutlineState } from '../../state/outlineSlice';

export function useWantedFocus(scroller: HTMLElement | null): void {
  const { wantsFocus } = useOutlineState();
  useEffect(() => {
    if (!scroller || !wantsFocus) return;
    treeHasFocus();
    requestAnimationFrame(() => scroller.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')?.focus());
  }, [wantsFocus, scroller]);
}
