// What came of an import (I4): how it ended, the counts of all of it, and each file with what is missing, left out and skipped.
import { CircleAlert, CircleCheck } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import type { ImportCounts, ImportReport as Report } from '../../../shared/model/importReport';
import { useImportReport } from '../../state/importSlice';
import { FailureText } from '../../ui/FailureText';
import { sentenceGap } from '../../ui/format';
import styles from './Import.module.css';
import { ImportFile } from './ImportFile';

export function ImportReport() {
  const report = useImportReport();
  return report ? <Shown {...report} /> : null;
}

function Shown(report: Report) {
  const { t } = useTranslation('import');
  const { files, total, otherFiles, failure } = report;
  const headline = useHeadline(report);
  const Mark = report.ended === 'done' && files.every(({ problem }) => problem === undefined) ? CircleCheck : CircleAlert;
  return (
    <div className={styles.report}>
      <p className={styles.headline} role="status">
        <Mark aria-hidden="true" data-good={Mark === CircleCheck || undefined} />
        {headline}
      </p>
      {failure ? (
        <div role="alert">
          <FailureText failure={failure} />
          <p className={styles.quiet}>{t('kept')}</p>
        </div>
      ) : null}
      {total.conversations + total.updated > 0 ? <Totals {...total} /> : null}
      {files.map((file, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two files may have one name, and the list never changes
        <ImportFile key={at} file={file} alone={files.length === 1} />
      ))}
      {otherFiles > 0 ? <p className={styles.quiet}>{t('otherFiles', { count: otherFiles })}</p> : null}
    </div>
  );
}

function useHeadline({ ended, total, files }: Report): string {
  const { t, i18n } = useTranslation('import');
  const written = [
    ...(total.conversations > 0 ? [t('imported', { count: total.conversations })] : []),
    ...(total.updated > 0 ? [t('updated', { count: total.updated })] : []),
  ].join(sentenceGap(i18n.language));
  if (ended === 'cancelled') return t('cancelled', { written: written || t('nothing') });
  if (ended === 'failed') return t('broken', { written: written || t('nothing') });
  if (written) return written;
  if (files.some(({ problem }) => problem !== undefined)) return t('nothing');
  return files.some(({ skipped }) => skipped.some(({ reason }) => reason === 'known')) ? t('nothingNew') : t('nothing');
}

/** What is worth a line always; what went missing stands out only where it did. */
function Totals(total: ImportCounts) {
  const { t, i18n } = useTranslation('import');
  const rows = [
    ['messages', total.messages, true],
    ['branches', total.branches, true],
    ['attachmentsFound', total.attachmentsFound, total.attachmentsFound > 0],
    ['attachmentsMissing', total.attachmentsMissing, total.attachmentsMissing > 0],
    ['notUnderstood', total.notUnderstood, total.notUnderstood > 0],
    ['recovered', total.recovered, total.recovered > 0],
  ] as const;
  return (
    <dl className={styles.totals}>
      {rows
        .filter(([, , shown]) => shown)
        .map(([name, count]) => (
          <div key={name}>
            <dt>{t(`total.${name}`)}</dt>
            <dd>{count.toLocaleString(i18n.language)}</dd>
          </div>
        ))}
    </dl>
  );
}
