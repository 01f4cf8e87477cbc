// Asks what a fork takes along (T9), each of the three choices with a picture and its number of messages; shows how far it is (R4).
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { type ForkScope, forkScopes } from '../../../shared/model/fork';
import {
  cancelFork,
  chooseForkScope,
  confirmFork,
  useForkCounts,
  useForkFailure,
  useForkProgress,
  useForkRunning,
  useForkScope,
  useForkShown,
} from '../../state/forkSlice';
import { Button } from '../../ui/Button';
import { Dialog } from '../../ui/Dialog';
import { FailureText } from '../../ui/FailureText';
import { formatNumber } from '../../ui/format';
import styles from './Fork.module.css';
import { ScopePicture } from './ScopePicture';

export function ForkDialog() {
  const { t } = useTranslation('fork');
  const shown = useForkShown();
  const running = useForkRunning();
  const failure = useForkFailure();
  if (!shown) return null;
  return (
    <Dialog
      title={t('title')}
      description={t('text')}
      onClose={cancelFork}
      focusFirst="input:checked"
      footer={
        <>
          <Button onClick={cancelFork}>{t(running ? 'stop' : 'cancel')}</Button>
          <Button look="primary" busy={running} onClick={() => void confirmFork()}>
            {t('fork')}
          </Button>
        </>
      }
    >
      <div className={styles.body}>
        <Scopes disabled={running} />
        <Progress />
        {failure ? <FailureText failure={failure} /> : null}
      </div>
    </Dialog>
  );
}

function Scopes({ disabled }: { disabled: boolean }) {
  const { t } = useTranslation('fork');
  return (
    <fieldset className={styles.scopes} disabled={disabled} aria-label={t('scopes')}>
      {forkScopes.map((scope) => (
        <Scope key={scope} scope={scope} />
      ))}
    </fieldset>
  );
}

function Scope({ scope }: { scope: ForkScope }) {
  const { t } = useTranslation('fork');
  const id = useId();
  const chosen = useForkScope();
  const count = useForkCounts()?.[scope];
  return (
    <div className={styles.scope}>
      <ScopePicture scope={scope} />
      <label className={styles.name} htmlFor={id}>
        {t(`scope.${scope}.name`)}
      </label>
      <span id={`${id}-hint`} className={styles.hint}>
        {t(`scope.${scope}.hint`)}
      </span>
      <span id={`${id}-count`} className={styles.count} aria-live="polite">
        {count === undefined ? t('counting') : t('messages', { count })}
      </span>
      <input
        id={id}
        type="radio"
        name="fork-scope"
        className={styles.radio}
        value={scope}
        checked={chosen === scope}
        aria-describedby={`${id}-hint ${id}-count`}
        onChange={() => chooseForkScope(scope)}
      />
    </div>
  );
}

function Progress() {
  const { t, i18n } = useTranslation('fork');
  const progress = useForkProgress();
  if (!progress) return null;
  const number = (value: number) => formatNumber(value, i18n.language);
  return (
    <div className={styles.progress}>
      <progress aria-label={t('progressLabel')} value={progress.done} max={progress.total} />
      <span>{t('progress', { done: number(progress.done), total: number(progress.total) })}</span>
    </div>
  );
}
