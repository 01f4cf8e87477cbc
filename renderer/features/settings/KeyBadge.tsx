// Where a provider's key is kept, in a word; amber where other programs could read it.
import { useTranslation } from 'react-i18next';
import type { KeySource } from '../../../shared/model/provider';
import { Badge } from '../../ui/Badge';

export function KeyBadge({ source }: { source: KeySource }) {
  const { t } = useTranslation('settings');
  if (source === 'none') return null;
  return <Badge tone={source === 'plain' || source === 'settingsFile' ? 'amber' : 'neutral'}>{t(`providers.keySource.${source}`)}</Badge>;
}
