// One thing a call does, in full: the path with links followed, the command line, the host; and what is unusual about it, in words.
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { assertNever } from '../../../../shared/model/assertNever';
import type { ToolNeed } from '../../../../shared/model/tool';
import styles from './ApprovalCard.module.css';

export function ApprovalNeed({ need }: { need: ToolNeed }) {
  const { t } = useTranslation('talk');
  switch (need.kind) {
    case 'command':
      return (
        <Thing text={need.line} label={t('approval.commandLine')}>
          <p>{t('approval.folder', { folder: need.folder })}</p>
        </Thing>
      );
    case 'read':
    case 'edit':
      return (
        <Thing text={need.path} label={t('approval.path')}>
          {need.outside ? <p className={styles.unusual}>{t('approval.outside')}</p> : null}
          {need.kind === 'edit' && need.guarded ? <p className={styles.unusual}>{t('approval.guarded')}</p> : null}
        </Thing>
      );
    case 'host':
      return (
        <Thing text={need.host} label={t('approval.host')}>
          {need.isPrivate ? (
            <p className={styles.unusual}>
              {need.addresses.length > 0 ? t('approval.privateAt', { addresses: need.addresses }) : t('approval.private')}
            </p>
          ) : null}
        </Thing>
      );
    default:
      return assertNever(need);
  }
}

function Thing({ text, label, children }: { text: string; label: string; children: ReactNode }) {
  return (
    <div className={styles.need}>
      {/* biome-ignore lint/a11y/useSemanticElements: a section would be a landmark */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling box must be reachable by keyboard */}
      <pre className={styles.thing} role="group" aria-label={label} tabIndex={0} dir="ltr">
        {text}
      </pre>
      {children}
    </div>
  );
}

/** What "Allow for this conversation" covers, and no more. `alone`: its path is the only one, and stands above. */
export function CoveredThing({ need, alone }: { need: ToolNeed; alone: boolean }) {
  const { t } = useTranslation('talk');
  switch (need.kind) {
    case 'command':
      return <span>{t('approval.coversCommand', { folder: need.folder })}</span>;
    case 'read':
      return <span>{alone ? t('approval.coversThisRead') : t('approval.coversRead', { path: need.path })}</span>;
    case 'edit':
      return <span>{alone ? t('approval.coversThisEdit') : t('approval.coversEdit', { path: need.path })}</span>;
    case 'host':
      return <span>{t('approval.coversHost', { host: need.host })}</span>;
    default:
      return assertNever(need);
  }
}
