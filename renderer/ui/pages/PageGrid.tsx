// Pages as small pictures with their numbers, in order; each opens the viewer. A lost one says so in its place.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemoryPage } from '../../../shared/model/memoryRecord';
import { blobUrl } from '../AttachmentTile';
import { Button } from '../Button';
import styles from './PageGrid.module.css';
import { PageViewer } from './PageViewer';

/** Of more pages than these the first are shown, and the rest on demand. */
const fewPages = 15;
const firstShown = 12;
/** A taller page is cut at its foot where it is small. */
const tallest = 1.25;

type PageGridProps = { pages: readonly MemoryPage[]; onCopy(text: string): Promise<boolean> };

export function PageGrid({ pages, onCopy }: PageGridProps) {
  const { t } = useTranslation('pages');
  const [open, setOpen] = useState<number | null>(null);
  const [all, setAll] = useState(false);
  const shown = all || pages.length <= fewPages ? pages : pages.slice(0, firstShown);
  return (
    <>
      <ol className={styles.grid} aria-label={t('pages')}>
        {shown.map((page, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two pages may be the same picture, and the list never changes
          <li key={at}>
            <Thumbnail page={page} at={at} count={pages.length} onOpen={() => setOpen(at)} />
          </li>
        ))}
      </ol>
      {shown.length < pages.length ? (
        <Button look="plain" size="small" className={styles.more} onClick={() => setAll(true)}>
          {t('showAll', { count: pages.length })}
        </Button>
      ) : null}
      {open !== null && pages[open] ? (
        <PageViewer pages={pages} at={open} onAt={setOpen} onClose={() => setOpen(null)} onCopy={onCopy} />
      ) : null}
    </>
  );
}

type ThumbnailProps = { page: MemoryPage; at: number; count: number; onOpen(): void };

function Thumbnail({ page: { hash, width, height }, at, count, onOpen }: ThumbnailProps) {
  const { t } = useTranslation('pages');
  const [gone, setGone] = useState(false);
  const name = t('page', { at: at + 1, count });
  const shape = { aspectRatio: `${width} / ${Math.min(height, Math.round(tallest * width))}` };
  return (
    <button
      type="button"
      className={styles.thumbnail}
      aria-label={gone ? t('goneOf', { name }) : name}
      aria-haspopup="dialog"
      onClick={onOpen}
    >
      {gone ? (
        <span className={styles.gone} style={shape}>
          {t('goneShort')}
        </span>
      ) : (
        <img
          src={blobUrl({ hash, mime: 'image/png' })}
          alt=""
          width={width}
          height={height}
          style={shape}
          loading="lazy"
          decoding="sync"
          draggable={false}
          onError={() => setGone(true)}
        />
      )}
      <span className={styles.number}>{at + 1}</span>
    </button>
  );
}
