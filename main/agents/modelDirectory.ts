// Finds providers, models and agents in the settings of the moment, and asks servers what they offer.
import type { Agent } from '../../shared/model/agent';
import { splitModel } from '../../shared/model/agent';
import type { CompactionSettings } from '../../shared/model/compaction';
import { type Failure, FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, BlobHash } from '../../shared/model/ids';
import type { LearnedFacts, Lesson, ModelInfo, OfferedModel, ProviderConfig } from '../../shared/model/provider';
import type { UserSettings } from '../../shared/model/settings';
import { imageRuleOf } from '../context/imagePrice';
import { mergeModels } from '../providers/catalog';
import { isLocalServer, withLimits } from '../providers/limits';
import type { Connection, Learned } from '../providers/port';
import { getProvider } from '../providers/registry';
import { defaultAgent } from './defaultAgent';
import type { ModelAccess, ReachedModel } from './modelAccess';
import { nameFailure } from './namedFailure';

/** By `providerId/modelId` and the provider's address; `listed` is what the server's own list says of it. */
type Limits = {
  now(): number;
  of(modelRef: string, address: string): LearnedFacts;
  learn(
    modelRef: string,
    address: string,
    lesson: Lesson & { listed?: (Pick<ModelInfo, 'vision'> & { window?: number | undefined }) | undefined },
  ): void;
  forget(modelRef: string): Promise<void>;
};

export type ModelDirectoryDeps = {
  settings(): UserSettings;
  keyOf(provider: ProviderConfig): Promise<string | null>;
  readBlob(hash: BlobHash): Promise<Uint8Array>;
  /** Draws pictures in a thread of its own; without it they are drawn here. */
  drawPicture?: Connection['drawPicture'];
  /** What refusals taught; all workspaces share it. */
  limits: Limits;
  /** The workspace's copy of an agent that the settings do not know (W2). */
  usedAgent(id: AgentId): Agent | undefined;
};

/** Servers are asked for their list at most this often unless the person asks. */
const listLimit = 15_000;

export type ModelDirectory = ModelAccess & {
  /** The user's numbers of the ladder. */
  compaction(): CompactionSettings;
  /** Every model of every provider; what a server says is remembered until `refresh`. */
  offered(refresh: boolean): Promise<{ models: OfferedModel[]; failures: { providerId: string; failure: Failure }[] }>;
  /** Asks one provider, saved or not, with this key. */
  test(provider: ProviderConfig, apiKey: string | null): Promise<{ ok: boolean; models: OfferedModel[]; failure?: Failure }>;
  /** Forgets what refusals taught of a model (L7). */
  forgetLimit(modelRef: string): Promise<void>;
};

/** Makes connections, with what servers taught about themselves: kept for one address, so that a changed one starts anew. */
function connector(deps: ModelDirectoryDeps): (provider: ProviderConfig, apiKey: string | null) => Connection {
  const learned = new Map<string, Partial<ProviderConfig>>();
  return (provider, apiKey) => {
    const { apiKey: _inFile, ...config } = provider;
    const address = `${provider.id} ${provider.baseUrl ?? ''}`;
    return {
      provider: { ...config, ...learned.get(address) },
      apiKey,
      readBlob: deps.readBlob,
      drawPicture: deps.drawPicture,
      onLearned: (fact: Learned) => {
        const change = fact.type === 'includeUsage' ? { includeUsage: fact.value } : { baseUrl: fact.value };
        learned.set(address, { ...learned.get(address), ...change });
      },
    };
  };
}

/** The models of each provider by its server's own list, and with the limits in force. */
function lister({ settings, limits }: ModelDirectoryDeps) {
  const lists = new Map<string, { models: ModelInfo[]; at: number }>();
  const listedBy = (provider: ProviderConfig, modelId: string) => {
    const list = lists.get(provider.id);
    const model = list?.models.find(({ id }) => id === modelId);
    return list && { window: model?.contextWindow, vision: model?.vision, at: list.at };
  };
  const limited = (provider: ProviderConfig, models: OfferedModel[]) =>
    models.map((model) => ({
      ...withLimits(model, provider, limits.of(model.ref, provider.baseUrl ?? ''), listedBy(provider, model.id)),
      imageRule: model.imageRule ?? imageRuleOf({ modelId: model.id, kind: provider.kind, baseUrl: provider.baseUrl }),
    }));
  const providerOf = (modelRef: string) => {
    const { providerId, modelId } = splitModel(modelRef);
    return { provider: settings().providers.find(({ id }) => id === providerId), providerId, modelId };
  };
  const modelsOf = (provider: ProviderConfig) => limited(provider, mergeModels(provider, lists.get(provider.id)?.models ?? []));
  return {
    lists,
    modelsOf,
    providerOf,
    modelInfo: (modelRef: string): ModelInfo | null => {
      const { provider, modelId } = providerOf(modelRef);
      if (!provider) return null;
      const unlisted = () => limited(provider, mergeModels({ ...provider, models: [{ id: modelId }] }, []))[0];
      return modelsOf(provider).find((model) => model.id === modelId) ?? unlisted() ?? null;
    },
    learn: (modelRef: string, lesson: Lesson) => {
      const { provider, modelId } = providerOf(modelRef);
      if (provider) limits.learn(modelRef, provider.baseUrl ?? '', { ...lesson, listed: listedBy(provider, modelId) });
    },
  };
}

export function createModelDirectory(deps: ModelDirectoryDeps): ModelDirectory {
  const { lists, modelsOf, providerOf, modelInfo, learn } = lister(deps);
  const connectionOf = connector(deps);
  const list = async (provider: ProviderConfig, apiKey: string | null): Promise<ModelInfo[]> => {
    const adapter = await getProvider(provider.kind);
    return adapter.listModels(connectionOf(provider, apiKey), AbortSignal.timeout(listLimit));
  };
  const agents = () => {
    const { agents: own } = deps.settings();
    return own.length > 0 ? own : [defaultAgent(deps.settings())];
  };

  return {
    agents,
    modelInfo,
    learn,
    forgetLimit: (modelRef) => deps.limits.forget(modelRef),
    agent: (id: AgentId | null) => (id === null ? agents()[0] : (agents().find((agent) => agent.id === id) ?? deps.usedAgent(id))) ?? null,
    compaction: () => deps.settings().compaction,
    preferences: () => deps.settings().preferences,
    roles: () => deps.settings().roles,
    reach: async (modelRef): Promise<ReachedModel | Failure> => {
      if (modelRef === '') return makeFailure('noModel', 'This agent has no model yet. Choose one.');
      const { provider, providerId, modelId } = providerOf(modelRef);
      if (!provider)
        return makeFailure('providerUnknown', `There is no provider "${providerId}" in the settings.`, {
          detail: { provider: providerId, model: modelId },
        });
      try {
        const apiKey = await deps.keyOf(provider);
        const model = modelInfo(modelRef) ?? { id: modelId };
        return {
          provider: await getProvider(provider.kind),
          connection: connectionOf(provider, apiKey),
          model,
          local: isLocalServer(provider),
        };
      } catch (error) {
        if (error instanceof FailureError) return error.failure;
        throw error;
      }
    },
    offered: async (refresh) => {
      const failures: { providerId: string; failure: Failure }[] = [];
      await Promise.all(
        deps.settings().providers.map(async (provider) => {
          if (lists.has(provider.id) && !refresh) return;
          try {
            const at = deps.limits.now();
            lists.set(provider.id, { models: await list(provider, await deps.keyOf(provider)), at });
          } catch (error) {
            if (!(error instanceof FailureError)) throw error;
            failures.push({ providerId: provider.id, failure: nameFailure(error.failure, provider) });
          }
        }),
      );
      return { models: deps.settings().providers.flatMap(modelsOf), failures };
    },
    test: async (provider, apiKey) => {
      try {
        const models = mergeModels(provider, await list(provider, apiKey));
        return { ok: true, models };
      } catch (error) {
        if (error instanceof FailureError) return { ok: false, models: [], failure: nameFailure(error.failure, provider) };
        throw error;
      }
    },
  };
}
