// The preview of a turn: comes when the pointer rests on a row, or a key of the tree has led to it; goes when they leave, and with Escape.
import { useCallback, useEffect, useRef, useState } from 'react';
import type { OutlinePreview, OutlineTurn } from '../../../shared/model/outline';
import { previewOf } from '../../state/outlineSlice';

const rest = 400;

/** What the card stands beside. */
type Beside = Pick<HTMLElement, 'isConnected' | 'getBoundingClientRect'>;
export type Preview = { turn: OutlineTurn; content: OutlinePreview; row: DOMRect };

export function usePreview() {
  const [preview, setPreview] = useState<Preview | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const asked = useRef<string | null>(null);
  const hide = useCallback(() => {
    clearTimeout(timer.current);
    asked.current = null;
    setPreview(null);
  }, []);
  const show = useCallback(
    (turn: OutlineTurn, element: Beside) => {
      hide();
      asked.current = turn.id;
      timer.current = setTimeout(() => {
        void previewOf(turn.id).then((content) => {
          if (content && asked.current === turn.id && element.isConnected)
            setPreview({ turn, content, row: element.getBoundingClientRect() });
        });
      }, rest);
    },
    [hide],
  );
  useEffect(() => hide, [hide]);
  return { preview, show, hide };
}
