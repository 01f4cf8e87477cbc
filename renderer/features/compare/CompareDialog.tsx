// Two branches side by side from where they part (T13): what differs is marked, and either can be gone on from.
import { Columns2, CornerDownRight } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Comparison, SideName } from '../../../shared/model/comparison';
import { focusComposerEvent, tellWindow } from '../../focusEvents';
import { useWorkspace } from '../../state/appSlice';
import { closeCompare, goOnFrom, retryCompare, useCompareFailure, useCompareQuestion, useComparison } from '../../state/compareSlice';
import { endDifferences } from '../../text/differences';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { EmptyState } from '../../ui/EmptyState';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';
import { Skeleton } from '../../ui/Skeleton';
import styles from './Compare.module.css';
import { CompareBar } from './CompareBar';
import { CompareHead, SharedLine } from './CompareHead';
import { CompareRows } from './CompareRows';
import type { AnswerView } from './findStep';
import { SideBadge } from './SideBadge';
import { useSteps } from './useSteps';
import { sides } from './words';

export function CompareDialog() {
  const { t } = useTranslation('compare');
  const comparison = useComparison();
  useEffect(() => endDifferences, []);
  const question = useCompareQuestion();
  const same = question !== null && question.left === question.right;
  return (
    <Dialog
      title={t('title')}
      closeLabel={t('close')}
      size={same ? 'small' : 'huge'}
      bare={!same}
      onClose={closeCompare}
      focusFirst="[data-compare]"
    >
      {same ? (
        <EmptyState icon={<Columns2 aria-hidden="true" />} title={t('sameBranch.title')}>
          {t('sameBranch.text')}
        </EmptyState>
      ) : (
        <Compared comparison={comparison} />
      )}
    </Dialog>
  );
}

function Compared({ comparison }: { comparison: Comparison | null }) {
  const { t } = useTranslation('compare');
  const [view, setView] = useState<AnswerView>('marked');
  const steps = useSteps(view);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the keys have buttons that do the same
    <div className={styles.frame} onKeyDown={steps.onKeyDown}>
      {comparison ? (
        <>
          <SharedLine comparison={comparison} />
          <CompareBar view={view} onView={setView} steps={steps} />
          <CompareHead comparison={comparison} />
        </>
      ) : null}
      <Trouble hasRows={comparison !== null} />
      <CompareRows view={view} at={steps.at} />
      {comparison ? <GoOn /> : <Reading label={t('loading')} />}
    </div>
  );
}

function Reading({ label }: { label: string }) {
  const failed = useCompareFailure() !== null;
  if (failed) return null;
  return (
    <div className={styles.reading}>
      <Skeleton label={label} />
    </div>
  );
}

function Trouble({ hasRows }: { hasRows: boolean }) {
  const { t } = useTranslation('compare');
  const failure = useCompareFailure();
  if (!failure) return null;
  return (
    <div className={styles.trouble}>
      <ErrorState
        title={t(hasRows ? 'pageFailed' : 'failed')}
        actions={
          <Button size="small" onClick={retryCompare}>
            {t('retry')}
          </Button>
        }
      >
        <FailureText failure={failure} />
      </ErrorState>
    </div>
  );
}

function GoOn() {
  const { t } = useTranslation('compare');
  if (useWorkspace()?.status === 'readOnly') return null;
  const goOn = (side: SideName) => void goOnFrom(side).then(() => requestAnimationFrame(() => tellWindow(focusComposerEvent)));
  return (
    <div className={styles.foot}>
      {sides.map((side) => (
        <div key={side} className={styles.footSide}>
          <SideBadge side={side} />
          <Button
            icon={<CornerDownRight aria-hidden="true" />}
            aria-label={t('goOnLabel', { side: t(`side.${side}`) })}
            onClick={() => goOn(side)}
          >
            {t('goOn')}
          </Button>
        </div>
      ))}
    </div>
  );
}
