// What each rung would save and cost now, or why it would do nothing (K2).
import { useTranslation } from 'react-i18next';
import type { Rung, RungPreview } from '../../../shared/model/memoryView';
import { Button } from '../../ui/Button';
import { formatNumber } from '../../ui/format';
import { useWhy } from '../../ui/memoryWords';
import { VisuallyHidden } from '../../ui/VisuallyHidden';
import styles from './Compaction.module.css';

export function RungTable({ rungs, onRun }: { rungs: readonly RungPreview[]; onRun?: ((rung: Rung) => void) | undefined }) {
  const { t } = useTranslation('compaction');
  return (
    <table className={styles.table}>
      <thead>
        <tr>
          <th scope="col">{t('column.rung')}</th>
          <th scope="col">{t('column.saves')}</th>
          <th scope="col">{t('column.cost')}</th>
          {onRun ? (
            <th scope="col">
              <VisuallyHidden>{t('column.run')}</VisuallyHidden>
            </th>
          ) : null}
        </tr>
      </thead>
      <tbody>
        {rungs.map((row) => (
          <Row key={row.rung} row={row} onRun={onRun} />
        ))}
      </tbody>
    </table>
  );
}

function Row({ row: { rung, why, saves, tokensAfter, cost }, onRun }: { row: RungPreview; onRun?: ((rung: Rung) => void) | undefined }) {
  const { t, i18n } = useTranslation('compaction');
  const whyNot = useWhy();
  const number = (value: number) => formatNumber(value, i18n.language);
  const name = t(`rungs.${rung}`);
  return (
    <tr>
      <th scope="row">
        {name}
        <span className={styles.hint}>{t(`rungHints.${rung}`)}</span>
      </th>
      {why === null ? (
        <td>{t('change', { before: number(tokensAfter + saves), after: number(tokensAfter), saved: number(saves) })}</td>
      ) : (
        <td className={styles.faint}>{whyNot(why)}</td>
      )}
      <td className={why === null ? undefined : styles.faint}>{why === null ? <Cost cost={cost} /> : '–'}</td>
      {onRun ? (
        <td className={styles.act}>
          {why === null ? (
            <Button size="small" look="plain" aria-label={t('onlyOf', { rung: name })} onClick={() => onRun(rung)}>
              {t('only')}
            </Button>
          ) : null}
        </td>
      ) : null}
    </tr>
  );
}

function Cost({ cost }: { cost: number | null }) {
  const { t, i18n } = useTranslation('compaction');
  if (cost === null) return t('costUnknown');
  if (cost === 0) return t('free');
  const format = new Intl.NumberFormat(i18n.language, { style: 'currency', currency: 'USD', maximumSignificantDigits: 2 });
  return t('cost', { cost: format.format(cost) });
}
