// The first run (U8): one calm view with every way to a first answer, from a server on this machine to the demo without a key.
import { FlaskConical, KeyRound, MonitorCheck } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LocalServer } from '../../../shared/contract';
import type { Failure } from '../../../shared/model/failure';
import { providerId } from '../../../shared/model/ids';
import { failureOf } from '../../bridge';
import { focusComposerEvent, tellWindow } from '../../focusEvents';
import { closePanel, loadModels, setSettings, useSettings } from '../../state/appSlice';
import { client } from '../../state/client';
import { idFor } from '../../state/providerDraft';
import { demoModel } from '../../state/providerPresets';
import { useLocalServers } from '../../state/useLocalServers';
import { Button } from '../../ui/Button';
import { FailureText } from '../../ui/FailureText';
import { Logo } from '../../ui/Logo';
import { LocalServers } from '../../ui/provider/LocalServers';
import styles from './Onboarding.module.css';
import { WithKey } from './WithKey';

export function Onboarding() {
  const { t } = useTranslation('onboarding');
  const taken = useSettings()?.providers.map((provider) => provider.id) ?? [];
  const local = useLocalServers();
  const [busy, setBusy] = useState<string | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const finish = async (what: string, call: () => Promise<string | null>) => {
    setBusy(what);
    setFailure(null);
    try {
      const model = await call();
      setSettings(await client().settings.finishOnboarding({ model }));
      closePanel();
      void loadModels();
      requestAnimationFrame(() => tellWindow(focusComposerEvent));
    } catch (error) {
      setFailure(failureOf(error));
      setBusy(null);
    }
  };
  const takeLocal = (server: LocalServer, model: string | null) =>
    finish(server.baseUrl, async () => {
      const id = providerId.parse(idFor(server.name, taken, 'local'));
      const { name, kind, baseUrl } = server;
      await client().settings.saveProvider({ provider: { id, name, kind, baseUrl, models: [] }, key: { action: 'keep' } });
      return model ? `${id}/${model}` : null;
    });
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <Logo large />
          <div>
            <h1>{t('title')}</h1>
            <p>{t('what')}</p>
          </div>
        </header>
        {failure ? (
          <div role="alert" className={styles.failed}>
            <FailureText failure={failure} />
          </div>
        ) : null}
        <Way icon={<MonitorCheck aria-hidden="true" />} title={t('local.title')} text={t('local.text')}>
          <LocalServers
            servers={local.servers}
            failure={local.failure}
            onLook={local.look}
            useLabel={t('local.use')}
            onUse={(server, model) => void takeLocal(server, model)}
            busy={busy}
            chooseModel
          />
        </Way>
        <Way icon={<KeyRound aria-hidden="true" />} title={t('key.title')} text={t('key.text')}>
          <WithKey finishing={busy === 'key'} onFinish={(model) => void finish('key', async () => model)} />
        </Way>
        <Way
          icon={<FlaskConical aria-hidden="true" />}
          title={t('demo.title')}
          text={t('demo.text')}
          act={
            <Button busy={busy === 'demo'} onClick={() => void finish('demo', async () => demoModel)}>
              {t('demo.try')}
            </Button>
          }
        />
        <p className={styles.later}>{t('later')}</p>
      </div>
    </main>
  );
}

function Way({
  icon,
  title,
  text,
  act,
  children,
}: {
  icon: ReactNode;
  title: string;
  text: string;
  act?: ReactNode;
  children?: ReactNode;
}) {
  return (
    <section className={styles.way} aria-label={title}>
      <div className={styles.wayHead}>
        <span className={styles.icon}>{icon}</span>
        <div className={styles.words}>
          <h2>{title}</h2>
          <p>{text}</p>
        </div>
        {act}
      </div>
      {children ? <div className={styles.wayBody}>{children}</div> : null}
    </section>
  );
}
