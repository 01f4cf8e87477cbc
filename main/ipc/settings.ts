// The user's settings, as the window may change them. Keys go in and never come out (Z3).
import type { Agent } from '../../shared/model/agent';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ProviderId } from '../../shared/model/ids';
import type { ProviderConfig } from '../../shared/model/provider';
import type { UserSettings } from '../../shared/model/settings';
import { defaultAgent, defaultAgentId } from '../agents/defaultAgent';
import { discoverLocal } from '../providers/discovery';
import { base } from './base';
import type { WindowContext } from './context';

const demoProvider: ProviderConfig = { id: 'demo' as ProviderId, name: 'Demo', kind: 'demo', models: [] };

async function change(context: WindowContext, edit: (settings: UserSettings) => UserSettings) {
  await context.userSettings.change(edit);
  return context.settingsChanged();
}

/** Replaces the entry with this id, or adds it. */
function put<T extends { id: string }>(entries: readonly T[], entry: T): T[] {
  return entries.some((old) => old.id === entry.id) ? entries.map((old) => (old.id === entry.id ? entry : old)) : [...entries, entry];
}

/** With no agent of the user's own yet, a change to the default one makes it theirs. */
function agentsToChange(settings: UserSettings): Agent[] {
  return settings.agents.length > 0 ? settings.agents : [defaultAgent(settings)];
}

function changeAgent(context: WindowContext, id: AgentId, edit: (agent: Agent) => Agent) {
  return change(context, (settings) => {
    const agents = agentsToChange(settings);
    // One that only this workspace knows becomes the user's own with the first change to it (W2).
    const agent = agents.find((one) => one.id === id) ?? context.models.agent(id);
    if (!agent) throw new FailureError(makeFailure('agentUnknown', 'This agent is no longer there.'));
    return { ...settings, agents: put(agents, edit(agent)) };
  });
}

/** The provider as saved, with the key from the settings file where the window said to keep it. */
function withStoredKey(context: WindowContext, provider: Omit<ProviderConfig, 'apiKey'>, keep: boolean): ProviderConfig {
  const old = context.userSettings.get().providers.find((entry) => entry.id === provider.id);
  return keep && old?.apiKey ? { ...provider, apiKey: old.apiKey } : { ...provider };
}

export const settings = {
  get: base.settings.get.handler(({ context }) => context.settingsView()),
  askKeychain: base.settings.askKeychain.handler(async ({ context }) => ({ available: await context.secrets.keychain.available() })),
  savePreferences: base.settings.savePreferences.handler(({ input, context }) =>
    change(context, (old) => ({ ...old, preferences: { ...old.preferences, ...defined(input) } })),
  ),
  saveRoles: base.settings.saveRoles.handler(({ input, context }) => change(context, (old) => ({ ...old, roles: input }))),
  saveCompaction: base.settings.saveCompaction.handler(({ input, context }) => change(context, (old) => ({ ...old, compaction: input }))),
  saveProvider: base.settings.saveProvider.handler(async ({ input, context }) => {
    const { key } = input;
    const variable = key.action === 'set' && /^\$\{\w+\}$/.test(key.value);
    const provider = withStoredKey(context, input.provider, key.action === 'keep');
    if (key.action === 'set' && variable) provider.apiKey = key.value;
    if (key.action === 'set' && !variable) await context.secrets.set(provider.id, key.value, key.storage);
    if (key.action === 'clear' || variable) await context.secrets.clear(provider.id);
    return change(context, (old) => ({ ...old, providers: put(old.providers, provider) }));
  }),
  removeProvider: base.settings.removeProvider.handler(async ({ input, context }) => {
    await context.secrets.clear(input.providerId);
    return change(context, (old) => ({ ...old, providers: old.providers.filter((entry) => entry.id !== input.providerId) }));
  }),
  testProvider: base.settings.testProvider.handler(async ({ input, context }) => {
    const provider = withStoredKey(context, input.provider, input.key.action === 'keep');
    if (input.key.action === 'clear') return context.models.test(provider, null);
    if (input.key.action === 'keep') return context.models.test(provider, await context.secrets.keyOf(provider));
    const typed: ProviderConfig = { ...provider, id: 'key-being-tested' as ProviderId, apiKey: input.key.value };
    return context.models.test(provider, await context.secrets.keyOf(typed));
  }),
  discoverLocal: base.settings.discoverLocal.handler(() => discoverLocal()),
  models: base.settings.models.handler(({ input, context }) => context.models.offered(input.refresh)),
  saveModel: base.settings.saveModel.handler(({ input, context }) =>
    change(context, (old) => ({
      ...old,
      providers: old.providers.map((entry) =>
        entry.id === input.providerId ? { ...entry, models: put(entry.models, input.model) } : entry,
      ),
    })),
  ),
  forgetLimit: base.settings.forgetLimit.handler(async ({ input, context }) => {
    await context.models.forgetLimit(input.model);
    return context.settingsChanged();
  }),
  saveAgent: base.settings.saveAgent.handler(({ input, context }) =>
    change(context, (old) => ({ ...old, agents: put(agentsToChange(old), input.agent) })),
  ),
  removeAgent: base.settings.removeAgent.handler(({ input, context }) =>
    change(context, (old) => {
      const agents = agentsToChange(old).filter((agent) => agent.id !== input.agentId);
      if (agents.length === 0) throw new FailureError(makeFailure('invalidInput', 'One agent has to stay.'));
      return { ...old, agents };
    }),
  ),
  finishOnboarding: base.settings.finishOnboarding.handler(({ input, context }) =>
    change(context, (old) => {
      const demo = input.model?.startsWith('demo/') ?? false;
      const providers = demo ? put(old.providers, demoProvider) : old.providers;
      const agents = old.agents.length > 0 ? old.agents : [defaultAgent({ ...old, providers })];
      const chosen = agents.map((agent) => (agent.id === defaultAgentId && input.model ? { ...agent, model: input.model } : agent));
      return { ...old, providers, agents: chosen, onboarded: true };
    }),
  ),
  moveKeysToKeychain: base.settings.moveKeysToKeychain.handler(async ({ context }) => {
    for (const provider of context.userSettings.get().providers) {
      if (context.secrets.sourceOf(provider).source !== 'settingsFile' || !provider.apiKey) continue;
      await context.secrets.set(provider.id, provider.apiKey, 'keychain');
      await context.userSettings.change((old) => ({
        ...old,
        providers: old.providers.map((entry) => (entry.id === provider.id ? withoutKey(entry) : entry)),
      }));
    }
    return context.settingsChanged();
  }),
  revealFile: base.settings.revealFile.handler(({ context }) => context.desktop.reveal(context.userSettings.file)),
};

export const agents = {
  setModel: base.agents.setModel.handler(({ input, context }) =>
    changeAgent(context, input.agentId, (agent) => ({ ...agent, model: input.model })),
  ),
  setParameters: base.agents.setParameters.handler(({ input, context }) =>
    changeAgent(context, input.agentId, (agent) => ({ ...agent, parameters: input.parameters })),
  ),
};

function withoutKey(provider: ProviderConfig): ProviderConfig {
  const { apiKey: _moved, ...rest } = provider;
  return rest;
}

function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>;
  };
}
