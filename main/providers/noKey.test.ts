// Providers that need a key, without one (P1, P3).
import { expect, it } from 'vitest';
import type { ProviderId } from '../../shared/model/ids';
import type { ProviderConfig, ProviderKind } from '../../shared/model/provider';
import { getProvider } from './registry';

it.each<ProviderKind>(['openai-chat', 'openai-responses', 'gemini'])(
  'P1, P3: %s without a key says so before anything is sent',
  async (kind) => {
    const provider: ProviderConfig = { id: 'p' as ProviderId, name: 'P', kind, models: [] };
    const connection = { provider, apiKey: null, readBlob: () => Promise.reject(new Error('none')) };
    const request = {
      modelId: 'm',
      system: '',
      messages: [{ role: 'user' as const, parts: [{ type: 'text' as const, text: 'x' }] }],
      parameters: {},
    };
    const adapter = await getProvider(kind);
    const events = [];
    for await (const event of adapter.stream(request, connection, new AbortController().signal)) events.push(event);
    expect(events).toMatchObject([{ type: 'failed', failure: { code: 'noKey' } }]);
    await expect(adapter.listModels(connection, new AbortController().signal)).rejects.toMatchObject({ failure: { code: 'noKey' } });
  },
);
