// Another answer by another agent (A1): a menu of those who did not write this one, built once it is asked for.
import { ChevronDown } from 'lucide-react';
import { useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageView } from '../../../shared/model/talkView';
import { useSettings } from '../../state/appSlice';
import { regenerate } from '../../state/talkActs';
import { IconButton } from '../../ui/IconButton';
import { MenuAt } from '../../ui/Menu';
import styles from './Message.module.css';

export function RegenerateWith({ message }: { message: MessageView }) {
  const { t } = useTranslation('talk');
  const agents = useSettings()?.agents ?? [];
  const button = useRef<HTMLButtonElement>(null);
  const [at, setAt] = useState<{ x: number; y: number } | null>(null);
  const others = agents.filter((agent) => agent.id !== message.agentId);
  if (agents.length < 2 || others.length === 0) return null;
  const open = () => {
    const box = button.current?.getBoundingClientRect();
    if (box) setAt({ x: box.left, y: box.bottom });
  };
  return (
    <>
      <IconButton
        ref={button}
        label={t('actions.otherAgent')}
        tooltip={t('actions.regenerateWith')}
        size="small"
        className={styles.with}
        aria-haspopup="menu"
        aria-expanded={at !== null}
        onClick={open}
      >
        <ChevronDown aria-hidden="true" />
      </IconButton>
      {at ? (
        <MenuAt
          at={at}
          label={t('actions.regenerateWith')}
          items={others.map((agent) => ({
            id: agent.id,
            label: agent.name,
            hint: agent.model ? agent.model.slice(agent.model.indexOf('/') + 1) : t('agent.noModel'),
            disabled: !agent.model,
            onSelect: () => void regenerate(message.id, agent.id),
          }))}
          onClose={() => setAt(null)}
          returnFocus={() => button.current?.focus()}
        />
      ) : null}
    </>
  );
}
