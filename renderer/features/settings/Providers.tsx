// Providers: what is set up, what runs on this machine, and adding another (P1, W3).
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { LocalServer } from '../../../shared/contract';
import { useModelFailures, useSettings } from '../../state/appSlice';
import { client } from '../../state/client';
import { draftOfPreset, draftOfProvider, type KnownProvider, type ProviderDraft } from '../../state/providerDraft';
import { demoPreset, otherPreset, type ProviderPreset, providerPresets } from '../../state/providerPresets';
import { useLocalServers } from '../../state/useLocalServers';
import { useSave } from '../../state/useSave';
import { Button } from '../../ui/Button';
import { EmptyState } from '../../ui/EmptyState';
import { FailureText } from '../../ui/FailureText';
import { Menu, type MenuItem } from '../../ui/Menu';
import { LocalServers } from '../../ui/provider/LocalServers';
import { KeyBadge } from './KeyBadge';
import { ProviderEditor } from './ProviderEditor';
import { SaveFailure } from './SaveFailure';
import { Group, Section } from './Section';
import styles from './Section.module.css';

type Edited = { draft: ProviderDraft; preset: ProviderPreset | null };

export function Providers() {
  const { t } = useTranslation('settings');
  const providers = useSettings()?.providers ?? [];
  const [edited, setEdited] = useState<Edited | null>(null);
  const local = useLocalServers();
  const add = (preset: ProviderPreset) =>
    setEdited({ draft: draftOfPreset(preset.name ? preset : { ...preset, name: t('providers.otherName') }), preset });
  if (edited)
    return (
      <ProviderEditor
        key={edited.draft.id ?? edited.preset?.id}
        initial={edited.draft}
        preset={edited.preset}
        onDone={() => setEdited(null)}
      />
    );
  const isAdded = (server: LocalServer) =>
    providers.some((provider) => provider.baseUrl?.replace(/\/$/, '') === server.baseUrl.replace(/\/$/, ''));
  return (
    <Section title={t('section.providers')} text={t('providers.text')} act={<AddMenu onAdd={add} />}>
      <KeysInFile providers={providers} />
      <Group>
        {providers.length === 0 ? <EmptyState title={t('providers.none')}>{t('providers.noneText')}</EmptyState> : null}
        <ul className={providers.length > 0 ? styles.list : undefined}>
          {providers.map((provider) => (
            <ProviderRow
              key={provider.id}
              provider={provider}
              onEdit={() => setEdited({ draft: draftOfProvider(provider), preset: null })}
            />
          ))}
        </ul>
      </Group>
      <Group title={t('providers.local')}>
        <LocalServers
          servers={local.servers}
          failure={local.failure}
          onLook={local.look}
          useLabel={t('providers.addIt')}
          busy={null}
          isAdded={isAdded}
          onUse={(server) => add({ id: server.baseUrl, name: server.name, kind: server.kind, baseUrl: server.baseUrl, key: 'none' })}
        />
      </Group>
    </Section>
  );
}

function AddMenu({ onAdd }: { onAdd(preset: ProviderPreset): void }) {
  const { t } = useTranslation('settings');
  const item = (preset: ProviderPreset): MenuItem => ({ id: preset.id, label: preset.name, onSelect: () => onAdd(preset) });
  const online = providerPresets.filter((preset) => preset.key !== 'none');
  const here = providerPresets.filter((preset) => preset.key === 'none');
  const items: MenuItem[] = [
    ...online.map(item),
    { kind: 'line', id: 'line' },
    { kind: 'heading', id: 'here', label: t('providers.onThisComputer') },
    ...here.map(item),
    { kind: 'line', id: 'line2' },
    { id: 'other', label: t('providers.other'), onSelect: () => onAdd(otherPreset) },
    { id: 'demo', label: t('providers.demo'), onSelect: () => onAdd(demoPreset) },
  ];
  return (
    <Menu align="end" items={items}>
      <Button icon={<Plus aria-hidden="true" />}>{t('providers.add')}</Button>
    </Menu>
  );
}

function ProviderRow({ provider, onEdit }: { provider: KnownProvider; onEdit(): void }) {
  const { t } = useTranslation('settings');
  const failure = useModelFailures().find((entry) => entry.providerId === provider.id)?.failure;
  return (
    <li className={styles.item}>
      <span className={styles.itemWords}>
        <span className={styles.itemTitle} dir="auto">
          {provider.name}
          <KeyBadge source={provider.keySource} />
        </span>
        <span className={styles.detail}>
          {t(`providers.kinds.${provider.kind}`)}
          {provider.baseUrl ? (
            <>
              {' · '}
              <code>{provider.baseUrl}</code>
            </>
          ) : null}
        </span>
        {failure ? <FailureText failure={failure} /> : null}
      </span>
      <Button size="small" aria-label={t('providers.editOf', { name: provider.name })} onClick={onEdit}>
        {t('providers.edit')}
      </Button>
    </li>
  );
}

/** Keys written by hand into settings.json can move into the keychain. */
function KeysInFile({ providers }: { providers: readonly KnownProvider[] }) {
  const { t } = useTranslation('settings');
  const { busy, failure, run } = useSave();
  const count = providers.filter((provider) => provider.keySource === 'settingsFile').length;
  if (count === 0) return null;
  return (
    <>
      <div className={styles.note}>
        <p>{t('providers.keysInFile', { count })}</p>
        <Button size="small" busy={busy} onClick={() => void run(() => client().settings.moveKeysToKeychain())}>
          {t('providers.moveKeys')}
        </Button>
      </div>
      <SaveFailure failure={failure} />
    </>
  );
}
