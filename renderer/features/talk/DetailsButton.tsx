// Facts about an answer in a small popover: model, times, tokens. The popover is only built once it is asked for.
import { Info } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { MessageView } from '../../../shared/model/talkView';
import { formatNumber } from '../../ui/format';
import { IconButton } from '../../ui/IconButton';
import { Popover } from '../../ui/Popover';
import { mediumDate } from './AnswerHead';
import styles from './DetailsButton.module.css';
import { formatDuration } from './formatDuration';
import { useModelNames } from './useAgentName';

export function DetailsButton({ message }: { message: MessageView }) {
  const { t } = useTranslation('talk');
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  const button = (
    <IconButton
      label={t('actions.details')}
      size="small"
      aria-haspopup="dialog"
      aria-expanded={open}
      onClick={
        used
          ? undefined
          : () => {
              setUsed(true);
              setOpen(true);
            }
      }
    >
      <Info aria-hidden="true" />
    </IconButton>
  );
  if (!used) return button;
  return (
    <Popover label={t('details.label')} trigger={button} open={open} onOpenChange={setOpen}>
      <Details message={message} />
    </Popover>
  );
}

function Details({ message }: { message: MessageView }) {
  const { t, i18n } = useTranslation('talk');
  const names = useModelNames(message.model);
  const { usage, durationMs } = message;
  const tokens = (count: number) => t('details.tokens', { count, shown: formatNumber(count, i18n.language) });
  const facts: [string, string][] = [];
  if (names) facts.push([t('details.model'), [names.model, names.provider].filter(Boolean).join(' · ')]);
  facts.push([t('details.written'), mediumDate(new Date(message.createdAt), i18n.language)]);
  if (durationMs !== undefined) facts.push([t('details.took'), formatDuration(durationMs, t, true)]);
  if (usage) {
    facts.push([t('details.input'), tokens(usage.input)]);
    if (usage.cachedInput) facts.push([t('details.cached'), tokens(usage.cachedInput)]);
    facts.push([t('details.output'), tokens(usage.output)]);
    if (usage.reasoning) facts.push([t('details.reasoning'), tokens(usage.reasoning)]);
  }
  return (
    <>
      <dl className={styles.facts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd dir="auto">{value}</dd>
          </div>
        ))}
      </dl>
      {usage?.estimated ? <p className={styles.note}>{t('details.estimated')}</p> : null}
    </>
  );
}
