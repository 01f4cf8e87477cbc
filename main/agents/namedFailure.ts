// Adapters do not know what a person called their provider: the failure gets the names before it is shown or stored.
import type { Failure } from '../../shared/model/failure';
import type { ProviderConfig } from '../../shared/model/provider';

/** The failure with the provider's name, its address and the model, where it does not say them already. */
export function nameFailure(failure: Failure, provider: Pick<ProviderConfig, 'name' | 'baseUrl'>, modelId?: string): Failure {
  const known = { provider: provider.name, ...(provider.baseUrl ? { url: provider.baseUrl } : {}), ...(modelId ? { model: modelId } : {}) };
  return { ...failure, detail: { ...known, ...failure.detail } };
}
