// Lasting facts over the talk: the workspace is read-only, or the settings file could not be used as it is.
import { FileWarning, Lock } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { setWorkspace, showFailure, useSettings, useWorkspace } from '../../state/appSlice';
import { client } from '../../state/client';
import { Button } from '../../ui/Button';
import styles from './Banners.module.css';

export function Banners() {
  return (
    <>
      <ReadOnlyBanner />
      <SettingsBanner />
    </>
  );
}

function Banner({ icon, children, actions }: { icon: ReactNode; children: ReactNode; actions: ReactNode }) {
  return (
    <div role="status" className={styles.banner}>
      {icon}
      <div className={styles.words}>{children}</div>
      <div className={styles.actions}>{actions}</div>
    </div>
  );
}

function ReadOnlyBanner() {
  const { t } = useTranslation('workspace');
  const workspace = useWorkspace();
  if (workspace?.status !== 'readOnly') return null;
  const retry = () => client().workspace.retry().then(setWorkspace).catch(showFailure);
  return (
    <Banner
      icon={<Lock aria-hidden="true" />}
      actions={
        <Button size="small" onClick={() => void retry()}>
          {t('readOnly.retry')}
        </Button>
      }
    >
      <strong>{t('readOnly.title')}</strong> {t('readOnly.text')}
    </Banner>
  );
}

function SettingsBanner() {
  const { t } = useTranslation('app');
  const settings = useSettings();
  if (!settings || settings.problems.length === 0) return null;
  const userFile = settings.problems.some((problem) => problem.file === 'user');
  const whole = settings.problems.some((problem) => problem.file === 'user' && problem.path === '');
  return (
    <Banner
      icon={<FileWarning aria-hidden="true" />}
      actions={
        userFile ? (
          <Button size="small" onClick={() => void client().settings.revealFile().catch(showFailure)}>
            {t('settingsFile.reveal')}
          </Button>
        ) : null
      }
    >
      <strong>{t(whole ? 'settingsFile.broken' : 'settingsFile.partly')}</strong> {settings.writable ? null : t('settingsFile.kept')}
      <ul className={styles.problems}>
        {settings.problems.map((problem) => (
          <li key={`${problem.file} ${problem.path} ${problem.message}`}>
            <code>{[t(`settingsFile.${problem.file}`), problem.path].filter(Boolean).join(' · ')}</code> {problem.message}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
