// A choice among every model on offer, by provider.
import { useTranslation } from 'react-i18next';
import { useModels } from '../../state/appSlice';
import { Combobox } from '../../ui/Combobox';
import type { FieldProps } from '../../ui/Field';
import { formatCompact } from '../../ui/format';

type ModelChoiceProps = FieldProps & {
  value: string | null;
  onChange(value: string): void;
  /** An entry above the models that stands for none of them. */
  none?: { value: string; label: string } | undefined;
};

export function ModelChoice({ none, ...field }: ModelChoiceProps) {
  const { t, i18n } = useTranslation('settings');
  const models = useModels() ?? [];
  const options = models.map((model) => ({
    value: model.ref,
    label: model.name ?? model.id,
    group: model.demo ? t('models.demo', { name: model.providerName }) : model.providerName,
    hint: model.contextWindow ? t('models.window', { size: formatCompact(model.contextWindow, i18n.language) }) : undefined,
  }));
  return (
    <Combobox
      {...field}
      options={none ? [none, ...options] : options}
      typed={(query) => (/^[^/\s]+\/\S+$/.test(query) ? { value: query, label: t('models.typed', { ref: query }) } : null)}
      placeholder={t('models.choose')}
      searchLabel={t('models.search')}
      noMatch={t('models.noMatch')}
    />
  );
}
