// The workspace could not be opened: which of W4's states it is in, what was kept, and every way on from here.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Failure, type FailureCode, makeFailure } from '../../../shared/model/failure';
import type { WorkspaceState } from '../../../shared/model/workspace';
import { failureOf } from '../../bridge';
import { takeWorkspace, useWorkspace } from '../../state/appSlice';
import { client } from '../../state/client';
import { loadConversations } from '../../state/conversationsSlice';
import { Button } from '../../ui/Button';
import { ErrorState } from '../../ui/ErrorState';
import { FailureText } from '../../ui/FailureText';
import { Logo } from '../../ui/Logo';
import { Backups } from './Backups';
import styles from './WorkspaceFailed.module.css';

/** Which ways on make sense, beside trying again and opening another folder. */
const waysOf: Partial<Record<FailureCode, { readOnly?: boolean; reveal?: boolean; backups?: boolean }>> = {
  workspaceLocked: { readOnly: true, reveal: true },
  workspaceReadOnly: { readOnly: true, reveal: true },
  diskFull: { readOnly: true, reveal: true },
  databaseNewer: { readOnly: false, reveal: true },
  databaseCorrupt: { readOnly: true, reveal: true, backups: true },
  databaseBusy: { readOnly: true, reveal: true },
  backupInvalid: { readOnly: true, reveal: true, backups: true },
};

type Busy = 'retry' | 'readOnly' | 'choose' | 'reveal' | 'restore' | null;

export function WorkspaceFailed() {
  const workspace = useWorkspace();
  return workspace ? <Failed key={workspace.folder} workspace={workspace} /> : null;
}

/** One way on at a time; when it fails, why. */
function useAttempt() {
  const [busy, setBusy] = useState<Busy>(null);
  const [problem, setProblem] = useState<Failure | null>(null);
  const attempt = async (what: Exclude<Busy, null>, call: () => Promise<WorkspaceState | null | undefined>) => {
    setBusy(what);
    setProblem(null);
    try {
      const next = await call();
      if (next) takeWorkspace(next);
      if (next && next.status !== 'failed') await loadConversations();
    } catch (error) {
      setProblem(failureOf(error));
    } finally {
      setBusy(null);
    }
  };
  return { busy, problem, attempt };
}

function Failed({ workspace }: { workspace: WorkspaceState }) {
  const { t } = useTranslation('workspace');
  const { busy, problem, attempt } = useAttempt();
  const failure = workspace.failure ?? makeFailure('internal', t('failed.unknown'));
  const ways = waysOf[failure.code] ?? {};
  const offersBackups = ways.backups === true && workspace.backups.length > 0;
  const { folder } = workspace;
  return (
    <main className={styles.page}>
      <div className={styles.column}>
        <header className={styles.head}>
          <Logo />
          <span className={styles.name}>{workspace.name}</span>
          <code className={styles.folder}>{folder}</code>
        </header>
        <ErrorState
          heading
          title={t(`states.${failure.code}.title`, { defaultValue: t('failed.title') })}
          kept={t(`states.${failure.code}.kept`, { defaultValue: t('failed.kept') })}
          actions={
            <>
              <Button
                look={offersBackups ? 'quiet' : 'primary'}
                busy={busy === 'retry'}
                onClick={() => void attempt('retry', () => client().workspace.retry())}
              >
                {t('retry')}
              </Button>
              {ways.readOnly ? (
                <Button
                  busy={busy === 'readOnly'}
                  onClick={() => void attempt('readOnly', () => client().workspace.open({ folder, readOnly: true }))}
                >
                  {t('openReadOnly')}
                </Button>
              ) : null}
              <Button
                busy={busy === 'choose'}
                onClick={() => void attempt('choose', () => client().workspace.choose({ newWindow: false }))}
              >
                {t('openOther')}
              </Button>
              {ways.reveal ? (
                <Button look="plain" onClick={() => void attempt('reveal', async () => void (await client().workspace.reveal()))}>
                  {t('reveal')}
                </Button>
              ) : null}
            </>
          }
        >
          <FailureText failure={failure} hideTitle />
        </ErrorState>
        {problem ? (
          <div role="alert" className={styles.problem}>
            <FailureText failure={problem} />
          </div>
        ) : null}
        {ways.backups ? (
          <Backups
            backups={workspace.backups}
            busy={busy === 'restore'}
            onRestore={(name) => void attempt('restore', () => client().workspace.restoreBackup({ name }))}
          />
        ) : null}
      </div>
    </main>
  );
}
