// A call on another branch waits for the user's word (A4, T12): said under the messages, with the way there.
import { Hand } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { goToWaiting } from '../../state/talkActs';
import { useWaitsElsewhere } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import styles from './Talk.module.css';

export function WaitsElsewhere() {
  const { t } = useTranslation('talk');
  const parentId = useWaitsElsewhere();
  if (!parentId) return null;
  return (
    <div className={styles.elsewhere}>
      <Hand aria-hidden="true" />
      <span>{t('elsewhere.text')}</span>
      <Button size="small" onClick={() => void goToWaiting(parentId)}>
        {t('elsewhere.button')}
      </Button>
    </div>
  );
}
