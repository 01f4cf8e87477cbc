// One agent: its name, model, system prompt, tools, approvals and parameters. Saved as a whole; nothing typed is lost on an error.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Agent, ReasoningEffort } from '../../../shared/model/agent';
import { client } from '../../state/client';
import { useSave } from '../../state/useSave';
import { Button } from '../../ui/Button';
import { Segmented } from '../../ui/Segmented';
import { TextArea } from '../../ui/TextArea';
import { TextField } from '../../ui/TextField';
import { AgentNumbers } from './AgentNumbers';
import { AgentTools } from './AgentTools';
import { draftOf, readDraft } from './compactionDraft';
import { useGuard } from './guard';
import { ModelChoice } from './ModelChoice';
import { numberIn } from './numberIn';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';
import styles from './Section.module.css';

type Effort = ReasoningEffort | 'model';
const efforts: Effort[] = ['model', 'off', 'low', 'medium', 'high'];

/** The agent as it is typed: numbers are text until they are saved. */
function useAgentDraft(agent: Agent) {
  const { temperature, maxOutput, reasoningEffort } = agent.parameters;
  const saved = {
    name: agent.name,
    model: agent.model,
    systemPrompt: agent.systemPrompt,
    tools: agent.tools,
    approval: agent.approval,
    temperature: temperature?.toString() ?? '',
    maxOutput: maxOutput?.toString() ?? '',
    effort: (reasoningEffort ?? 'model') as Effort,
    numbers: draftOf(agent.compaction ?? {}),
  };
  const [draft, setDraft] = useState(saved);
  const heat = numberIn(draft.temperature, { min: 0, max: 2 });
  const most = numberIn(draft.maxOutput, { min: 1, whole: true });
  const numbers = readDraft(draft.numbers);
  const next: Agent = {
    ...agent,
    compaction: Object.keys(numbers.settings).length > 0 ? numbers.settings : undefined,
    name: draft.name.trim(),
    model: draft.model,
    systemPrompt: draft.systemPrompt,
    tools: draft.tools,
    approval: draft.approval,
    parameters: {
      ...(heat.value === undefined ? {} : { temperature: heat.value }),
      ...(most.value === undefined ? {} : { maxOutput: most.value }),
      ...(draft.effort === 'model' ? {} : { reasoningEffort: draft.effort }),
    },
  };
  return {
    draft,
    change: (part: Partial<typeof saved>) => setDraft((old) => ({ ...old, ...part })),
    next,
    wrong: { name: next.name === '', temperature: !heat.ok, maxOutput: !most.ok, numbers: numbers.wrong.size > 0 },
    dirty: JSON.stringify(draft) !== JSON.stringify(saved),
  };
}
type AgentDraft = ReturnType<typeof useAgentDraft>;

export function AgentEditor({ agent, isNew, onDone }: { agent: Agent; isNew: boolean; onDone(): void }) {
  const { t } = useTranslation('settings');
  const form = useAgentDraft(agent);
  const { draft, change, next, wrong } = form;
  const { busy, failure, run } = useSave();
  const dirty = isNew || form.dirty;
  // A new one that nobody has touched is left without a question.
  const guard = useGuard(form.dirty);
  const valid = !Object.values(wrong).includes(true);
  const save = async () => {
    if (valid && (await run(() => client().settings.saveAgent({ agent: next })))) onDone();
  };
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <Section
        title={isNew ? t('agents.newTitle') : agent.name}
        onBack={() => guard.leave(onDone)}
        foot={
          <>
            <Button onClick={() => guard.leave(onDone)}>{t('cancel')}</Button>
            <Button look="primary" type="submit" busy={busy} disabled={!valid || !dirty}>
              {t('save')}
            </Button>
          </>
        }
      >
        <Group>
          <TextField
            label={t('agents.name')}
            value={draft.name}
            onChange={(name) => change({ name })}
            maxLength={80}
            error={wrong.name ? t('agents.nameMissing') : null}
          />
          <ModelChoice label={t('agents.model')} value={draft.model} onChange={(model) => change({ model })} />
          <TextArea
            label={t('agents.prompt')}
            hint={t('agents.promptHint')}
            value={draft.systemPrompt}
            onChange={(systemPrompt) => change({ systemPrompt })}
            rows={6}
          />
        </Group>
        <AgentTools model={draft.model} tools={draft.tools} approval={draft.approval} onChange={change} />
        <Parameters form={form} />
        <AgentNumbers name={draft.name} model={draft.model} draft={draft.numbers} onChange={(numbers) => change({ numbers })} />
        <SaveFailure failure={failure} />
      </Section>
    </form>
  );
}

function Parameters({ form: { draft, change, wrong } }: { form: AgentDraft }) {
  const { t } = useTranslation('settings');
  return (
    <Group title={t('agents.parameters')}>
      <div className={styles.pair}>
        <TextField
          label={t('agents.temperature')}
          hint={t('agents.temperatureHint')}
          inputMode="decimal"
          value={draft.temperature}
          onChange={(temperature) => change({ temperature })}
          placeholder={t('agents.byModel')}
          error={wrong.temperature ? t('agents.temperatureWrong') : null}
        />
        <TextField
          label={t('agents.maxOutput')}
          hint={t('agents.maxOutputHint')}
          inputMode="numeric"
          value={draft.maxOutput}
          onChange={(maxOutput) => change({ maxOutput })}
          placeholder={t('agents.byModel')}
          error={wrong.maxOutput ? t('agents.maxOutputWrong') : null}
        />
      </div>
      <Segmented<Effort>
        label={t('agents.effort')}
        hint={t('agents.effortHint')}
        value={draft.effort}
        onChange={(effort) => change({ effort })}
        options={efforts.map((value) => ({ value, label: t(`agents.efforts.${value}`) }))}
      />
    </Group>
  );
}
