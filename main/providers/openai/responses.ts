// OpenAI's Responses API.
import type { OpenAI } from 'openai';
import type { ModelRequest, ProviderEvent, RequestMessage } from '../../../shared/model/request';
import type { Adjustment, Adjustments } from '../adjust';
import { type Attempt, streamWith } from '../attempts';
import { catalogEntry } from '../catalog';
import { loadParts } from '../images';
import type { Connection, Provider } from '../port';
import { redactorOf } from '../redact';
import { joinText } from '../repair';
import { makeClient } from './client';
import { listOpenAiModels } from './models';
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
  ];
}

async function* run({ request, connection, baseUrl, wire, signal, applied }: Attempt): AsyncGenerator<ProviderEvent> {
  const body = await responsesBody(request, connection, applied);
  const stream = await makeClient(connection, baseUrl, wire.fetch).responses.create(body, { signal });
  yield { type: 'accepted' };
  const reader = new ResponsesReader(redactorOf(connection));
  for await (const event of stream) yield* reader.read(event);
  signal.throwIfAborted();
  yield* reader.end();
}

async function responsesBody(request: ModelRequest, connection: Connection, applied: Adjustments): Promise<Body> {
  const { temperature, maxOutput } = request.parameters;
  // `store: false`: nothing of a local conversation is kept on the server.
  const body: Body = { model: request.modelId, input: [], stream: true, store: false };
  body.input = await Promise.all(request.messages.map((message) => inputItem(message, connection)));
  if (request.system.trim() !== '') body.instructions = request.system;
  if (temperature !== undefined && !applied.has('noTemperature')) body.temperature = temperature;
  if (maxOutput !== undefined && !applied.has('noMaxTokens')) body.max_output_tokens = maxOutput;
  const reasoning = reasoningOptions(request, applied);
  if (reasoning) body.reasoning = reasoning;
  return body;
}

function reasoningOptions(request: ModelRequest, applied: Adjustments): OpenAI.Reasoning | null {
  const { reasoningEffort } = request.parameters;
  if (applied.has('noReasoningEffort')) return null;
  const thinks = reasoningEffort === undefined ? catalogEntry(request.modelId)?.reasoning === true : reasoningEffort !== 'off';
  const effort = reasoningEffort === 'off' ? 'none' : reasoningEffort;
  const options: OpenAI.Reasoning = {
    ...(effort === undefined ? {} : { effort }),
    ...(thinks && !applied.has('noReasoningSummary') ? { summary: 'auto' as const } : {}),
  };
  return Object.keys(options).length > 0 ? options : null;
}

async function inputItem(message: RequestMessage, connection: Connection): Promise<OpenAI.Responses.EasyInputMessage> {
  // Reasoning goes back only as the opaque items it came in, never as text.
  if (message.role === 'assistant') return { role: 'assistant', content: joinText(message.parts) };
  const content: OpenAI.Responses.ResponseInputMessageContentList = [];
  for (const part of await loadParts(message.parts, connection)) {
    if (part.type === 'text') content.push({ type: 'input_text', text: part.text });
    else if (part.type === 'image')
      content.push({ type: 'input_image', detail: 'auto', image_url: `data:${part.mime};base64,${part.base64}` });
  }
  return { role: 'user', content };
}
