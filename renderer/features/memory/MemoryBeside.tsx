// What goes with a card: files read for it, files it only names, open tasks (M6); and the checkpoints of this branch.
import { FileText, Flag } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { MemoryView } from '../../../shared/model/memoryView';
import { uncoverTalk } from '../../state/layoutSlice';
import { copyText, goToOrigin, openLink } from '../../state/talkActs';
import { MarkdownView } from '../../text/MarkdownView';
import { formatBytes } from '../../ui/format';
import styles from './Memory.module.css';

export function MemoryBeside({ view: { memory, checkpoints } }: { view: MemoryView }) {
  const { t, i18n } = useTranslation('memory');
  const { files = [], references = [], tasks } = memory?.body ?? {};
  const bytes = (text: string) => formatBytes(new TextEncoder().encode(text).length, i18n.language);
  return (
    <>
      <Group title={t('files')} shown={files.length > 0}>
        <ul className={styles.list}>
          {files.map(({ path, from, to, text }, at) => (
            <li key={`${path} ${from ?? ''} ${to ?? ''}`} className={styles.row}>
              <FileText aria-hidden="true" />
              <Path path={path} note={from && to ? t('fileLines', { from, to }) : t('fileWhole')}>
                {memory?.changed?.[at] ? <span className={styles.changed}>{t('fileChanged')}</span> : null}
              </Path>
              <span className={styles.number}>{bytes(text)}</span>
            </li>
          ))}
        </ul>
      </Group>
      <Group title={t('references')} shown={references.length > 0}>
        <ul className={styles.list}>
          {references.map(({ path, why }) => (
            <li key={path} className={styles.row}>
              <FileText aria-hidden="true" />
              <Path path={path} note={why} />
            </li>
          ))}
        </ul>
      </Group>
      <Group title={t('tasks')} shown={Boolean(tasks)}>
        <div className={styles.tasks}>
          <MarkdownView text={tasks ?? ''} onOpenLink={openLink} onCopy={copyText} />
        </div>
      </Group>
      <Group title={t('checkpoints')} shown={checkpoints.length > 0}>
        <ul className={styles.list}>
          {checkpoints.map(({ label, messageId }) => (
            <li key={label}>
              <button
                type="button"
                className={styles.row}
                aria-label={t('toCheckpoint', { label })}
                onClick={() => {
                  uncoverTalk();
                  void goToOrigin(messageId);
                }}
              >
                <Flag aria-hidden="true" />
                <bdi className={styles.name}>{label}</bdi>
              </button>
            </li>
          ))}
        </ul>
      </Group>
    </>
  );
}

function Group({ title, shown, children }: { title: string; shown: boolean; children: ReactNode }) {
  if (!shown) return null;
  return (
    <section className={styles.group}>
      <h2 className={styles.heading}>{title}</h2>
      {children}
    </section>
  );
}

function Path({ path, note, children }: { path: string; note: string; children?: ReactNode }) {
  return (
    <span className={styles.path}>
      <span className={styles.name} dir="ltr" data-tooltip={path} data-tooltip-truncated>
        {path}
      </span>
      <span className={styles.why} dir="auto">
        {note}
      </span>
      {children}
    </span>
  );
}
