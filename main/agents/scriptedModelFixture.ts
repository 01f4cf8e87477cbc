// A model that says what it is told, without a server, for programs of tests that end themselves.
import type { Agent } from '../../shared/model/agent';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, ProviderEvent } from '../../shared/model/request';
import { defaultPreferences } from '../../shared/model/settings';
import type { ModelAccess } from './modelAccess';

export type Scripted = {
  agent: Agent;
  model: ModelInfo;
  /** What is known of it before it is reached; the same as `model` when left out. */
  info?: ModelInfo | null;
  /** Given anew for each request; may end the process. The model is done after it. */
  answer(request: ModelRequest): Iterable<ProviderEvent>;
};

export function scriptedModel({ agent, model, info = model, answer }: Scripted): ModelAccess {
  async function* stream(request: ModelRequest): AsyncGenerator<ProviderEvent> {
    const said = answer(request);
    yield { type: 'accepted' };
    yield* said;
    yield { type: 'done', finish: 'stop' };
  }
  return {
    reach: async () => ({
      provider: { stream, listModels: async () => [] },
      connection: {
        provider: { id: 'scripted' as never, name: 'S', kind: 'demo', models: [] },
        apiKey: null,
        readBlob: async () => new Uint8Array(),
      },
      model,
      local: false,
    }),
    modelInfo: () => info,
    learn: () => undefined,
    agent: () => agent,
    agents: () => [agent],
    preferences: () => ({ ...defaultPreferences, autoTitle: false }),
    roles: () => ({}),
  };
}

/** A call as a provider gives it. */
export const callOf = (callId: string, name: string, args: object): ProviderEvent => ({
  type: 'toolCall',
  index: 0,
  callId,
  name,
  arguments: JSON.stringify(args),
  valid: true,
});
