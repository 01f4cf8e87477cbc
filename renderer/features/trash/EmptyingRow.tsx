// What is being deleted for good, how far it is, and Stop (R4).
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { stopEmptying, useEmptying } from '../../state/trashSlice';
import { Button } from '../../ui/Button';
import styles from './Trash.module.css';

export function EmptyingRow() {
  const { t } = useTranslation('trash');
  const name = useId();
  const progress = useEmptying();
  if (progress === null) return null;
  const { what, done, total } = progress;
  const words = t(`emptying.${what}`);
  return (
    <div className={styles.progress}>
      <div className={styles.words}>
        <p id={name}>{words}</p>
        {total > 0 ? <progress aria-labelledby={name} value={done} max={total} /> : <progress aria-labelledby={name} />}
      </div>
      <Button size="small" onClick={stopEmptying}>
        {t('emptying.stop')}
      </Button>
    </div>
  );
}
