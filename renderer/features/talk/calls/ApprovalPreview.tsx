// What an edit would change, before it is allowed: from the call's own arguments, for the file itself is main's to read.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainOutput } from '../../../ui/PlainOutput';
import styles from './ApprovalCard.module.css';
import { EditView } from './ChangeView';

export function ApprovalPreview({ name, values }: { name: string; values: Readonly<Record<string, unknown>> }) {
  const { t } = useTranslation('talk');
  const { content, oldText, newText, replaceAll, url } = values;
  if (name === 'write_file' && typeof content === 'string') {
    return (
      <Preview heading={t('approval.newContent')}>
        {content === '' ? <p>{t('approval.emptyContent')}</p> : <PlainOutput text={content} label={t('approval.newContent')} />}
      </Preview>
    );
  }
  if (name === 'edit_file' && typeof oldText === 'string' && typeof newText === 'string') {
    return (
      <Preview heading={t(replaceAll === true ? 'approval.changeEverywhere' : 'approval.change')}>
        <EditView before={oldText} after={newText} label={t('approval.change')} />
      </Preview>
    );
  }
  if (name === 'fetch_url' && typeof url === 'string') return <p className={styles.address}>{url}</p>;
  return null;
}

function Preview({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <section className={styles.preview}>
      <h4>{heading}</h4>
      {children}
    </section>
  );
}
