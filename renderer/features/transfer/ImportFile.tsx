// One file of an import: what it held, what is wrong with it and what can be done, and everything in it that did not come along (I4).
import { useTranslation } from 'react-i18next';
import { type ImportFileReport, type SkippedConversation, type SkipReason, skipReasons } from '../../../shared/model/importReport';
import styles from './Import.module.css';

/** Titles that are listed; the rest is a number. */
const titlesShown = 100;

export function ImportFile({ file, alone }: { file: ImportFileReport; alone: boolean }) {
  const { t, i18n } = useTranslation('import');
  // Kinds that nobody has words for go by what the source calls them.
  const named = ({ what, count }: { what: string; count: number }) =>
    t('leftOutOne', { count, name: i18n.exists(`import:record.${what}`) ? t(`record.${what}`) : what });
  const { name, format, problem, detail, counts } = file;
  // The root that each conversation of some exports hangs on holds nothing that could be missed.
  const leftOut = file.leftOut.filter(({ what }) => what !== 'root');
  return (
    <section className={styles.file} aria-label={name}>
      <h3>
        <span className={styles.path} title={name}>
          <bdi>{name}</bdi>
        </span>
        {format ? <span className={styles.format}>{t(`format.${format}`)}</span> : null}
      </h3>
      {problem ? (
        <div className={styles.problem} role="alert">
          <p>{t(`problem.${problem}.what`)}</p>
          <p>{t(`problem.${problem}.next`)}</p>
          {detail ? <p className={styles.quiet}>{detail}</p> : null}
        </div>
      ) : null}
      {!alone && counts.messages > 0 ? <Counted {...file} /> : null}
      <ul className={styles.notes}>
        {counts.attachmentsMissing > 0 ? <li>{t('missing', { count: counts.attachmentsMissing })}</li> : null}
        {counts.notUnderstood > 0 ? <li>{t('notUnderstood', { count: counts.notUnderstood })}</li> : null}
        {counts.recovered > 0 ? <li>{t('recovered', { count: counts.recovered })}</li> : null}
        {leftOut.length > 0 ? <li>{t('leftOut', { list: leftOut.map(named) })}</li> : null}
      </ul>
      {skipReasons.map((reason) => (
        <Skipped key={reason} reason={reason} skipped={file.skipped.filter((one) => one.reason === reason)} />
      ))}
      {file.skippedInAll > file.skipped.length ? (
        <p className={styles.quiet}>{t('skippedMore', { count: file.skippedInAll - file.skipped.length })}</p>
      ) : null}
    </section>
  );
}

function Counted({ counts }: ImportFileReport) {
  const { t } = useTranslation('import');
  return (
    <p>
      {t('written', {
        conversations: t('conversations', { count: counts.conversations + counts.updated }),
        messages: t('messages', { count: counts.messages }),
      })}
    </p>
  );
}

function Skipped({ reason, skipped }: { reason: SkipReason; skipped: readonly SkippedConversation[] }) {
  const { t } = useTranslation('import');
  if (skipped.length === 0) return null;
  return (
    <details className={styles.skipped}>
      <summary>{t(`skip.${reason}`, { count: skipped.length })}</summary>
      <ul>
        {skipped.slice(0, titlesShown).map(({ title }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: titles repeat, and the list never changes
          <li key={at} dir="auto">
            {title?.trim() || t('untitled')}
          </li>
        ))}
        {skipped.length > titlesShown ? <li>{t('skippedMore', { count: skipped.length - titlesShown })}</li> : null}
      </ul>
    </details>
  );
}
