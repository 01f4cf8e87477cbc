// A displayed formula; a formula that cannot be drawn is shown as its source with the reason.
import { useTranslation } from 'react-i18next';
import { drawFormula, useFormulas } from './formulas';
import { SafeHtml } from './SafeHtml';
import { ScrollBox } from './ScrollBox';

export function MathBlock({ tex }: { tex: string }) {
  const { t } = useTranslation('text');
  const ready = useFormulas();
  const formula = ready ? drawFormula({ tex, display: true }) : null;
  if (formula && 'html' in formula) {
    return (
      <ScrollBox className="md-formula" label={t('math.label')}>
        <SafeHtml html={formula.html} />
      </ScrollBox>
    );
  }
  return (
    <div className="md-formula md-formula-source" data-failed={formula ? true : undefined}>
      <code dir="ltr">{tex}</code>
      {formula && <p className="md-note">{t('math.failed', { reason: formula.error })}</p>}
    </div>
  );
}
