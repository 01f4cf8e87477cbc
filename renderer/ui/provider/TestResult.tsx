// What the server answered to a test: its models, or its real error.
import { CircleCheck } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import type { Failure } from '../../../shared/model/failure';
import { FailureText } from '../FailureText';
import styles from './TestResult.module.css';

type TestResultProps = {
  result: { ok: boolean; models: readonly unknown[]; failure?: Failure | undefined } | null;
  failure: Failure | null;
};

export function TestResult({ result, failure }: TestResultProps) {
  const { t } = useTranslation('ui');
  const problem = failure ?? (result && !result.ok ? result.failure : undefined);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (problem) place.current?.scrollIntoView({ block: 'nearest' });
  }, [problem]);
  if (problem) {
    return (
      <div ref={place} role="alert" className={styles.failed}>
        <FailureText failure={problem} />
      </div>
    );
  }
  return (
    <div role="status" className={result ? styles.works : styles.none}>
      {result ? (
        <>
          <CircleCheck aria-hidden="true" />
          {result.models.length > 0 ? t('test.works', { count: result.models.length }) : t('test.worksNoModels')}
        </>
      ) : null}
    </div>
  );
}
