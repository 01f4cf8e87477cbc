// Who answers next, in the head of the talk: letter, name and model; opens the choice.
import { ChevronDown } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { demoSizeOf } from '../../state/demoModels';
import { useNextAgent } from '../../state/nextAgent';
import { Avatar } from '../../ui/Avatar';
import { Badge } from '../../ui/Badge';
import { AgentMenu } from './AgentMenu';
import styles from './TalkHead.module.css';

export function AgentChip() {
  const { t } = useTranslation('talk');
  const next = useNextAgent();
  const { agent, unknownId, modelName, demo } = next;
  const size = demoSizeOf(next);
  const name = agent?.name ?? (unknownId ? t('agent.unknown', { id: unknownId }) : t('agent.none'));
  const model = modelName ?? t('agent.noModel');
  return (
    <AgentMenu align="end">
      <button type="button" className={styles.chip} aria-label={t('agent.choose', { agent: name, model })}>
        <Avatar name={name} size="small" />
        <span className={styles.chipName} dir="auto">
          {name}
        </span>
        {demo ? <Badge>{t('agent.demo')}</Badge> : null}
        {demo && size === null ? null : <span className={styles.chipModel}>{size ? t(`agent.window.${size}`) : model}</span>}
        <ChevronDown aria-hidden="true" className={styles.chipArrow} />
      </button>
    </AgentMenu>
  );
}
