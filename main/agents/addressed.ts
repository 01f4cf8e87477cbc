// Who answers a message: the agents it addresses by name, in their order, else the one that was chosen (A1).

import { mentionedAgents } from '../../shared/mentions';
import type { Agent } from '../../shared/model/agent';
import type { ModelAccess } from './modelAccess';

export function addressed(models: Pick<ModelAccess, 'agents'>, text: string, chosen: Agent): [Agent, ...Agent[]] {
  const agents = models.agents();
  const [first, ...others] = mentionedAgents(text, agents).flatMap((id) => agents.find((agent) => agent.id === id) ?? []);
  return first ? [first, ...others] : [chosen];
}
