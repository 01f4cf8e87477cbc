// One listener a text for all its links: whatever is clicked goes through the window's one opener, or nowhere.
import { type RefObject, useEffect, useRef } from 'react';
import { isFootnoteJump, safeUrl } from './links';

function jump(root: HTMLElement, href: string): void {
  const label = href.slice('#fn-'.length);
  for (const note of root.querySelectorAll<HTMLElement>('[data-fn]')) {
    if (note.dataset.fn !== label) continue;
    note.scrollIntoView({ block: 'nearest' });
    note.classList.add('md-found');
    note.addEventListener('animationend', () => note.classList.remove('md-found'), { once: true });
    return;
  }
}

export function useLinks(root: RefObject<HTMLElement | null>, onOpenLink: ((url: string) => void) | undefined): void {
  const open = useRef(onOpenLink);
  useEffect(() => {
    open.current = onOpenLink;
  });
  useEffect(() => {
    const element = root.current;
    if (!element) return;
    const onClick = (event: MouseEvent) => {
      const target = event.target instanceof Element ? event.target.closest('a') : null;
      if (!target) return;
      event.preventDefault();
      const href = target.getAttribute('href') ?? '';
      if (event.type === 'auxclick' && event.button !== 1) return;
      if (isFootnoteJump(href)) {
        jump(element, href);
        return;
      }
      const url = safeUrl(href);
      if (url !== null) open.current?.(url);
    };
    const onDrag = (event: DragEvent) => {
      // A link or picture dropped on a window would be a navigation.
      if (event.target instanceof Element && event.target.closest('a, img')) event.preventDefault();
    };
    element.addEventListener('click', onClick);
    element.addEventListener('auxclick', onClick);
    element.addEventListener('dragstart', onDrag);
    return () => {
      element.removeEventListener('click', onClick);
      element.removeEventListener('auxclick', onClick);
      element.removeEventListener('dragstart', onDrag);
    };
  }, [root]);
}
