// The agent that answers when the settings name none: so a settings file with only a provider can chat at once.
import type { Agent } from '../../shared/model/agent';
import type { AgentId } from '../../shared/model/ids';
import type { UserSettings } from '../../shared/model/settings';
import { toolNames } from '../../shared/model/tool';

export const defaultAgentId = 'assistant' as AgentId;

/** With the first stated model of the first provider, or none. It has every tool: what changes anything asks first (A4). */
export function defaultAgent(settings: UserSettings): Agent {
  const provider = settings.providers.find((entry) => entry.models.length > 0);
  const model = provider?.models[0];
  return {
    id: defaultAgentId,
    name: 'Assistant',
    model: provider && model ? `${provider.id}/${model.id}` : null,
    systemPrompt: 'You are a helpful assistant. Answer in the language of the user. Use Markdown where it helps.',
    tools: [...toolNames],
    approval: 'ask',
    parameters: {},
  };
}
