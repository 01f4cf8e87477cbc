// Under the text: attach, who answers, how full the context is, send or stop.
import { ChevronDown, Paperclip } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useSettings } from '../../state/appSlice';
import { chooseFiles } from '../../state/draftFiles';
import { chooseAgent, useNextAgent } from '../../state/nextAgent';
import { Badge } from '../../ui/Badge';
import { IconButton } from '../../ui/IconButton';
import { writeKeys } from '../../ui/keys';
import { Menu } from '../../ui/Menu';
import styles from './Composer.module.css';
import { ContextRing } from './ContextRing';
import { SendButtons, type SendProps, useSendKeys } from './SendButtons';
import { useMentioned } from './useMentioned';

export function ComposerBar({ readOnly, ...send }: SendProps & { readOnly: boolean }) {
  const { t } = useTranslation('composer');
  return (
    <div className={styles.bar}>
      <IconButton label={t('attach')} tooltip={t('attachHint')} disabled={readOnly} onClick={() => void chooseFiles()}>
        <Paperclip aria-hidden="true" />
      </IconButton>
      <WhoAnswers />
      {/* In space that is always there: nothing moves under the text that is being written. */}
      <span className={styles.space}>
        <WhatWillHappen waits={send.running && !send.state.empty} />
      </span>
      <ContextRing />
      <SendButtons {...send} />
    </div>
  );
}

/** Who will answer where the text addresses agents; else how a message can wait. */
function WhatWillHappen({ waits }: { waits: boolean }) {
  const { t } = useTranslation('composer');
  const names = useMentioned();
  const keys = useSendKeys();
  const queue = t('waits', { queue: writeKeys(keys.send), steer: writeKeys(keys.steer) });
  const answer = names.length > 0 ? t('answeredBy', { names: names.join(t('then')) }) : null;
  const text = answer ?? (waits ? queue : null);
  if (text === null) return null;
  return (
    <span role="status" className={styles.waits} data-tooltip={text} dir="auto">
      {text}
    </span>
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
