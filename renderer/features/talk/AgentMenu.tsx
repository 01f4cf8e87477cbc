// Chooses who answers next and with which model; the trigger is the child.
import { Settings2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { OfferedModel } from '../../../shared/model/provider';
import { loadModels, openSettings, useModels, useSettings } from '../../state/appSlice';
import { chooseAgent, chooseModel, useNextAgent } from '../../state/nextAgent';
import { formatCompact } from '../../ui/format';
import { Menu, type MenuItem } from '../../ui/Menu';

export function AgentMenu({ children, align = 'start' }: { children: ReactNode; align?: 'start' | 'end' | undefined }) {
  const items = useItems();
  return (
    <Menu items={items} align={align} onOpenChange={(open) => void (open && loadModels())}>
      {children}
    </Menu>
  );
}

function useItems(): MenuItem[] {
  const { t, i18n } = useTranslation('talk');
  const settings = useSettings();
  const models = useModels();
  const { agent } = useNextAgent();
  const items: MenuItem[] = [{ kind: 'heading', id: 'agents', label: t('agent.answersNext') }];
  for (const candidate of settings?.agents ?? []) {
    const hint = candidate.model ? candidate.model.slice(candidate.model.indexOf('/') + 1) : t('agent.noModel');
    items.push({
      id: `agent ${candidate.id}`,
      label: candidate.name,
      hint,
      checked: candidate.id === agent?.id,
      onSelect: () => chooseAgent(candidate.id),
    });
  }
  if (agent) {
    items.push({ kind: 'line', id: 'line' }, { kind: 'heading', id: 'models', label: t('agent.modelOf', { agent: agent.name }) });
    if (!models) items.push({ id: 'loading', label: t('agent.loading'), disabled: true, onSelect: () => undefined });
    const size = (model: OfferedModel) => (model.contextWindow ? ` · ${formatCompact(model.contextWindow, i18n.language)}` : '');
    for (const model of models ?? []) {
      const hint = `${model.providerName}${size(model)}`;
      items.push({
        id: model.ref,
        label: model.name ?? model.id,
        hint,
        checked: model.ref === agent.model,
        onSelect: () => void chooseModel(agent.id, model.ref),
      });
    }
  }
  items.push(
    { kind: 'line', id: 'end' },
    { id: 'settings', label: t('agent.settings'), icon: <Settings2 aria-hidden="true" />, onSelect: () => openSettings('agents') },
  );
  return items;
}
