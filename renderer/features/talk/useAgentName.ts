// Names of agents and models as the talk shows them.
import { useTranslation } from 'react-i18next';
import { splitModel } from '../../../shared/model/agent';
import type { AgentId } from '../../../shared/model/ids';
import { useModels, useSettings } from '../../state/appSlice';
import { useAgentNames } from '../../state/talkSlice';

/** An agent that the settings do not know is shown by the workspace's copy of it (W2), else by its id. */
export function useAgentName(agentId: AgentId | undefined): string {
  const { t } = useTranslation('talk');
  const settings = useSettings();
  const names = useAgentNames();
  if (!agentId) return t('unknownAgent');
  return settings?.agents.find((agent) => agent.id === agentId)?.name ?? names[agentId] ?? agentId;
}

/** Of an answer: what came from another program has no agent and goes by its model. */
export function useAuthorName(agentId: AgentId | undefined, model: string | undefined): string {
  const agent = useAgentName(agentId);
  const names = useModelNames(model);
  return !agentId && names ? names.model : agent;
}

export type ModelNames = { model: string; provider: string; demo: boolean };

export function useModelNames(model: string | undefined): ModelNames | null {
  const settings = useSettings();
  const models = useModels();
  if (!model) return null;
  const { providerId, modelId } = splitModel(model);
  const provider = settings?.providers.find((candidate) => candidate.id === providerId);
  const offered = models?.find((candidate) => candidate.ref === model);
  return {
    model: offered?.name ?? modelId,
    provider: provider?.name ?? providerId,
    demo: provider?.kind === 'demo' || providerId === 'demo',
  };
}
