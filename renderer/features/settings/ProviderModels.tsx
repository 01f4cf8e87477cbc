// What one provider offers: each model's window and whether it sees pictures can be stated by hand (P2).
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ProviderId } from '../../../shared/model/ids';
import type { ModelInfo, OfferedModel } from '../../../shared/model/provider';
import { loadModels, useModels, useSettings } from '../../state/appSlice';
import { client } from '../../state/client';
import { useSave } from '../../state/useSave';
import { Button } from '../../ui/Button';
import { formatBytes, formatNumber } from '../../ui/format';
import { Skeleton } from '../../ui/Skeleton';
import { Switch } from '../../ui/Switch';
import { TextField } from '../../ui/TextField';
import { numberIn } from './numberIn';
import { SaveFailure } from './SaveFailure';
import { Group } from './Section';
import styles from './Section.module.css';

const shownAtOnce = 40;

export function ProviderModels({ providerId }: { providerId: ProviderId }) {
  const { t, i18n } = useTranslation('settings');
  const all = useModels();
  const [query, setQuery] = useState('');
  const [open, setOpen] = useState<string | null>(null);
  if (!all) return <Skeleton label={t('models.loading')} />;
  const models = all.filter((model) => model.providerId === providerId);
  const words = query.trim().toLowerCase();
  const found = words ? models.filter((model) => `${model.id} ${model.name ?? ''}`.toLowerCase().includes(words)) : models;
  const facts = (model: OfferedModel) =>
    [
      model.contextWindow ? t('models.windowOf', { size: formatNumber(model.contextWindow, i18n.language) }) : t('models.windowUnknown'),
      model.vision ? t('models.sees') : null,
    ]
      .filter(Boolean)
      .join(' · ');
  return (
    <Group title={t('models.title', { count: models.length })}>
      <div className={styles.acts}>
        {models.length > 8 ? (
          <div style={{ flex: 1 }}>
            <TextField
              label={t('models.search')}
              hideLabel
              type="search"
              placeholder={t('models.search')}
              value={query}
              onChange={setQuery}
            />
          </div>
        ) : null}
        <Button onClick={() => void loadModels(true)}>{t('models.refresh')}</Button>
      </div>
      {models.length === 0 ? <p className={styles.detail}>{t('models.none')}</p> : null}
      {models.length > 0 && found.length === 0 ? <p className={styles.detail}>{t('models.noMatch')}</p> : null}
      <ul className={found.length > 0 ? styles.list : undefined}>
        {found.slice(0, shownAtOnce).map((model) => (
          <li key={model.id} className={styles.item}>
            <span className={styles.itemWords}>
              <span className={styles.itemTitle}>{model.name ?? model.id}</span>
              <span className={styles.detail}>{facts(model)}</span>
              <LearnedFacts model={model} />
            </span>
            <ForgetLearned model={model} />
            <Button
              size="small"
              look="plain"
              aria-expanded={open === model.id}
              aria-label={t('models.changeOf', { name: model.name ?? model.id })}
              onClick={() => setOpen(open === model.id ? null : model.id)}
            >
              {t('models.change')}
            </Button>
            {open === model.id ? <ModelFacts model={model} onDone={() => setOpen(null)} /> : null}
          </li>
        ))}
      </ul>
      {found.length > shownAtOnce ? <p className={styles.detail}>{t('models.more', { count: found.length - shownAtOnce })}</p> : null}
    </Group>
  );
}

/** What the server's refusals taught (L7): it holds until it is forgotten, or the server says otherwise. */
function LearnedFacts({ model: { learned } }: { model: OfferedModel }) {
  const { t, i18n } = useTranslation('settings');
  if (!learned) return null;
  const { window, bodyLimit, maxImages, noImages } = learned;
  const date = (at: number) => new Intl.DateTimeFormat(i18n.language, { dateStyle: 'medium' }).format(at);
  return (
    <>
      {window ? (
        <span className={styles.detail}>
          {t('models.learnedWindow', { size: formatNumber(window.value, i18n.language), date: date(window.at) })}
        </span>
      ) : null}
      {bodyLimit ? (
        <span className={styles.detail}>
          {t('models.learnedBody', { size: formatBytes(bodyLimit.value, i18n.language), date: date(bodyLimit.at) })}
        </span>
      ) : null}
      {noImages ? <span className={styles.detail}>{t('models.learnedBlind', { date: date(noImages.at) })}</span> : null}
      {maxImages ? (
        <span className={styles.detail}>{t('models.learnedImages', { count: maxImages.value, date: date(maxImages.at) })}</span>
      ) : null}
    </>
  );
}

function ForgetLearned({ model: { ref, id, name, learned } }: { model: OfferedModel }) {
  const { t } = useTranslation('settings');
  const { busy, failure, run } = useSave();
  if (!learned) return null;
  const forget = async () => {
    if (await run(() => client().settings.forgetLimit({ model: ref }))) await loadModels();
  };
  return (
    <>
      <SaveFailure failure={failure} />
      <Button size="small" look="plain" busy={busy} aria-label={t('models.forgetOf', { name: name ?? id })} onClick={() => void forget()}>
        {t('models.forget')}
      </Button>
    </>
  );
}

function ModelFacts({ model, onDone }: { model: OfferedModel; onDone(): void }) {
  const { t } = useTranslation('settings');
  const [size, setSize] = useState(model.contextWindow?.toString() ?? '');
  const [vision, setVision] = useState(model.vision ?? false);
  const stated = useSettings()
    ?.providers.find((provider) => provider.id === model.providerId)
    ?.models.find((known) => known.id === model.id);
  const { busy, failure, run } = useSave();
  const window = numberIn(size, { min: 1, whole: true });
  const save = async () => {
    if (!window.ok) return;
    // Only what the person states is kept; the rest stays with the server and the catalogue.
    const { contextWindow: _old, ...kept }: ModelInfo = stated ?? { id: model.id };
    const next: ModelInfo = {
      ...kept,
      ...(vision === (model.vision ?? false) ? {} : { vision }),
      ...(window.value === undefined ? {} : { contextWindow: window.value }),
    };
    if (await run(() => client().settings.saveModel({ providerId: model.providerId, model: next }))) {
      await loadModels();
      onDone();
    }
  };
  return (
    <div style={{ flexBasis: '100%', display: 'grid', gap: 12, padding: '4px 6px 6px 0' }}>
      <TextField
        label={t('models.contextWindow')}
        hint={t('models.contextWindowHint')}
        inputMode="numeric"
        value={size}
        onChange={setSize}
        placeholder={t('models.unknown')}
        onKeyDown={(event) => {
          // Enter here means this model, not the provider's form around it.
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
          event.preventDefault();
          void save();
        }}
        error={window.ok ? null : t('models.contextWindowWrong')}
      />
      <Switch label={t('models.vision')} hint={t('models.visionHint')} checked={vision} onChange={setVision} />
      <SaveFailure failure={failure} />
      <div className={`${styles.acts} ${styles.end}`}>
        <Button onClick={onDone}>{t('cancel')}</Button>
        <Button look="primary" busy={busy} disabled={!window.ok} onClick={() => void save()}>
          {t('save')}
        </Button>
      </div>
    </div>
  );
}
