// One line over the composer: why nothing can be sent now, why the last sending failed and what to do about it, what a command did.
import { X } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { openSettings } from '../../state/appSlice';
import { dismissSendFailure, useSendFailure } from '../../state/composerSlice';
import { Button } from '../../ui/Button';
import { FailureText, remedyOf } from '../../ui/FailureText';
import { IconButton } from '../../ui/IconButton';
import { CommandOutcome } from './CommandOutcome';
import styles from './Composer.module.css';
import type { SendState } from './useSendState';

export function Hints({ state }: { state: SendState }) {
  const { t } = useTranslation('composer');
  const failure = useSendFailure();
  return (
    <>
      {failure ? (
        <div className={styles.failure} role="alert">
          <FailureText failure={failure}>
            <span className={styles.kept}>{t('sendFailedKept')}</span>
            {remedyOf(failure) === 'provider' || remedyOf(failure) === 'model' ? <ChooseModel /> : null}
          </FailureText>
          <IconButton label={t('dismiss')} size="small" onClick={dismissSendFailure}>
            <X aria-hidden="true" />
          </IconButton>
        </div>
      ) : null}
      <CommandOutcome />
      <Reason state={state} />
    </>
  );
}

function Reason({ state }: { state: SendState }) {
  const { t } = useTranslation('composer');
  switch (state.reason) {
    case 'readOnly':
      return <Line>{t('readOnly')}</Line>;
    case 'unknownAgent':
      return <Line>{t('unknownAgent')}</Line>;
    case 'noModel':
      return (
        <Line>
          {t('noModel')} <ChooseModel />
        </Line>
      );
    default:
      return null;
  }
}

function Line({ children }: { children: ReactNode }) {
  return (
    <p className={styles.hint} role="status">
      {children}
    </p>
  );
}

function ChooseModel() {
  const { t } = useTranslation('composer');
  return (
    <Button size="small" onClick={() => openSettings('providers')}>
      {t('chooseModel')}
    </Button>
  );
}
