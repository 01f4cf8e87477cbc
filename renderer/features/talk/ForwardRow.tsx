// Under a tip that has children: what goes on from here, and the way there (T6).
import { CornerDownRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { goForward } from '../../state/talkActs';
import { useBranchesBelow } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import styles from './ForwardRow.module.css';

export function ForwardRow({ depth }: { depth: number }) {
  const { t } = useTranslation('talk');
  const branches = useBranchesBelow(depth);
  if (branches === 0) return null;
  return (
    <div className={styles.forward}>
      <span>{t('forward.count', { count: branches })}</span>
      <Button size="small" icon={<CornerDownRight aria-hidden="true" />} onClick={() => void goForward()}>
        {t('forward.button')}
      </Button>
    </div>
  );
}
