// Over a page: from page to page, its facts, and its size; where there is room for one side only, which.
import { ChevronLeft, ChevronRight, Maximize, Minus, Plus } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { MemoryPage } from '../../../shared/model/memoryRecord';
import { formatNumber } from '../format';
import { IconButton } from '../IconButton';
import { Segmented } from '../Segmented';
import styles from './PageViewer.module.css';
import { mostZoom } from './pageZoom';
import type { PagePane } from './usePagePane';

export type PageSide = 'picture' | 'text';

type ViewerBarProps = {
  page: MemoryPage;
  at: number;
  count: number;
  onGo(to: number): void;
  pane: PagePane;
  side: PageSide;
  onSide(side: PageSide): void;
};

export function ViewerBar({ page, at, count, onGo, pane, side, onSide }: ViewerBarProps) {
  const { t, i18n } = useTranslation('pages');
  const number = (value: number) => formatNumber(value, i18n.language);
  return (
    <div className={styles.bar}>
      <fieldset className={styles.group} aria-label={t('turn')}>
        <IconButton label={t('previous')} keys="ArrowLeft" size="small" aria-disabled={at === 0} onClick={() => onGo(at - 1)}>
          <ChevronLeft aria-hidden="true" />
        </IconButton>
        <span className={styles.place} role="status">
          {t('place', { at: number(at + 1), count, shown: number(count) })}
        </span>
        <IconButton label={t('next')} keys="ArrowRight" size="small" aria-disabled={at === count - 1} onClick={() => onGo(at + 1)}>
          <ChevronRight aria-hidden="true" />
        </IconButton>
      </fieldset>
      <p className={styles.facts}>{t('size', { width: number(page.width), height: number(page.height) })}</p>
      <div className={styles.switch}>
        <Segmented
          label={t('show')}
          inline
          value={side}
          options={[
            { value: 'picture', label: t('picture') },
            { value: 'text', label: t('text') },
          ]}
          onChange={onSide}
        />
      </div>
      <ZoomGroup pane={pane} />
    </div>
  );
}

function ZoomGroup({ pane: { zoom, scale, isFit, change } }: { pane: PagePane }) {
  const { t, i18n } = useTranslation('pages');
  const percent = formatNumber(scale, i18n.language, { style: 'percent' });
  return (
    <fieldset className={styles.group} aria-label={t('zoom')}>
      <IconButton label={t('smaller')} keys="-" size="small" aria-disabled={isFit} onClick={() => change('out')}>
        <Minus aria-hidden="true" />
      </IconButton>
      <button
        type="button"
        className={styles.percent}
        aria-label={t('one', { percent })}
        data-tooltip={t('one', { percent })}
        data-tooltip-keys="0"
        onClick={() => change('one')}
      >
        {percent}
      </button>
      <IconButton label={t('larger')} keys="+" size="small" aria-disabled={scale >= mostZoom} onClick={() => change('in')}>
        <Plus aria-hidden="true" />
      </IconButton>
      <IconButton label={t('fit')} keys="KeyF" size="small" aria-pressed={zoom === 'fit'} onClick={() => change('fit')}>
        <Maximize aria-hidden="true" />
      </IconButton>
    </fieldset>
  );
}
