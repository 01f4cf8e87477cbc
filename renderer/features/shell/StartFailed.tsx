// The window could not get what it needs from main at all: says so instead of staying empty.
import { useTranslation } from 'react-i18next';
import { failureOf } from '../../bridge';
import { Button } from '../../ui/Button';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';
import styles from './StartFailed.module.css';

export function StartFailed({ error }: { error: unknown }) {
  const { t } = useTranslation('app');
  return (
    <main className={styles.page}>
      <ErrorState
        heading
        title={t('start.failed')}
        kept={t('start.kept')}
        actions={
          <Button look="primary" onClick={() => window.location.reload()}>
            {t('start.reload')}
          </Button>
        }
      >
        <FailureText failure={failureOf(error)} />
      </ErrorState>
    </main>
  );
}
