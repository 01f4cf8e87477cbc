// OpenAI's Responses API.
import type { OpenAI } from 'openai';
import type { ModelRequest, ProviderEvent } from '../../../shared/model/request';
import type { Adjustment, Adjustments } from '../adjust';
import { type Attempt, streamWith } from '../attempts';
import { hasCalls, nextCallNumber } from '../callIds';
import { catalogEntry } from '../catalog';
import type { Connection, Provider } from '../port';
import { redactorOf } from '../redact';
import { makeClient } from './client';
import { listOpenAiModels } from './models';
import { responsesInput } from './responsesInput';
import { ResponsesReader } from './responsesReader';

type Body = OpenAI.Responses.ResponseCreateParamsStreaming;

export const responsesProvider: Provider = {
  stream: (request, connection, signal) => streamWith({ usable, run }, request, connection, signal),
  listModels: listOpenAiModels,
};

function usable(request: ModelRequest): Adjustment[] {
  const { temperature, maxOutput } = request.parameters;
  return [
    'noReasoningSummary',
    'noReasoningEffort',
    ...(maxOutput === undefined ? [] : (['noMaxTokens'] as const)),
    ...(temperature === undefined ? [] : (['noTemperature'] as const)),
    ...(request.tools?.length && thinks(request) ? (['noEncryptedReasoning'] as const) : []),
    ...(hasCalls(request) ? (['plainCallIds'] as const) : []),
    ...(request.messages.some(({ parts }) => parts.some(({ type }) => type === 'vendor')) ? (['noReasoningItems'] as const) : []),
  ];
}

async function* run({ request, connection, baseUrl, wire, signal, applied }: Attempt): AsyncGenerator<ProviderEvent> {
  const body = await responsesBody(request, connection, applied);
  const stream = await makeClient(connection, baseUrl, wire.fetch).responses.create(body, { signal });
  yield { type: 'accepted' };
  const reader = new ResponsesReader(redactorOf(connection), request.tools?.length ? nextCallNumber(request.messages) : null);
  for await (const event of stream) yield* reader.read(event);
  signal.throwIfAborted();
  yield* reader.end();
}

export async function responsesBody(request: ModelRequest, connection: Connection, applied: Adjustments): Promise<Body> {
  const { temperature, maxOutput } = request.parameters;
  // `store: false`: nothing of a local conversation is kept on the server.
  const body: Body = { model: request.modelId, input: [], stream: true, store: false };
  body.input = await responsesInput(request, connection, applied);
  if (request.system.trim() !== '') body.instructions = request.system;
  if (temperature !== undefined && !applied.has('noTemperature')) body.temperature = temperature;
  if (maxOutput !== undefined && !applied.has('noMaxTokens')) body.max_output_tokens = maxOutput;
  const reasoning = reasoningOptions(request, applied);
  if (reasoning) body.reasoning = reasoning;
  if (request.tools?.length) {
    body.tools = request.tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    }));
    // Between calls the model goes on from its own thoughts, which the server does not keep.
    if (thinks(request) && !applied.has('noEncryptedReasoning')) body.include = ['reasoning.encrypted_content'];
  }
  return body;
}

function thinks({ modelId, parameters: { reasoningEffort } }: ModelRequest): boolean {
  return reasoningEffort === undefined ? catalogEntry(modelId)?.reasoning === true : reasoningEffort !== 'off';
}

function reasoningOptions(request: ModelRequest, applied: Adjustments): OpenAI.Reasoning | null {
  const { reasoningEffort } = request.parameters;
  if (applied.has('noReasoningEffort')) return null;
  const effort = reasoningEffort === 'off' ? 'none' : reasoningEffort;
  const options: OpenAI.Reasoning = {
    ...(effort === undefined ? {} : { effort }),
    ...(thinks(request) && !applied.has('noReasoningSummary') ? { summary: 'auto' as const } : {}),
  };
  return Object.keys(options).length > 0 ? options : null;
}
