// What a command asks before it runs: words, or one of what there is. A refusal is said here, and what was typed stays.
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { quoteLabel } from '../../../shared/commands';
import { type WindowCommandId, windowCommandOf } from '../../../shared/windowCommands';
import type { Outcome } from '../../state/commandOutcome';
import { runChosen } from '../../state/commandSlice';
import { askInPalette } from '../../state/paletteSlice';
import { useCheckpoints, useOpenConversation } from '../../state/talkSlice';
import { whyNot } from '../../state/windowActs';
import { Button } from '../../ui/Button';
import { IconButton } from '../../ui/IconButton';
import { type Entry, groupsFor } from './entries';
import styles from './Palette.module.css';
import { PaletteBox } from './PaletteBox';
import { useAgentEntries, useModelEntries } from './useEntries';

type Refused = Exclude<Outcome, { type: 'done' }>;
type QuestionProps = {
  id: WindowCommandId;
  onDone(run: (() => void) | null): void;
  explain(outcome: Refused): ReactNode;
};

const askedOf = { title: 'title', label: 'label', checkpoint: 'checkpoint', rewind: 'rewind', agent: 'agent', model: 'model' } as const;
const isAsked = (id: string): id is keyof typeof askedOf => id in askedOf;
const longest = { title: 400, label: 80, checkpoint: 80, rewind: 80, agent: 200, model: 200 };

export function PaletteQuestion({ id, onDone, explain }: QuestionProps) {
  const { t } = useTranslation('palette');
  const asked = isAsked(id) ? id : null;
  const open = useOpenConversation();
  const [query, setQuery] = useState(asked === 'title' ? (open?.title ?? '') : '');
  const [refused, setRefused] = useState<Refused | null>(null);
  const options = useOptions(asked);
  const why = whyNot(id);
  const run = async (words: string) => {
    const outcome = await runChosen(`/${windowCommandOf(id)?.slash} ${words}`, false);
    if (outcome === null) return;
    if (outcome.type === 'done') onDone(null);
    else setRefused(outcome);
  };
  const typed = query.trim();
  const submit = () => void (typed !== '' && run(asked === 'checkpoint' ? quoteLabel(typed) : typed));
  const choose = (entry: Entry) => (asked === 'rewind' ? void run(quoteLabel(entry.title)) : onDone(entry.run));
  if (!asked) return null;
  const groups = options === null ? [] : groupsFor(query, options, [], '');
  return (
    <PaletteBox
      label={t(`asks.${asked}`)}
      placeholder={t(`asks.${asked}`)}
      query={query}
      maxLength={longest[asked]}
      onQuery={(next) => {
        setQuery(next);
        setRefused(null);
      }}
      groups={groups}
      onChoose={choose}
      onEnter={options === null ? submit : undefined}
      onBack={() => askInPalette(null)}
      lead={
        <span className={styles.lead}>
          <IconButton label={t('back')} size="small" onClick={() => askInPalette(null)}>
            <ArrowLeft aria-hidden="true" />
          </IconButton>
          <span className={styles.asking}>{t(`what.${id}`).replace(/…$/, '')}</span>
        </span>
      }
    >
      {refused ? (
        <div role="alert" className={styles.refused}>
          {explain(refused)}
        </div>
      ) : null}
      {options === null ? (
        <div className={styles.foot}>
          <Button size="small" look="primary" disabled={typed === '' || why !== null} onClick={submit}>
            {t('run')}
          </Button>
        </div>
      ) : groups.length === 0 ? (
        <p role="status" className={styles.none}>
          {t('none', { query: typed })}
        </p>
      ) : null}
    </PaletteBox>
  );
}

/** Null where words are asked for. */
function useOptions(asked: keyof typeof askedOf | null): Entry[] | null {
  const { t } = useTranslation('palette');
  const agents = useAgentEntries(true);
  const models = useModelEntries(true);
  const checkpoints = useCheckpoints();
  if (asked === 'agent') return agents;
  if (asked === 'model') return models;
  if (asked !== 'rewind') return null;
  return [...checkpoints]
    .reverse()
    .map(({ label }) => ({ key: label, title: label, group: t('asks.rewind'), recallable: false, run: () => undefined }));
}
