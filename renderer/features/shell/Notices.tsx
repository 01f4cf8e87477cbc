// Passing notices over the top of the talk: they never cover the composer, and never move what is being read.
import { CircleAlert, Info, TriangleAlert, X } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { dismissNotice, openSettings, type ShownNotice, useNotices } from '../../state/appSlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { FailureText, remedyOf } from '../../ui/FailureText';
import { IconButton } from '../../ui/IconButton';
import styles from './Notices.module.css';

const infoStays = 8000;
const icons = { info: Info, warning: TriangleAlert, error: CircleAlert };

export function Notices() {
  const notices = useNotices();
  const calm = notices.filter((notice) => notice.tone !== 'error');
  const errors = notices.filter((notice) => notice.tone === 'error');
  return (
    <div className={styles.place}>
      <div className={styles.stack}>
        <div role="status" className={styles.group}>
          {calm.map((notice) => (
            <NoticeCard key={notice.key} notice={notice} />
          ))}
        </div>
        <div role="alert" className={styles.group}>
          {errors.map((notice) => (
            <NoticeCard key={notice.key} notice={notice} />
          ))}
        </div>
      </div>
    </div>
  );
}

function NoticeCard({ notice }: { notice: ShownNotice }) {
  const { t } = useTranslation('notice');
  const [held, setHeld] = useState(false);
  const { key, tone, failure, act } = notice;
  const undo = act ? () => act.run() : notice.undo;
  useEffect(() => {
    if (tone !== 'info' || held) return;
    const timer = setTimeout(() => dismissNotice(key), infoStays);
    return () => clearTimeout(timer);
  }, [key, tone, held]);
  const Icon = icons[tone];
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: pointing at it or focusing in it only holds it; nothing is done by it
    <div
      className={cx(styles.notice, styles[tone])}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className={styles.icon} aria-hidden="true" />
      <div className={styles.words}>
        {failure ? (
          <FailureText failure={failure}>
            {remedyOf(failure) === 'provider' || remedyOf(failure) === 'model' ? (
              <Button
                size="small"
                onClick={() => {
                  dismissNotice(key);
                  openSettings('providers');
                }}
              >
                {t('openProviders')}
              </Button>
            ) : null}
          </FailureText>
        ) : (
          <p>
            {act
              ? t(act.gone ? 'deletedWithCheckpoints' : 'deleted', notice.values ?? {})
              : t([notice.code, 'unknown'], { ...notice.values, code: notice.code })}
          </p>
        )}
        {undo ? (
          <Button
            size="small"
            onClick={() => {
              dismissNotice(key);
              undo();
            }}
          >
            {t('undo')}
          </Button>
        ) : null}
      </div>
      <IconButton label={t('dismiss')} size="small" onClick={() => dismissNotice(key)}>
        <X aria-hidden="true" />
      </IconButton>
    </div>
  );
}
