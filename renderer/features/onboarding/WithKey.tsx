// A provider with a key on the first run: which one, its key, a test that shows the real error, and the model to begin with.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { showFailure } from '../../state/appSlice';
import { client } from '../../state/client';
import { draftOfPreset, needsStorageChoice, variableOf } from '../../state/providerDraft';
import { otherPreset, type ProviderPreset, presetOf, providerPresets, usualVariable } from '../../state/providerPresets';
import { useProviderDraft } from '../../state/useProviderDraft';
import { Button } from '../../ui/Button';
import { Combobox } from '../../ui/Combobox';
import { KeyField } from '../../ui/provider/KeyField';
import { TestResult } from '../../ui/provider/TestResult';
import { Segmented } from '../../ui/Segmented';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import styles from './Onboarding.module.css';

type Choice = 'openai' | 'gemini' | 'other';
type WithKeyProps = { finishing: boolean; onFinish(model: string | null): void };

export function WithKey(props: WithKeyProps) {
  const { t } = useTranslation('onboarding');
  const [choice, setChoice] = useState<Choice>('openai');
  const [other, setOther] = useState('openrouter');
  const others = providerPresets.filter((preset) => preset.id !== 'openai' && preset.id !== 'gemini' && preset.key === 'needed');
  const preset = presetOf(choice === 'other' ? other : choice);
  return (
    <div className={styles.form}>
      <Segmented<Choice>
        label={t('key.which')}
        value={choice}
        onChange={setChoice}
        options={[
          { value: 'openai', label: 'OpenAI' },
          { value: 'gemini', label: 'Gemini' },
          { value: 'other', label: t('key.other') },
        ]}
      />
      {choice === 'other' ? (
        <Select
          label={t('key.provider')}
          value={other}
          onChange={setOther}
          options={[
            ...others.map(({ id, name }) => ({ value: id as string, label: name as string })),
            { value: otherPreset.id, label: t('key.anyServer') },
          ]}
        />
      ) : null}
      <KeySetUp key={preset.id} preset={preset} {...props} />
    </div>
  );
}

function KeySetUp({ preset, finishing, onFinish }: WithKeyProps & { preset: ProviderPreset }) {
  const { t } = useTranslation('onboarding');
  const { draft, change, keychain, problems, busy, tested, failure, test, save } = useProviderDraft(
    draftOfPreset(preset.name ? preset : { ...preset, name: t('key.otherName') }),
  );
  const [model, setModel] = useState<string | null>(null);
  const models = tested?.ok ? tested.models : [];
  const chosen = model ?? models[0]?.id ?? null;
  const problemOf = (field: string) => problems.find((problem) => problem.field === field);
  const keyPage = preset.keyPage;
  const lacks = preset.key === 'needed' ? draft.key.trim() === '' : draft.baseUrl.trim() === '';
  const start = async (withModel: string | null) => {
    const id = await save();
    if (id) onFinish(withModel ? `${id}/${withModel}` : null);
  };
  return (
    <>
      {preset.id === otherPreset.id ? (
        <TextField
          label={t('key.baseUrl')}
          code
          value={draft.baseUrl}
          onChange={(baseUrl) => change({ baseUrl })}
          placeholder="https://host/v1"
          error={problemOf('baseUrl') ? t('key.notUrl') : null}
        />
      ) : null}
      <KeyField
        value={draft.key}
        onChange={(key) => change({ key })}
        source="none"
        cleared={false}
        onClear={() => undefined}
        keychain={keychain}
        exampleVariable={usualVariable(preset)}
        typedVariable={variableOf(draft.key)}
        asksStorage={needsStorageChoice(draft, keychain)}
        storage={draft.storage}
        onStorage={(storage) => change({ storage })}
        storageMissing={problemOf('storage') !== undefined}
        action={
          <Button look={tested?.ok ? 'quiet' : 'primary'} busy={busy === 'test'} disabled={lacks} onClick={() => void test()}>
            {tested === null ? t('key.test') : t('key.testAgain')}
          </Button>
        }
        onKeyPage={keyPage ? () => void client().app.openExternal({ url: keyPage }).catch(showFailure) : undefined}
      />
      <TestResult result={tested} failure={failure} />
      {tested?.ok ? (
        <Combobox
          label={t('key.model')}
          value={chosen}
          onChange={setModel}
          options={models.map((offered) => ({ value: offered.id, label: offered.name ?? offered.id }))}
          typed={(query) => ({ value: query, label: query })}
          placeholder={t('key.chooseModel')}
          searchLabel={t('key.searchModels')}
          noMatch={t('key.noModel')}
        />
      ) : null}
      {tested ? (
        <div className={styles.acts}>
          {tested && !tested.ok ? (
            <Button look="plain" busy={busy === 'save' || finishing} onClick={() => void start(null)}>
              {t('key.anyway')}
            </Button>
          ) : null}
          {tested?.ok ? (
            <Button look="primary" busy={busy === 'save' || finishing} disabled={chosen === null} onClick={() => void start(chosen)}>
              {t('key.start')}
            </Button>
          ) : null}
        </div>
      ) : null}
    </>
  );
}
