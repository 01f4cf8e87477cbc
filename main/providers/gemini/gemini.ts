// Gemini through Google's own library (its web entry: no service accounts, a third of the weight).
import { GoogleGenAI } from '@google/genai/web';
import * as z from 'zod/mini';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { ModelInfo } from '../../../shared/model/provider';
import type { ProviderEvent } from '../../../shared/model/request';
import { type Attempt, streamWith } from '../attempts';
import { normalizeBaseUrl } from '../baseUrl';
import { nextCallNumber } from '../callIds';
import { failureFromThrown } from '../errors';
import { abortFailure } from '../guard';
import type { Connection, Provider } from '../port';
import { redactorOf } from '../redact';
import { hasKey, sendableKey } from '../sendableKey';
import { makePlainFetch } from '../wire';
import { GeminiReader } from './geminiReader';
import { geminiParameters, usableAdjustments } from './geminiRequest';

export const geminiProvider: Provider = {
  stream: (request, connection, signal) => streamWith({ usable: usableAdjustments, run }, request, connection, signal),
  listModels,
};

async function* run({ request, connection, baseUrl, wire, signal, applied }: Attempt): AsyncGenerator<ProviderEvent> {
  const client = makeClient(connection, baseUrl, wire.fetch);
  const parameters = await geminiParameters(request, connection, applied);
  const chunks = await client.models.generateContentStream({ ...parameters, config: { ...parameters.config, abortSignal: signal } });
  yield { type: 'accepted' };
  const reader = new GeminiReader(request.tools?.length ? nextCallNumber(request.messages) : null);
  for await (const chunk of chunks) yield* reader.read(chunk);
  signal.throwIfAborted();
  yield* reader.end(wire.ended() === 'done');
}

function makeClient(connection: Connection, baseUrl: string, fetchThrough: typeof fetch): GoogleGenAI {
  const apiKey = sendableKey(connection);
  if (apiKey === null && /(^|\.)googleapis\.com$/.test(new URL(baseUrl).hostname)) {
    throw new FailureError(makeFailure('noKey', 'This provider needs a key.'));
  }
  return new GoogleGenAI({
    apiKey: apiKey ?? 'none',
    vertexai: false,
    httpOptions: { baseUrl, apiVersion: 'v1beta', headers: { ...connection.provider.headers }, fetch: fetchThrough },
  });
}

const count = z.catch(z.nullish(z.int().check(z.minimum(1))), null);
const pageShape = z.object({
  models: z.catch(
    z.array(
      z.object({
        name: z.string(),
        displayName: z.catch(z.nullish(z.string()), null),
        inputTokenLimit: count,
        outputTokenLimit: count,
        supportedGenerationMethods: z.catch(z.nullish(z.array(z.string())), null),
        thinking: z.catch(z.nullish(z.boolean()), null),
      }),
    ),
    () => [],
  ),
});

/** One page of up to 1,000 models, which is more than there are. Asked as plain JSON: the library's pager hides half of the facts. */
async function listModels(connection: Connection, signal: AbortSignal): Promise<ModelInfo[]> {
  const baseUrl = normalizeBaseUrl('gemini', connection.provider.baseUrl);
  const redact = redactorOf(connection);
  const get = makePlainFetch({ redact, hasKey: hasKey(connection) });
  try {
    const apiKey = sendableKey(connection);
    const headers: Record<string, string> = {
      ...connection.provider.headers,
      ...(apiKey === null ? {} : { 'x-goog-api-key': apiKey }),
    };
    const response = await get(`${baseUrl}/v1beta/models?pageSize=1000`, { headers, signal });
    const page = pageShape.safeParse(await response.json());
    if (!page.success)
      throw new FailureError(makeFailure('badResponse', 'The server’s list of models could not be read.', { detail: { url: baseUrl } }));
    return page.data.models.filter(({ supportedGenerationMethods: methods }) => methods?.includes('generateContent') ?? true).map(toInfo);
  } catch (error) {
    // Without the cause: what a library throws may hold the key (Z3).
    if (signal.aborted) throw new FailureError(abortFailure(signal));
    throw new FailureError(failureFromThrown(error, { streaming: false, url: baseUrl }, redact));
  }
}

function toInfo(model: z.infer<typeof pageShape>['models'][number]): ModelInfo {
  return {
    id: model.name.replace(/^models\//, ''),
    ...(model.displayName ? { name: model.displayName } : {}),
    ...(model.inputTokenLimit ? { contextWindow: model.inputTokenLimit } : {}),
    ...(model.outputTokenLimit ? { maxOutput: model.outputTokenLimit } : {}),
    ...(model.thinking === null || model.thinking === undefined ? {} : { reasoning: model.thinking }),
  };
}
