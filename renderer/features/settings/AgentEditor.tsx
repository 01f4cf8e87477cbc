// One agent: its name, model, system prompt and parameters. Saved as a whole; nothing typed is lost on an error.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent, ReasoningEffort } from '../../../shared/model/agent';
import { client } from '../../state/client';
import { useSave } from '../../state/useSave';
import { Button } from '../../ui/Button';
import { Segmented } from '../../ui/Segmented';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';
import { useGuard } from './guard';
import { ModelChoice } from './ModelChoice';
import { numberIn } from './numberIn';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';
import styles from './Section.module.css';

type Effort = ReasoningEffort | 'model';
const efforts: Effort[] = ['model', 'off', 'low', 'medium', 'high'];

export function AgentEditor({ agent, isNew, onDone }: { agent: Agent; isNew: boolean; onDone(): void }) {
  const { t } = useTranslation('settings');
  const [name, setName] = useState(agent.name);
  const [model, setModel] = useState(agent.model);
  const [prompt, setPrompt] = useState(agent.systemPrompt);
  const [temperature, setTemperature] = useState(agent.parameters.temperature?.toString() ?? '');
  const [maxOutput, setMaxOutput] = useState(agent.parameters.maxOutput?.toString() ?? '');
  const [effort, setEffort] = useState<Effort>(agent.parameters.reasoningEffort ?? 'model');
  const { busy, failure, run } = useSave();
  const heat = numberIn(temperature, { min: 0, max: 2 });
  const most = numberIn(maxOutput, { min: 1, whole: true });
  const next: Agent = {
    ...agent,
    name: name.trim(),
    model,
    systemPrompt: prompt,
    parameters: {
      ...(heat.value === undefined ? {} : { temperature: heat.value }),
      ...(most.value === undefined ? {} : { maxOutput: most.value }),
      ...(effort === 'model' ? {} : { reasoningEffort: effort }),
    },
  };
  const dirty =
    isNew ||
    JSON.stringify({ ...next, temperature, maxOutput }) !==
      JSON.stringify({
        ...agent,
        temperature: agent.parameters.temperature?.toString() ?? '',
        maxOutput: agent.parameters.maxOutput?.toString() ?? '',
      });
  const guard = useGuard(dirty);
  const valid = next.name !== '' && heat.ok && most.ok;
  const save = async () => {
    if (valid && (await run(() => client().settings.saveAgent({ agent: next })))) onDone();
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Section title={isNew ? t('agents.newTitle') : agent.name} onBack={() => guard.leave(onDone)}>
        <Group>
          <TextField
            label={t('agents.name')}
            value={name}
            onChange={setName}
            maxLength={80}
            error={next.name === '' ? t('agents.nameMissing') : null}
          />
          <ModelChoice label={t('agents.model')} value={model} onChange={setModel} />
          <TextArea label={t('agents.prompt')} hint={t('agents.promptHint')} value={prompt} onChange={setPrompt} rows={6} />
        </Group>
        <Group title={t('agents.parameters')}>
          <div className={styles.pair}>
            <TextField
              label={t('agents.temperature')}
              hint={t('agents.temperatureHint')}
              inputMode="decimal"
              value={temperature}
              onChange={setTemperature}
              placeholder={t('agents.byModel')}
              error={heat.ok ? null : t('agents.temperatureWrong')}
            />
            <TextField
              label={t('agents.maxOutput')}
              hint={t('agents.maxOutputHint')}
              inputMode="numeric"
              value={maxOutput}
              onChange={setMaxOutput}
              placeholder={t('agents.byModel')}
              error={most.ok ? null : t('agents.maxOutputWrong')}
            />
          </div>
          <Segmented<Effort>
            label={t('agents.effort')}
            hint={t('agents.effortHint')}
            value={effort}
            onChange={setEffort}
            options={efforts.map((value) => ({ value, label: t(`agents.efforts.${value}`) }))}
          />
        </Group>
        <SaveFailure failure={failure} />
        <div className={styles.bar}>
          <Button onClick={() => guard.leave(onDone)}>{t('cancel')}</Button>
          <Button look="primary" type="submit" busy={busy} disabled={!valid || !dirty}>
            {t('save')}
          </Button>
        </div>
      </Section>
    </form>
  );
}
