// What a tool gave back, asked for when it is unfolded: text as it was printed, a difference, pictures, and what was kept aside.
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../../shared/model/failure';
import type { ToolResult } from '../../../../shared/model/tool';
import { fetchCallResult } from '../../../state/callActs';
import { keepResult, keptResult, placeIn } from '../../../state/unfolded';
import { AttachmentTile } from '../../../ui/AttachmentTile';
import { Button } from '../../../ui/Button';
import { useFailureTitle } from '../../../ui/FailureText';
import { formatBytes, formatNumber } from '../../../ui/format';
import { useLate } from '../../../ui/Skeleton';
import { ChangeView } from './ChangeView';
import styles from './calls.module.css';
import type { CallSource } from './source';

type ResultProps = { source: CallSource; callId: string; name: string };

export function CallResult({ source, callId, name }: ResultProps) {
  const { t } = useTranslation('talk');
  const { result, failure, retry } = useResult(source, callId);
  return (
    <section className={styles.section}>
      <h3 className={styles.heading}>{t('calls.result')}</h3>
      {result ? <Content result={result} name={name} /> : failure ? <Failed failure={failure} onRetry={retry} /> : <Loading />}
    </section>
  );
}

/** Kept while the call stays in the page; asked for again when it failed and the step has become a message. */
function useResult({ conversationId, messageId, stepId, home }: CallSource, callId: string) {
  const place = placeIn(home, callId);
  const [result, setResult] = useState(() => keptResult(place));
  const [failure, setFailure] = useState<Failure | null>(null);
  const [tries, setTries] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another try is asked for by counting
  useEffect(() => {
    if (result) return;
    let over = false;
    setFailure(null);
    void fetchCallResult({ conversationId, messageId, stepId, callId }).then((answer) => {
      if (over) return;
      if ('failure' in answer) setFailure(answer.failure);
      else {
        keepResult(place, answer.result);
        setResult(answer.result);
      }
    });
    return () => {
      over = true;
    };
  }, [result, conversationId, messageId, stepId, callId, place, tries]);
  return { result, failure, retry: () => setTries((count) => count + 1) };
}

function Loading() {
  const { t } = useTranslation('talk');
  const late = useLate();
  return (
    <p className={styles.quiet} role="status">
      {late ? t('calls.loading') : ''}
    </p>
  );
}

function Failed({ failure, onRetry }: { failure: Failure; onRetry(): void }) {
  const { t } = useTranslation('talk');
  const title = useFailureTitle();
  // No transcript has it: an imported or damaged answer. Asking again cannot help.
  if (failure.code === 'notFound') return <p className={styles.quiet}>{t('calls.resultGone')}</p>;
  return (
    <div className={styles.failure} role="alert">
      <span>{title(failure)}</span>
      <Button size="small" onClick={onRetry}>
        {t('calls.retry')}
      </Button>
    </div>
  );
}

function Content({ result: { summary, content, images, stored, isError }, name }: { result: ToolResult; name: string }) {
  const { t, i18n } = useTranslation('talk');
  // The line above says it already, shortened where it is long.
  const said = isError || !content;
  return (
    <>
      {said ? (
        <p className={styles.summary} dir="auto">
          {summary}
        </p>
      ) : null}
      {content ? <ChangeView text={content} label={t('calls.result')} isChange={name === 'edit_file' || name === 'write_file'} /> : null}
      {images && images.length > 0 ? (
        <div className={styles.images}>
          {images.map((image) => (
            <AttachmentTile key={image.hash} part={image} large />
          ))}
        </div>
      ) : null}
      {stored ? (
        <p className={styles.quiet}>
          {t('calls.stored', {
            size: formatBytes(stored.size, i18n.language),
            count: stored.lines,
            lines: formatNumber(stored.lines, i18n.language),
          })}
        </p>
      ) : null}
    </>
  );
}
