// The theme on screen now, for what cannot use CSS variables: drawings that are images.
import { useSyncExternalStore } from 'react';
import type { DrawingTheme } from './drawings';

function subscribe(listener: () => void): () => void {
  const observer = new MutationObserver(listener);
  observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] });
  return () => observer.disconnect();
}

function current(): DrawingTheme {
  return document.documentElement.dataset.theme === 'dark' ? 'dark' : 'light';
}

export function useTheme(): DrawingTheme {
  return useSyncExternalStore(subscribe, current);
}
