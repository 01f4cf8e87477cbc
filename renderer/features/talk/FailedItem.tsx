// A turn that ended without an answer (X8): what went wrong, in the provider's words too, and what helps.
import { CircleAlert, RotateCw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { FailedTurn } from '../../../shared/model/live';
import { openSettings, type SettingsSection, useWorkspace } from '../../state/appSlice';
import { retryTurn } from '../../state/talkActs';
import { useJoin } from '../../state/talkSlice';
import { Button } from '../../ui/Button';
import { cx } from '../../ui/cx';
import { FailureText, type Remedy, remedyOf } from '../../ui/FailureText';
import { AgentMenu } from './AgentMenu';
import { AnswerHead } from './AnswerHead';
import type { ItemProps } from './itemProps';
import styles from './Message.module.css';
import { OverflowActs, OverflowParts } from './OverflowHelp';
import phase from './Phase.module.css';
import { useAgentName } from './useAgentName';
import { VersionSwitcher } from './VersionSwitcher';

const sections: Partial<Record<Remedy, SettingsSection>> = { provider: 'providers', workspace: 'workspace', settingsFile: 'general' };

type FailedProps = ItemProps & { turn: FailedTurn; version: number; versions: number };

export function FailedItem({ depth, count, turn, version, versions }: FailedProps) {
  const { t } = useTranslation('talk');
  const name = useAgentName(turn.agentId);
  const writable = useWorkspace()?.status !== 'readOnly';
  const continues = useJoin(depth) !== 'none';
  const stopped = turn.failure.code === 'stopped';
  const remedy = remedyOf(turn.failure);
  const section = sections[remedy];
  return (
    <article
      className={cx(styles.message, styles.answer, continues && styles.continues)}
      aria-label={name}
      aria-posinset={depth + 1}
      aria-setsize={count}
      tabIndex={-1}
    >
      {continues ? (
        <h2 className={styles.hidden}>{t('continued')}</h2>
      ) : (
        <AnswerHead agentId={turn.agentId} model={turn.model} at={turn.createdAt} />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset groups inputs, this groups what is said about a failure */}
      <div role="group" aria-label={t('failed.label')} className={cx(phase.failed, stopped && phase.calm)}>
        <CircleAlert aria-hidden="true" className={phase.failedIcon} />
        <FailureText failure={turn.failure} facts={<OverflowParts turn={turn} />}>
          {writable ? <Acts turn={turn} remedy={remedy} /> : null}
          {section ? (
            <Button look="primary" size="small" onClick={() => openSettings(section)}>
              {t('failed.settings')}
            </Button>
          ) : null}
        </FailureText>
      </div>
      <footer className={styles.foot}>
        <VersionSwitcher parentId={turn.parentId} from={null} depth={depth} version={version} versions={versions} />
      </footer>
    </article>
  );
}

/** What tries it again, or makes it fit. */
function Acts({ turn, remedy }: { turn: FailedTurn; remedy: Remedy }) {
  const { t } = useTranslation('talk');
  const [retrying, setRetrying] = useState(false);
  const retry = async () => {
    setRetrying(true);
    await retryTurn(turn.id);
    setRetrying(false);
  };
  return (
    <>
      <Button
        look={remedy === 'retry' || remedy === 'none' ? 'primary' : 'quiet'}
        size="small"
        busy={retrying}
        icon={<RotateCw aria-hidden="true" />}
        onClick={() => void retry()}
      >
        {t('failed.retry')}
      </Button>
      <AgentMenu>
        <Button look={remedy === 'model' ? 'primary' : 'quiet'} size="small">
          {t('failed.changeModel')}
        </Button>
      </AgentMenu>
      <OverflowActs turn={turn} />
    </>
  );
}
