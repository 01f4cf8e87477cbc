// What is printed on a page, as text that can be selected and copied; a lost one says so.
import { Check, Copy } from 'lucide-react';
import { useLayoutEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemoryPage } from '../../../shared/model/memoryRecord';
import { IconButton } from '../IconButton';
import { Skeleton } from '../Skeleton';
import styles from './PageViewer.module.css';
import { usePageText } from './usePageText';

type PageTextProps = { page: MemoryPage; onCopy(text: string): Promise<boolean> };

export function PageText({ page, onCopy }: PageTextProps) {
  const { t } = useTranslation('pages');
  const found = usePageText(page.textHash);
  const [copied, setCopied] = useState<MemoryPage['hash'] | null>(null);
  const isCopied = copied === page.hash;
  const copy = async (text: string) => setCopied((await onCopy(text)) ? page.hash : null);
  // Another page begins at its beginning.
  const scroller = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the box is the same for every page
  useLayoutEffect(() => scroller.current?.scrollTo(0, 0), [page.hash]);
  return (
    <div className={styles.text} data-page-text="">
      <div className={styles.textHead}>
        <h3>{t('text')}</h3>
        {page.characters === undefined ? null : <span>{t('characters', { count: page.characters })}</span>}
        {found.state === 'read' ? (
          <IconButton label={t(isCopied ? 'copied' : 'copy')} size="small" onClick={() => void copy(found.text)}>
            {isCopied ? <Check aria-hidden="true" /> : <Copy aria-hidden="true" />}
          </IconButton>
        ) : null}
      </div>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be a landmark */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <div ref={scroller} role="group" aria-label={t('text')} tabIndex={0} className={styles.scroller}>
        {found.state === 'reading' ? <Skeleton label={t('reading')} /> : null}
        {found.state === 'gone' ? <p className={styles.gone}>{t('textGone')}</p> : null}
        {found.state === 'read' ? <pre dir="auto">{found.text}</pre> : null}
      </div>
    </div>
  );
}
