// Marks the message that a search led to, for a moment, once its row is in the page.
import './marks.css';
import { useEffect } from 'react';
import { useFound } from '../../state/searchSlice';

/** Milliseconds the mark stays, and how long its row is waited for. */
const shown = 2_000;
const patience = 4_000;

export function useFoundMark(): void {
  const found = useFound();
  useEffect(() => {
    if (!found) return;
    let row: HTMLElement | null = null;
    let timer = setTimeout(() => observer.disconnect(), patience);
    const look = () => {
      row = document.querySelector<HTMLElement>(`[role="feed"] [data-key="${CSS.escape(found.messageId)}"]`);
      const article = row?.querySelector<HTMLElement>('article');
      if (!row || !article) return;
      observer.disconnect();
      clearTimeout(timer);
      row.dataset.found = '';
      article.focus({ preventScroll: true });
      timer = setTimeout(() => delete row?.dataset.found, shown);
    };
    const observer = new MutationObserver(look);
    observer.observe(document.body, { childList: true, subtree: true });
    look();
    return () => {
      observer.disconnect();
      clearTimeout(timer);
      if (row) delete row.dataset.found;
    };
  }, [found]);
}
