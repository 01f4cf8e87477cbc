// Colours of one code block: asked for when the block is closed, near the visible part, and the browser is idle.
import { type RefObject, useEffect, useState } from 'react';
import { canHighlight, highlight, knownColours } from './highlight';
import { whenNearAndIdle } from './lazily';
import type { CodeNode } from './nodes';
import type { CleanHtml } from './sanitize';

export function useColours(node: CodeNode, element: RefObject<HTMLElement | null>): readonly CleanHtml[] | undefined {
  const [found, setFound] = useState<{ key: string; parts: CleanHtml[] } | null>(null);
  const { key, language, chunks, open } = node;
  useEffect(() => {
    const target = element.current;
    if (open || !target || knownColours(key) || !canHighlight(language)) return undefined;
    let wanted = true;
    const giveUp = whenNearAndIdle(target, () => {
      void highlight(key, language, chunks).then((parts) => {
        if (wanted && parts) setFound({ key, parts });
      });
    });
    return () => {
      wanted = false;
      giveUp();
    };
  }, [key, language, chunks, open, element]);
  if (open) return undefined;
  return found?.key === key ? found.parts : knownColours(key);
}
