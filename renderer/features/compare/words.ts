// Names and times as the comparison says them.
import { useTranslation } from 'react-i18next';
import { nameOfModel } from '../../../shared/model/agent';
import type { ComparedBranch, SideName } from '../../../shared/model/comparison';
import type { AgentId } from '../../../shared/model/ids';
import type { MessageView } from '../../../shared/model/talkView';
import { plainWords } from '../../../shared/text/plainWords';
import { useSettings } from '../../state/appSlice';
import { useAgentNames } from '../../state/talkSlice';

export const sides: readonly SideName[] = ['left', 'right'];

/** An agent by the settings, else by the workspace's copy of it (W2), else by its id. */
export function useNameOf(): (agentId: AgentId | undefined, model?: string) => string {
  const { t } = useTranslation('compare');
  const settings = useSettings();
  const names = useAgentNames();
  return (agentId, model) => {
    if (!agentId) return nameOfModel(model) ?? t('someone');
    return settings?.agents.find((agent) => agent.id === agentId)?.name ?? names[agentId] ?? agentId;
  };
}

export function useWhoWrote(): (message: MessageView) => string {
  const { t } = useTranslation('compare');
  const nameOf = useNameOf();
  return ({ role, agentId, model }) => (role === 'assistant' ? nameOf(agentId, model) : t(role === 'user' ? 'you' : 'digest'));
}

export function useBranchName(): (branch: ComparedBranch) => string {
  const { t } = useTranslation('compare');
  return ({ label, prompt, roles }) => label ?? (roles.length === 0 ? t('nothingOwn') : plainWords(prompt) || t('noWords'));
}

const formats = new Map<string, Intl.DateTimeFormat>();
export function timeOf(at: number, language: string): string {
  const format = formats.get(language) ?? new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
  formats.set(language, format);
  return format.format(at);
}
