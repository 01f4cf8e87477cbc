// `/agent` and `/model`: whom a typed name means, and that one is chosen (section K).
import { nearestTo } from '../../shared/commands';
import type { Agent } from '../../shared/model/agent';
import type { OfferedModel } from '../../shared/model/provider';
import { appState, loadModels, setSettings } from './appSlice';
import { client } from './client';
import { done, type Outcome, refused } from './commandOutcome';
import { setDraftAgent } from './composerSlice';
import { applyConversation } from './conversationsSlice';
import { nextAgentNow } from './nextAgent';
import { applyOpenConversation } from './talkSlice';
import { talkState } from './talkStore';

export async function chooseAgentNamed(name: string | null): Promise<Outcome> {
  const agents = appState().settings?.agents ?? [];
  const known = agents.map((agent) => agent.name);
  if (name === null) {
    const { agent } = nextAgentNow();
    return agent ? done('agentNow', { agent: agent.name, all: known }) : refused('noAgent', {}, { known });
  }
  const agent = agentNamed(name, agents);
  if (!agent) return refused('agentUnknown', { name }, { known, meant: nearestTo(name, known) });
  const { conversationId } = talkState();
  if (conversationId) {
    const conversation = await client().conversations.setAgent({ conversationId, agentId: agent.id });
    applyConversation(conversation);
    applyOpenConversation(conversation);
  } else setDraftAgent(agent.id);
  return done('agent', { agent: agent.name });
}

const folded = (text: string) => text.normalize('NFC').toLocaleLowerCase();
/** By its whole name (with or without the sign that addresses it), else by the beginning of one name. */
function agentNamed(typed: string, agents: readonly Agent[]): Agent | undefined {
  const name = folded(typed.replace(/^@/, ''));
  const begun = agents.filter((agent) => folded(agent.name).startsWith(name));
  return agents.find((agent) => folded(agent.name) === name) ?? (begun.length === 1 ? begun[0] : undefined);
}

export async function chooseModelNamed(typed: string | null): Promise<Outcome> {
  const { agent } = nextAgentNow();
  if (!agent) return refused('noAgent');
  if (typed === null) return agent.model ? done('modelNow', { agent: agent.name, model: agent.model }) : refused('noAgent');
  if (!appState().models) await loadModels();
  const models = appState().models ?? [];
  const found = modelsNamed(typed, models);
  const ref = found.length === 1 ? found[0]?.ref : refOfUnlisted(typed);
  if (!ref) {
    const known = (found.length > 0 ? found : models).map((model) => model.ref);
    return refused(found.length > 0 ? 'modelSeveral' : 'modelUnknown', { name: typed }, { known, meant: nearestModel(typed, models) });
  }
  setSettings(await client().agents.setModel({ agentId: agent.id, model: ref }));
  return done('model', { agent: agent.name, model: ref });
}

/** Those meant: by `provider/model`, else by the model's own id or name, else by a part of any of these. */
function modelsNamed(typed: string, models: readonly OfferedModel[]): readonly OfferedModel[] {
  const name = folded(typed);
  const namesOf = (model: OfferedModel) => [model.ref, model.id, model.name ?? model.id].map(folded);
  const exact = models.filter((model) => folded(model.ref) === name);
  if (exact.length > 0) return exact;
  const whole = models.filter((model) => namesOf(model).includes(name));
  return whole.length > 0 ? whole : models.filter((model) => namesOf(model).some((each) => each.includes(name)));
}
/** A server may serve more than it lists: a model of a provider that is set up is taken at its word. */
function refOfUnlisted(typed: string): string | undefined {
  const providers = appState().settings?.providers ?? [];
  return providers.some((provider) => typed.startsWith(`${provider.id}/`) && typed.length > provider.id.length + 1) ? typed : undefined;
}
function nearestModel(typed: string, models: readonly OfferedModel[]): string | null {
  const nearest = nearestTo(typed, [...models.map((model) => model.ref), ...models.map((model) => model.id)]);
  return models.find((model) => model.ref === nearest || model.id === nearest)?.ref ?? null;
}
