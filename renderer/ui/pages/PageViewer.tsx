// One page large, with what is printed on it as text beside it: fit, 1:1 and larger; from page to page; where there is little room, one of the two.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemoryPage } from '../../../shared/model/memoryRecord';
import { Dialog } from '../Dialog';
import { PagePicture } from './PagePicture';
import { PageText } from './PageText';
import styles from './PageViewer.module.css';
import { usePagePane } from './usePagePane';
import { type PageSide, ViewerBar } from './ViewerBar';
import { actOf } from './viewerKeys';

type PageViewerProps = {
  pages: readonly MemoryPage[];
  at: number;
  onAt(at: number): void;
  onClose(): void;
  onCopy(text: string): Promise<boolean>;
};

export function PageViewer(props: PageViewerProps) {
  const { t } = useTranslation('pages');
  const { pages, at, onClose } = props;
  return (
    <Dialog
      title={t('page', { at: at + 1, count: pages.length })}
      closeLabel={t('close')}
      size="huge"
      bare
      focusFirst="[data-page-pane]"
      onClose={onClose}
    >
      <Viewer {...props} />
    </Dialog>
  );
}

/** Apart from the dialog: what is inside comes to the page later than the dialog does. */
function Viewer({ pages, at, onAt, onCopy }: PageViewerProps) {
  const { t } = useTranslation('pages');
  const [side, setSide] = useState<PageSide>('picture');
  const page = pages[at] as MemoryPage;
  const pane = usePagePane(page);
  const count = pages.length;
  const go = (to: number) => {
    if (to >= 0 && to < count) onAt(to);
  };
  return (
    <section
      className={styles.viewer}
      data-side={side}
      aria-label={t('viewer')}
      onKeyDown={(event) => {
        const act = actOf(event.nativeEvent);
        if (!act) return;
        event.preventDefault();
        if (act.type === 'zoom') pane.change(act.how);
        else go(act.to === 'first' ? 0 : act.to === 'last' ? count - 1 : at + act.to);
      }}
    >
      <ViewerBar page={page} at={at} count={count} onGo={go} pane={pane} side={side} onSide={setSide} />
      <div className={styles.sides}>
        <PagePicture page={page} name={t('page', { at: at + 1, count })} pane={pane} />
        <PageText page={page} onCopy={onCopy} />
      </div>
    </section>
  );
}
