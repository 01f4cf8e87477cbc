// Pages as pictures, in order; a lost one says so in its place.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemoryBody } from '../../../shared/model/memoryRecord';
import { blobUrl } from '../../ui/AttachmentTile';
import styles from './Memory.module.css';

export function Pages({ pages }: { pages: MemoryBody['pages'] }) {
  const { t } = useTranslation('memory');
  return (
    <ol className={styles.pages} aria-label={t('pages')}>
      {pages.map((page, at) => (
        <li key={page.hash}>
          <Page page={page} name={t('page', { at: at + 1, count: pages.length })} />
        </li>
      ))}
    </ol>
  );
}

function Page({ page: { hash, width, height }, name }: { page: MemoryBody['pages'][number]; name: string }) {
  const { t } = useTranslation('memory');
  const [gone, setGone] = useState(false);
  return (
    <figure className={styles.page}>
      {gone ? (
        <p className={styles.none}>{t('pageGone')}</p>
      ) : (
        <img
          src={blobUrl({ hash, mime: 'image/png' })}
          alt={name}
          width={width}
          height={height}
          style={{ aspectRatio: `${width} / ${height}` }}
          loading="lazy"
          draggable={false}
          onError={() => setGone(true)}
        />
      )}
      <figcaption>{name}</figcaption>
    </figure>
  );
}
