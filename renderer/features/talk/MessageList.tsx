// The messages of the open conversation: only what is near the view is in the page, whatever the length of the path.
import { ArrowDown } from 'lucide-react';
import { type KeyboardEvent, memo, startTransition, useEffect, useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useConversationId, useEndingKind } from '../../state/talkSlice';
import { FirstViewContext, ListContext } from './listContext';
import styles from './MessageList.module.css';
import { TalkItem } from './TalkItem';
import { depthAt, useTalkList } from './useTalkList';

/** A new list for each conversation: nothing of the last one's heights or place is carried over. */
export function Messages() {
  return <MessageList key={useConversationId()} />;
}

function MessageList() {
  const { t } = useTranslation('talk');
  const isFirstView = useFirstView();
  const talk = useTalkList(isFirstView);
  const { scroller, list, measure, rows, count, usual, stand, away, following, handlers, focusDepth, goToDepth, onFocus } = talk;
  const live = useEndingKind() === 'live';
  const context = useMemo(() => ({ focusDepth }), [focusDepth]);
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.defaultPrevented || isTyping(event.target)) return;
    const step = event.altKey ? { ArrowUp: -1, ArrowDown: 1 }[event.key] : undefined;
    if (step !== undefined) goToDepth(neighbour(event, step, count, rows[0]?.index ?? 0));
    else if (event.key === 'End' && !event.shiftKey) stand.toEnd();
    else if (event.key === 'Home' && !event.shiftKey) stand.toStart();
    else {
      stand.onScrollKey(event);
      return;
    }
    event.preventDefault();
  };
  return (
    <ListContext value={context}>
      <div className={styles.frame}>
        <div
          ref={scroller}
          className={styles.scroller}
          role="feed"
          aria-label={t('messages')}
          aria-busy={live}
          data-following={following}
          // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
          tabIndex={0}
          onKeyDown={onKeyDown}
          onFocus={onFocus}
          {...handlers}
        >
          <div ref={list.containerRef} className={styles.sizer}>
            <FirstViewContext value={isFirstView}>
              {rows.map((row) => (
                <Row key={row.key} index={row.index} itemKey={String(row.key)} count={count} usual={usual} measure={measure} />
              ))}
            </FirstViewContext>
          </div>
        </div>
        {away ? (
          <button type="button" className={styles.toEnd} onClick={stand.toEnd}>
            <ArrowDown aria-hidden="true" />
            {t('toEnd')}
          </button>
        ) : null}
      </div>
    </ListContext>
  );
}

/** True until a frame has been painted; what waited for that comes in pieces, and gives way to the person. */
function useFirstView(): boolean {
  const [first, setFirst] = useState(true);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => startTransition(() => setFirst(false)));
    });
    return () => {
      cancelAnimationFrame(frame);
      clearTimeout(timer);
    };
  }, []);
  return first;
}

type RowProps = { index: number; itemKey: string; count: number; usual: number; measure: (element: HTMLDivElement | null) => void };
const Row = memo(function Row({ index, itemKey, count, usual, measure }: RowProps) {
  const waiting = itemKey === String(index);
  return (
    <div ref={measure} data-index={index} data-key={itemKey} data-waiting={waiting || undefined} className={styles.row}>
      <TalkItem depth={index} count={count} usual={usual} />
    </div>
  );
});

function isTyping(target: EventTarget): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || ['TEXTAREA', 'INPUT', 'SELECT'].includes(target.tagName));
}

/** The message before or after the one that has the focus, else the first in view. */
function neighbour(event: KeyboardEvent<HTMLElement>, step: number, count: number, first: number): number {
  const here = depthAt(event.target);
  return Math.max(0, Math.min(count - 1, here === null ? first : here + step));
}
