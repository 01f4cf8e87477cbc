// Asks what of a conversation goes into a file and how, says how much that is, and shows how far it is and how it ended (I1, R4).
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { type ExportFormat, type ExportInclude, type ExportScope, exportFormats, exportScopes } from '../../../shared/model/export';
import type { Failure } from '../../../shared/model/failure';
import {
  cancelExport,
  chooseExport,
  confirmExport,
  type MakePage,
  showExported,
  useExportChoice,
  useExportCounts,
  useExportFailure,
  useExportPath,
  useExportProgress,
  useExportQuestion,
  useExportRunning,
} from '../../state/exportSlice';
import { Button } from '../../ui/Button';
import { Checkbox } from '../../ui/Checkbox';
import { Dialog } from '../../ui/Dialog';
import { FailureText } from '../../ui/FailureText';
import { formatNumber } from '../../ui/format';
import { RadioList } from '../../ui/RadioList';
import styles from './Export.module.css';
import { makePage } from './makePage';

export function ExportDialog() {
  const { t } = useTranslation('transfer');
  const asking = useExportQuestion();
  const running = useExportRunning();
  if (!asking) return null;
  const page: MakePage = (rows, request) => makePage(rows, request, (key, values = {}) => t(key, values));
  return (
    <Dialog
      title={t('title')}
      description={t('text')}
      onClose={cancelExport}
      focusFirst="input:checked"
      footer={
        <>
          <Button onClick={cancelExport}>{t(running ? 'stop' : 'close')}</Button>
          <Button look="primary" busy={running} onClick={() => void confirmExport(page)}>
            {t('save')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <fieldset className={styles.choices} disabled={running} aria-label={t('title')}>
          <Scopes />
          <Formats />
          <Included />
        </fieldset>
        <Counts />
        <Progress />
        <Outcome />
      </div>
    </Dialog>
  );
}

function Scopes() {
  const { t } = useTranslation('transfer');
  const { scope } = useExportChoice();
  return (
    <RadioList<ExportScope>
      label={t('scope.label')}
      value={scope}
      options={exportScopes.map((value) => ({ value, label: t(`scope.${value}.name`), hint: t(`scope.${value}.hint`) }))}
      onChange={(next) => chooseExport({ scope: next })}
    />
  );
}

function Formats() {
  const { t } = useTranslation('transfer');
  const { format } = useExportChoice();
  return (
    <RadioList<ExportFormat>
      label={t('format.label')}
      value={format}
      options={exportFormats.map((value) => ({ value, label: t(`format.${value}.name`), hint: t(`format.${value}.hint`) }))}
      onChange={(next) => chooseExport({ format: next })}
    />
  );
}

const included: readonly (keyof ExportInclude)[] = ['toolCalls', 'reasoning', 'attachments', 'memory'];

function Included() {
  const { t } = useTranslation('transfer');
  const { format, include } = useExportChoice();
  // Memory is in the formats that can be read back only.
  const offered = included.filter((name) => name !== 'memory' || format === 'json' || format === 'jsonl');
  return (
    <fieldset className={styles.group}>
      <legend className={styles.legend}>{t('include.label')}</legend>
      {offered.map((name) => (
        <Checkbox
          key={name}
          label={t(`include.${name}`)}
          checked={include[name]}
          onChange={(checked) => chooseExport({ include: { ...include, [name]: checked } })}
        />
      ))}
    </fieldset>
  );
}

function Counts() {
  const { t } = useTranslation('transfer');
  const { scope } = useExportChoice();
  const counts = useExportCounts()?.[scope];
  const failure = useExportFailure();
  if (!counts && failure) return null;
  return (
    <p className={styles.counts} aria-live="polite">
      {counts ? <Counted {...counts} /> : t('counting')}
    </p>
  );
}

function Counted(counts: { messages: number; branches: number; attachments: number; toolCalls: number }) {
  const { t } = useTranslation('transfer');
  const plain = t('messages', { count: counts.messages });
  const messages = counts.branches > 1 ? t('onBranches', { messages: plain, count: counts.branches }) : plain;
  return t('counts', {
    messages,
    attachments: t('attachments', { count: counts.attachments }),
    calls: t('calls', { count: counts.toolCalls }),
  });
}

function Progress() {
  const { t, i18n } = useTranslation('transfer');
  const progress = useExportProgress();
  if (!progress) return null;
  const { what, done, total } = progress;
  const number = (value: number) => formatNumber(value, i18n.language);
  return (
    <div className={styles.progress}>
      <progress aria-label={t('progressLabel')} {...(total > 0 ? { value: done, max: total } : {})} />
      <span>{t(`progress.${what}`, { done: number(done), total: number(total) })}</span>
    </div>
  );
}

function Outcome() {
  const failure = useExportFailure();
  const path = useExportPath();
  const end = useRef<HTMLDivElement>(null);
  // In a low window the choices fill the dialog, and this stands below them.
  useEffect(() => {
    if (failure || path !== null) end.current?.scrollIntoView?.({ block: 'end' });
  }, [failure, path]);
  return (
    <div ref={end} className={styles.end}>
      <HowItEnded failure={failure} path={path} />
    </div>
  );
}

function HowItEnded({ failure, path }: { failure: Failure | null; path: string | null }) {
  const { t } = useTranslation('transfer');
  if (failure) {
    const { code } = failure;
    // Said of the workspace elsewhere; here it is the file's folder.
    if (code === 'diskFull' || code === 'workspaceReadOnly' || code === 'workspaceGone') {
      return (
        <p role="alert" className={styles.failed}>
          {t(`failed.${code}`)}
        </p>
      );
    }
    return <FailureText failure={failure} />;
  }
  if (path === null) return null;
  return (
    <div role="status" className={styles.done}>
      <span className={styles.path}>{t('done', { path })}</span>
      <Button size="small" onClick={() => showExported(path)}>
        {t('show')}
      </Button>
    </div>
  );
}
