// What an edit would change, before it is allowed: as main found it in the file, else from the call's own arguments.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { PlainOutput } from '../../../ui/PlainOutput';
import styles from './ApprovalCard.module.css';
import { ChangeView, EditView } from './ChangeView';

type PreviewProps = { name: string; values: Readonly<Record<string, unknown>>; known: string | undefined };

export function ApprovalPreview({ name, values, known }: PreviewProps) {
  const { t } = useTranslation('talk');
  const { content, oldText, newText, replaceAll, url } = values;
  const change = t(replaceAll === true ? 'approval.changeEverywhere' : 'approval.change');
  if (known !== undefined) {
    return (
      <Preview heading={change}>
        <ChangeView text={known} label={t('approval.change')} isChange named={false} />
      </Preview>
    );
  }
  if (name === 'write_file' && typeof content === 'string') {
    return (
      <Preview heading={t('approval.newContent')}>
        {content === '' ? <p>{t('approval.emptyContent')}</p> : <PlainOutput text={content} label={t('approval.newContent')} />}
      </Preview>
    );
  }
  if (name === 'edit_file' && typeof oldText === 'string' && typeof newText === 'string') {
    return (
      <Preview heading={change}>
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
