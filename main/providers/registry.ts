// From a provider's kind to its adapter. Adapters (and the SDKs bundled with them) load at first use, never before the first paint.
import { assertNever } from '../../shared/model/assertNever';
import type { ProviderKind } from '../../shared/model/provider';
import type { Provider } from './port';

export async function getProvider(kind: ProviderKind): Promise<Provider> {
  switch (kind) {
    case 'openai-chat':
      return (await import('./openai/chat')).chatProvider;
    case 'openai-responses':
      return (await import('./openai/responses')).responsesProvider;
    case 'gemini':
      return (await import('./gemini/gemini')).geminiProvider;
    case 'demo':
      return (await import('./demo/demo')).demoProvider;
    default:
      return assertNever(kind);
  }
}
