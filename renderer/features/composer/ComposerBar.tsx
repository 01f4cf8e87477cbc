// Under the text: attach, who answers, how full the context is, send or stop.
import { ArrowUp, ChevronDown, Paperclip, Square } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../state/appSlice';
import { chooseFiles } from '../../state/draftFiles';
import { chooseAgent, useNextAgent } from '../../state/nextAgent';
import { Badge } from '../../ui/Badge';
import { IconButton } from '../../ui/IconButton';
import { Menu } from '../../ui/Menu';
import styles from './Composer.module.css';
import { ContextRing } from './ContextRing';
import type { SendState } from './useSendState';

type BarProps = { state: SendState; running: boolean; readOnly: boolean; onSend(): void; onStop(): void };

export function ComposerBar({ state, running, readOnly, onSend, onStop }: BarProps) {
  const { t } = useTranslation('composer');
  return (
    <div className={styles.bar}>
      <IconButton label={t('attach')} tooltip={t('attachHint')} disabled={readOnly} onClick={() => void chooseFiles()}>
        <Paperclip aria-hidden="true" />
      </IconButton>
      <WhoAnswers />
      <span className={styles.space}>
        {/* In space that is always there: nothing moves under the text that is being written. */}
        {running && !state.empty ? (
          <span role="status" className={styles.waits} data-tooltip={t('running')}>
            {t('running')}
          </span>
        ) : null}
      </span>
      <ContextRing />
      {running ? (
        <button
          type="button"
          className={styles.stop}
          aria-label={t('stop')}
          data-tooltip={t('stop')}
          data-tooltip-keys="Escape"
          onClick={onStop}
        >
          <Square aria-hidden="true" />
        </button>
      ) : (
        <button
          type="button"
          className={styles.send}
          aria-label={t('send')}
          data-tooltip={t('send')}
          data-tooltip-keys="Enter"
          disabled={!state.canSend || state.empty}
          onClick={onSend}
        >
          <ArrowUp aria-hidden="true" />
        </button>
      )}
    </div>
  );
}

function WhoAnswers() {
  const { t } = useTranslation('composer');
  const settings = useSettings();
  const { agent, demo } = useNextAgent();
  const agents = settings?.agents ?? [];
  return (
    <>
      {agent && agents.length > 1 ? (
        <Menu
          side="top"
          items={agents.map((candidate) => ({
            id: candidate.id,
            label: candidate.name,
            checked: candidate.id === agent.id,
            onSelect: () => chooseAgent(candidate.id),
          }))}
        >
          <button type="button" className={styles.agent} aria-label={t('agent', { agent: agent.name })}>
            <span dir="auto">{agent.name}</span>
            <ChevronDown aria-hidden="true" />
          </button>
        </Menu>
      ) : null}
      {demo ? (
        <span data-tooltip={t('demoHint')}>
          <Badge tone="amber">{t('demo')}</Badge>
        </span>
      ) : null}
    </>
  );
}
