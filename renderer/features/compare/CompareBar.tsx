// Over the rows: what the marks mean, how answers are shown, and the way from difference to difference.
import { ArrowDown, ArrowUp } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/IconButton';
import { Segmented } from '../../ui/Segmented';
import styles from './Compare.module.css';
import cell from './CompareCell.module.css';
import type { AnswerView } from './findStep';
import type { Steps } from './useSteps';

export function CompareBar({ view, onView, steps }: { view: AnswerView; onView(view: AnswerView): void; steps: Steps }) {
  const { t } = useTranslation('compare');
  return (
    <div className={styles.bar}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups words */}
      <p className={styles.legend} role="group" aria-label={t('legend')}>
        <del className={cell.mark}>{t('onlyIn', { side: t('side.left') })}</del>
        <ins className={cell.mark}>{t('onlyIn', { side: t('side.right') })}</ins>
      </p>
      <Segmented
        label={t('answers')}
        inline
        value={view}
        options={[
          { value: 'marked', label: t('marked') },
          { value: 'asShown', label: t('asShown') },
        ]}
        onChange={onView}
      />
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups two buttons and what they came to */}
      <div className={styles.steps} role="group" aria-label={t('steps')}>
        <span role="status" className={styles.status}>
          <Where steps={steps} />
        </span>
        <IconButton label={t('previous')} keys="P" size="small" onClick={() => steps.go(-1)}>
          <ArrowUp aria-hidden="true" />
        </IconButton>
        <IconButton label={t('next')} keys="N" size="small" onClick={() => steps.go(1)}>
          <ArrowDown aria-hidden="true" />
        </IconButton>
      </div>
    </div>
  );
}

function Where({ steps: { at, turn, stopped } }: { steps: Steps }) {
  const { t } = useTranslation('compare');
  if (stopped !== null) return t(at === null ? 'none' : stopped === 1 ? 'noneAfter' : 'noneBefore');
  if (at === null) return null;
  return at.count > 1 ? t('atOf', { turn, change: at.change + 1, of: at.count }) : t('at', { turn });
}
