// GET /models of any OpenAI-compatible server, with the facts that gateways and local servers add.
import * as z from 'zod/mini';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { ModelInfo } from '../../../shared/model/provider';
import { isLocalUrl, normalizeBaseUrl, withVersion } from '../baseUrl';
import { failureFromThrown } from '../errors';
import { abortFailure } from '../guard';
import { askLocalServer } from '../localServer';
import type { Connection } from '../port';
import { redactorOf } from '../redact';
import { hasKey } from '../sendableKey';
import { makePlainFetch } from '../wire';
import { makeClient } from './client';

const count = z.catch(z.nullish(z.number()), null);
const strings = z.catch(z.nullish(z.array(z.string())), null);
const price = z.catch(z.nullish(z.union([z.string(), z.number()])), null);
const modelShape = z.object({
  id: z.string(),
  name: z.catch(z.nullish(z.string()), null),
  context_length: count,
  context_window: count,
  max_context_length: count,
  max_model_len: count,
  max_completion_tokens: count,
  top_provider: z.catch(z.nullish(z.object({ max_completion_tokens: count, context_length: count })), null),
  architecture: z.catch(z.nullish(z.object({ input_modalities: strings })), null),
  supported_parameters: strings,
  pricing: z.catch(z.nullish(z.object({ prompt: price, completion: price, input_cache_read: price })), null),
  capabilities: z.catch(
    z.nullish(z.object({ vision: z.catch(z.nullish(z.boolean()), null), function_calling: z.catch(z.nullish(z.boolean()), null) })),
    null,
  ),
});
const listShape = z.union([z.object({ data: z.array(z.unknown()) }), z.array(z.unknown()), z.object({ models: z.array(z.unknown()) })]);

export async function listOpenAiModels(connection: Connection, signal: AbortSignal): Promise<ModelInfo[]> {
  const baseUrl = normalizeBaseUrl(connection.provider.kind, connection.provider.baseUrl);
  try {
    return await fetchModels(connection, baseUrl, signal);
  } catch (error) {
    const failure = toFailure(error, connection, baseUrl, signal);
    const versioned = withVersion(baseUrl);
    if (!versioned || (failure.failure.code !== 'badUrl' && failure.failure.code !== 'badResponse')) throw failure;
    try {
      const models = await fetchModels(connection, versioned, signal);
      connection.onLearned?.({ type: 'baseUrl', value: versioned });
      return models;
    } catch (second) {
      const secondFailure = toFailure(second, connection, versioned, signal);
      // Whatever answers under /v1 knows the path: its words (a bad key, say) tell more than the 404 of the first try.
      throw secondFailure.failure.code === 'badUrl' || secondFailure.failure.code === 'badResponse' ? failure : secondFailure;
    }
  }
}

async function fetchModels(connection: Connection, baseUrl: string, signal: AbortSignal): Promise<ModelInfo[]> {
  const redact = redactorOf(connection);
  const client = makeClient(connection, baseUrl, makePlainFetch({ redact, hasKey: hasKey(connection) }));
  const answer: unknown = await client.get('/models', { signal });
  const list = listShape.safeParse(answer);
  if (!list.success)
    throw new FailureError(makeFailure('badResponse', 'The server’s list of models could not be read.', { detail: { url: baseUrl } }));
  const items = Array.isArray(list.data) ? list.data : 'data' in list.data ? list.data.data : list.data.models;
  const models = items.flatMap((item) => {
    const parsed = modelShape.safeParse(item);
    return parsed.success ? [toInfo(parsed.data)] : [];
  });
  // Asked of a server that has just answered, so the three extra addresses cost little.
  if (!isLocalUrl(baseUrl)) return models;
  const { models: loaded } = await askLocalServer(baseUrl, signal);
  return models.map((model) => ({ ...model, ...(loaded.get(model.id) ?? loaded.get('*')) }));
}

function toInfo(model: z.infer<typeof modelShape>): ModelInfo {
  const inputs = model.architecture?.input_modalities;
  const known: Partial<ModelInfo> = {
    name: model.name ?? undefined,
    contextWindow: positive(
      model.top_provider?.context_length ?? model.context_length ?? model.context_window ?? model.max_context_length ?? model.max_model_len,
    ),
    maxOutput: positive(model.top_provider?.max_completion_tokens ?? model.max_completion_tokens),
    vision: inputs ? inputs.includes('image') : (model.capabilities?.vision ?? undefined),
    reasoning: model.supported_parameters ? model.supported_parameters.includes('reasoning') : undefined,
    tools: model.supported_parameters ? model.supported_parameters.includes('tools') : (model.capabilities?.function_calling ?? undefined),
    inputPrice: perMillion(model.pricing?.prompt),
    outputPrice: perMillion(model.pricing?.completion),
    cachedInputPrice: perMillion(model.pricing?.input_cache_read),
  };
  return { id: model.id, ...Object.fromEntries(Object.entries(known).filter(([, value]) => value !== undefined)) };
}

function positive(value: number | null | undefined): number | undefined {
  return value && value > 0 && Number.isSafeInteger(value) ? value : undefined;
}

/** Gateways state dollars per token. */
function perMillion(value: string | number | null | undefined): number | undefined {
  const number = value === null || value === undefined || value === '' ? Number.NaN : Number(value);
  return Number.isFinite(number) && number >= 0 && number < 0.01 ? Math.round(number * 1e10) / 1e4 : undefined;
}

/** Without the cause: what a library throws may hold the key (Z3). */
function toFailure(error: unknown, connection: Connection, url: string, signal: AbortSignal): FailureError {
  if (signal.aborted) return new FailureError(abortFailure(signal));
  return new FailureError(failureFromThrown(error, { streaming: false, url }, redactorOf(connection)));
}
