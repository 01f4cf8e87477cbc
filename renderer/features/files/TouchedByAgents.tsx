// What agents read or changed on this path, newest first.
import { FilePen, FileText } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { TouchedFile } from '../../../shared/model/touchedFile';
import type { TouchedFiles } from '../../state/useTouchedFiles';
import { Button } from '../../ui/Button';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';
import { formatNumber } from '../../ui/format';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Files.module.css';

/** Rows drawn before a person asks for the rest: a long run touches thousands of files. */
const firstShown = 200;

type Props = { touched: TouchedFiles; onGo: (depth: number) => void };

export function TouchedByAgents({ touched, onGo }: Props) {
  const { t } = useTranslation('app');
  return (
    <section className={styles.group}>
      <h2 className={styles.heading}>{t('files.touched')}</h2>
      <Content touched={touched} onGo={onGo} />
    </section>
  );
}

function Content({ touched: { files, failure, reload }, onGo }: Props) {
  const { t, i18n } = useTranslation('app');
  const [all, setAll] = useState(false);
  if (failure) {
    return (
      <ErrorState title={t('files.touchedFailed')} actions={<Button onClick={reload}>{t('files.retry')}</Button>}>
        <FailureText failure={failure} />
      </ErrorState>
    );
  }
  if (!files) return <Skeleton label={t('files.loading')} />;
  if (files.length === 0) return <p className={styles.none}>{t('files.noneTouched')}</p>;
  const shown = all ? files : files.slice(0, firstShown);
  return (
    <>
      <ul aria-label={t('files.touchedList')} className={styles.list}>
        {shown.map((file) => (
          <li key={file.path}>
            <TouchedRow file={file} onGo={onGo} />
          </li>
        ))}
      </ul>
      {shown.length < files.length ? (
        <Button look="plain" size="small" className={styles.more} onClick={() => setAll(true)}>
          {t('files.showAll', { shown: formatNumber(files.length, i18n.language) })}
        </Button>
      ) : null}
    </>
  );
}

function TouchedRow({ file: { path, read, changed, depth }, onGo }: { file: TouchedFile; onGo: (depth: number) => void }) {
  const { t } = useTranslation('app');
  const Icon = changed > 0 ? FilePen : FileText;
  const cut = path.lastIndexOf('/') + 1;
  const done = [...(changed > 0 ? [t('files.changed', { count: changed })] : []), ...(read > 0 ? [t('files.read', { count: read })] : [])];
  return (
    <button
      type="button"
      className={styles.file}
      aria-label={t('files.jumpTouched', { path, done })}
      data-tooltip={path}
      onClick={() => onGo(depth)}
    >
      <Icon aria-hidden="true" />
      <span className={styles.words}>
        <span className={styles.name} dir="auto">
          {path.slice(cut)}
        </span>
        {cut > 0 ? (
          <span className={styles.folder} dir="ltr">
            {path.slice(0, cut)}
          </span>
        ) : null}
      </span>
      <span className={styles.counts}>
        {done.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </span>
    </button>
  );
}
