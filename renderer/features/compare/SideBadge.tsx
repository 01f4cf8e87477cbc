// The letter of a side; decoration beside words that name it.
import { useTranslation } from 'react-i18next';
import type { SideName } from '../../../shared/model/comparison';
import { cx } from '../../ui/cx';
import styles from './SideBadge.module.css';

export function SideBadge({ side }: { side: SideName }) {
  const { t } = useTranslation('compare');
  return (
    <span className={cx(styles.badge, styles[side])} aria-hidden="true">
      {t(`side.${side}`)}
    </span>
  );
}
