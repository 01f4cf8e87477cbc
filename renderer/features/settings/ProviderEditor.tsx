// One provider: address, key, a test with the real error in place, and its models.
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type ProviderKind, providerKinds } from '../../../shared/model/provider';
import { showFailure, useSettings } from '../../state/appSlice';
import { client } from '../../state/client';
import { needsStorageChoice, type ProviderDraft, variableOf } from '../../state/providerDraft';
import { type ProviderPreset, usualVariable } from '../../state/providerPresets';
import { type ProviderSetUp, useProviderDraft } from '../../state/useProviderDraft';
import { useSave } from '../../state/useSave';
import { Button } from '../../ui/Button';
import { ConfirmDialog } from '../../ui/ConfirmDialog';
import { KeyField } from '../../ui/provider/KeyField';
import { TestResult } from '../../ui/provider/TestResult';
import { Select } from '../../ui/Select';
import { TextField } from '../../ui/TextField';
import { useGuard } from './guard';
import { KeyBadge } from './KeyBadge';
import { ProviderModels } from './ProviderModels';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';
import styles from './Section.module.css';

type ProviderEditorProps = { initial: ProviderDraft; preset: ProviderPreset | null; onDone(): void };

export function ProviderEditor({ initial, preset, onDone }: ProviderEditorProps) {
  const { t } = useTranslation('settings');
  const setUp = useProviderDraft(initial);
  const { draft, busy, tested, failure, dirty } = setUp;
  const isNew = draft.id === null;
  const guard = useGuard(dirty || isNew);
  const isDemo = draft.kind === 'demo';
  const stored = useSettings()?.providers.find((provider) => provider.id === draft.id);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        void setUp.save();
      }}
    >
      <Section
        title={isNew ? t('providers.newTitle', { name: initial.name }) : draft.name.trim() || initial.name}
        mark={<KeyBadge source={stored?.keySource ?? 'none'} />}
        text={isDemo ? t('providers.demoText') : undefined}
        onBack={() => guard.leave(onDone)}
        foot={
          <>
            {isNew ? null : <Remove draft={draft} onDone={onDone} />}
            <span style={{ flex: 1 }} />
            {isDemo ? null : (
              <Button busy={busy === 'test'} onClick={() => void setUp.test()}>
                {t('providers.test')}
              </Button>
            )}
            <Button look="primary" type="submit" busy={busy === 'save'} disabled={!isNew && !dirty}>
              {t('save')}
            </Button>
          </>
        }
      >
        <Group>
          <NameAndAddress setUp={setUp} />
          {isDemo ? null : <Key setUp={setUp} preset={preset} />}
          {/* What the server said stays until something is changed. */}
          <TestResult result={tested} failure={failure} />
        </Group>
        {draft.id === null ? null : <ProviderModels providerId={draft.id} />}
      </Section>
    </form>
  );
}

function NameAndAddress({ setUp: { draft, change, problems } }: { setUp: ProviderSetUp }) {
  const { t } = useTranslation('settings');
  const has = (field: string) => problems.some((problem) => problem.field === field);
  const kinds: readonly ProviderKind[] = draft.kind === 'demo' ? ['demo'] : providerKinds.filter((kind) => kind !== 'demo');
  return (
    <>
      <div className={styles.pair}>
        <TextField
          label={t('providers.name')}
          value={draft.name}
          onChange={(name) => change({ name })}
          maxLength={80}
          error={has('name') ? t('providers.nameMissing') : null}
        />
        <Select
          label={t('providers.kind')}
          value={draft.kind}
          onChange={(kind) => change({ kind })}
          options={kinds.map((value) => ({ value, label: t(`providers.kinds.${value}`) }))}
          disabled={draft.kind === 'demo'}
        />
      </div>
      {draft.kind === 'demo' ? null : (
        <TextField
          label={t('providers.baseUrl')}
          code
          inputMode="url"
          value={draft.baseUrl}
          onChange={(baseUrl) => change({ baseUrl })}
          placeholder={t(`providers.usualUrl.${draft.kind}`)}
          hint={t('providers.baseUrlHint')}
          error={has('baseUrl') ? t('providers.baseUrlWrong') : null}
        />
      )}
    </>
  );
}

function Key({ setUp: { draft, change, keychain, problems }, preset }: { setUp: ProviderSetUp; preset: ProviderPreset | null }) {
  const stored = useSettings()?.providers.find((provider) => provider.id === draft.id);
  const page = preset?.keyPage;
  return (
    <KeyField
      value={draft.key}
      onChange={(key) => change({ key })}
      source={stored?.keySource ?? 'none'}
      variable={stored?.keyVariable}
      cleared={draft.clearKey}
      onClear={(clearKey) => change({ clearKey })}
      keychain={keychain}
      exampleVariable={usualVariable(preset)}
      typedVariable={variableOf(draft.key)}
      asksStorage={needsStorageChoice(draft, keychain)}
      storage={draft.storage}
      onStorage={(storage) => change({ storage })}
      storageMissing={problems.some((problem) => problem.field === 'storage')}
      onKeyPage={page ? () => void client().app.openExternal({ url: page }).catch(showFailure) : undefined}
    />
  );
}

function Remove({ draft, onDone }: { draft: ProviderDraft; onDone(): void }) {
  const { t } = useTranslation('settings');
  const [asking, setAsking] = useState(false);
  const { busy, failure, run } = useSave();
  const { id } = draft;
  if (!id) return null;
  const remove = async () => {
    if (await run(() => client().settings.removeProvider({ providerId: id }))) onDone();
  };
  return (
    <>
      <Button look="danger" onClick={() => setAsking(true)}>
        {t('providers.remove')}
      </Button>
      {asking ? (
        <ConfirmDialog
          title={t('providers.removeTitle', { name: draft.name })}
          description={t('providers.removeText')}
          confirmLabel={t('providers.remove')}
          cancelLabel={t('cancel')}
          busy={busy}
          onCancel={() => setAsking(false)}
          onConfirm={() => void remove()}
        >
          <SaveFailure failure={failure} />
        </ConfirmDialog>
      ) : null}
    </>
  );
}
