// When room is made in the context, and how: the user's own numbers, what the workspace says, and what is in force (L6, L21, M4).
import { RotateCcw } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { chosenNumbers, compactionDefaults, numbersInForce } from '../../../shared/model/compaction';
import { useModels, useSettings } from '../../state/appSlice';
import { client } from '../../state/client';
import { useNextAgent } from '../../state/nextAgent';
import { useSave } from '../../state/useSave';
import { Button } from '../../ui/Button';
import { draftOf, type NumberDraft, readDraft } from './compactionDraft';
import { useGuard } from './guard';
import { NumberFields } from './NumberFields';
import { RoleChoice } from './Roles';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';
import styles from './Section.module.css';

export function Context() {
  const { t } = useTranslation('contextSettings');
  const settings = useSettings();
  const form = useNumbersForm();
  if (!settings) return null;
  const { draft, setDraft, own, wrong, dirty, save, busy, failure } = form;
  const isSet = Object.keys(draft).length > 0;
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Section
        title={t('settings:section.context')}
        text={t('text')}
        act={
          <Button size="small" disabled={!isSet} icon={<RotateCcw aria-hidden="true" />} onClick={() => setDraft({})}>
            {t('resetAll')}
          </Button>
        }
        foot={
          <>
            <Button disabled={!dirty} onClick={() => setDraft(draftOf(settings.compaction))}>
              {t('settings:cancel')}
            </Button>
            <Button look="primary" type="submit" busy={busy} disabled={!dirty || wrong.size > 0}>
              {t('settings:save')}
            </Button>
          </>
        }
      >
        <Group title={t('model')}>
          <RoleChoice of="compaction" />
        </Group>
        <NumberFields
          draft={draft}
          onChange={setDraft}
          wrong={wrong}
          own={own}
          usual={compactionDefaults}
          from="default"
          force={form.force}
          workspace={settings.workspace.compaction}
        />
        <SaveFailure failure={failure} />
      </Section>
    </form>
  );
}

function useNumbersForm() {
  const settings = useSettings();
  const saved = draftOf(settings?.compaction ?? {});
  const [draft, setDraft] = useState<NumberDraft>(saved);
  const { settings: own, wrong } = readDraft(draft);
  const { busy, failure, run } = useSave();
  const dirty = wrong.size > 0 || JSON.stringify(own) !== JSON.stringify(readDraft(saved).settings);
  useGuard(dirty);
  const agent = useNextAgent().agent;
  const window = useModels()?.find(({ ref }) => ref === agent?.model)?.contextWindow;
  const layers = [own, settings?.workspace.compaction ?? {}, agent?.compaction ?? {}];
  const force =
    agent && window !== undefined
      ? { numbers: numbersInForce(layers, window), chosen: chosenNumbers(layers), agents: agent.compaction ?? {}, agentName: agent.name }
      : null;
  const save = async () => {
    if (wrong.size > 0) return;
    if (await run(() => client().settings.saveCompaction(own))) setDraft(draftOf(own));
  };
  return { draft, setDraft, own, wrong, dirty, save, busy, failure, force };
}
