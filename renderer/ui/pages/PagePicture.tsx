// The picture of a page in a pane that scrolls: dragged about with the mouse, larger and smaller with Ctrl and the wheel. A lost one says so.
import { type PointerEvent, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemoryPage } from '../../../shared/model/memoryRecord';
import { blobUrl } from '../AttachmentTile';
import styles from './PageViewer.module.css';
import type { PagePane } from './usePagePane';

type PagePictureProps = { page: MemoryPage; name: string; pane: PagePane };

export function PagePicture({ page: { hash, width, height }, name, pane }: PagePictureProps) {
  const { t } = useTranslation('pages');
  const [lost, setLost] = useState<MemoryPage['hash'] | null>(null);
  const { ref, scale, isFit } = pane;
  useWheelZoom(pane);
  // Another page begins at its beginning.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pane is the same for every page
  useLayoutEffect(() => ref.current?.scrollTo(0, 0), [hash]);
  const sides = { width: Math.round(width * scale), height: Math.round(height * scale) };
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark
    <div
      ref={ref}
      role="group"
      aria-label={t('picture')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard
      tabIndex={0}
      data-page-pane=""
      data-pannable={!isFit || undefined}
      className={styles.pane}
      onPointerDown={startDrag}
      onDoubleClick={({ clientX, clientY }) => pane.change(isFit ? 'one' : 'fit', { x: clientX, y: clientY })}
    >
      {lost === hash ? (
        <p className={styles.gone}>{t('gone')}</p>
      ) : (
        <img
          src={blobUrl({ hash, mime: 'image/png' })}
          alt={name}
          className={styles.picture}
          data-whole-pixels={scale >= 1 || undefined}
          style={sides}
          decoding="sync"
          draggable={false}
          onError={() => setLost(hash)}
        />
      )}
    </div>
  );
}

/** How far the wheel turns for one step: a notch of a mouse, a short pinch. */
const notch = 80;

function useWheelZoom({ ref, change }: PagePane): void {
  const latest = useRef(change);
  useLayoutEffect(() => {
    latest.current = change;
  });
  useEffect(() => {
    const element = ref.current;
    if (!element) return;
    let turned = 0;
    const onWheel = (event: WheelEvent) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      turned = Math.sign(turned) === Math.sign(event.deltaY) ? turned + event.deltaY : event.deltaY;
      if (Math.abs(turned) < notch) return;
      latest.current(turned < 0 ? 'in' : 'out', { x: event.clientX, y: event.clientY });
      turned = 0;
    };
    element.addEventListener('wheel', onWheel, { passive: false });
    return () => element.removeEventListener('wheel', onWheel);
  }, [ref]);
}

function startDrag({ button, pointerType, pointerId, currentTarget: pane, clientX, clientY }: PointerEvent<HTMLElement>): void {
  // A press on a scroll bar is no drag.
  const { left, top } = pane.getBoundingClientRect();
  if (button !== 0 || pointerType !== 'mouse' || clientX - left > pane.clientWidth || clientY - top > pane.clientHeight) return;
  const from = { x: clientX + pane.scrollLeft, y: clientY + pane.scrollTop };
  const move = (event: globalThis.PointerEvent) => pane.scrollTo(from.x - event.clientX, from.y - event.clientY);
  const end = () => {
    delete pane.dataset['dragged'];
    pane.removeEventListener('pointermove', move);
  };
  pane.setPointerCapture(pointerId);
  pane.dataset['dragged'] = '';
  pane.addEventListener('pointermove', move);
  pane.addEventListener('lostpointercapture', end, { once: true });
}
