// Numbers of the ladder for one agent: only those that differ from what holds elsewhere are kept with it (L21).
import { ChevronDown, ChevronRight } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenNumbers, numbersInForce } from '../../../shared/model/compaction';
import { useModels, useSettings } from '../../state/appSlice';
import { Button } from '../../ui/Button';
import { type NumberDraft, readDraft } from './compactionDraft';
import { NumberFields } from './NumberFields';
import { Group } from './Section';
import styles from './Section.module.css';

type AgentNumbersProps = { name: string; model: string | null; draft: NumberDraft; onChange(draft: NumberDraft): void };

export function AgentNumbers({ name, model, draft, onChange }: AgentNumbersProps) {
  const { t } = useTranslation('contextSettings');
  const settings = useSettings();
  const models = useModels();
  const isSet = Object.keys(draft).length > 0;
  const [open, setOpen] = useState(isSet);
  if (!settings) return null;
  const { settings: own, wrong } = readDraft(draft);
  const shared = [settings.compaction, settings.workspace.compaction];
  const window = models?.find(({ ref }) => ref === model)?.contextWindow;
  const layers = [...shared, own];
  const force =
    window === undefined ? null : { numbers: numbersInForce(layers, window), chosen: chosenNumbers(layers), agents: {}, agentName: name };
  return (
    <Group title={t('agent.title')}>
      <p className={styles.detail}>{t('agent.text')}</p>
      <div className={styles.acts}>
        <Button
          size="small"
          aria-expanded={open}
          icon={open ? <ChevronDown aria-hidden="true" /> : <ChevronRight aria-hidden="true" />}
          onClick={() => setOpen(!open)}
        >
          {t(open ? 'agent.hide' : 'agent.show')}
        </Button>
        {isSet ? (
          <Button size="small" onClick={() => onChange({})}>
            {t('resetAll')}
          </Button>
        ) : null}
      </div>
      {open ? (
        <NumberFields
          draft={draft}
          onChange={onChange}
          wrong={wrong}
          own={own}
          usual={chosenNumbers(shared)}
          from="settings"
          force={force}
        />
      ) : null}
    </Group>
  );
}
