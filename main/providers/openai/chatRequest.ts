// A ModelRequest as the body of POST /chat/completions.
import type { OpenAI } from 'openai';
import type { ModelRequest } from '../../../shared/model/request';
import type { Adjustment, Adjustments } from '../adjust';
import { hasCalls } from '../callIds';
import type { Connection } from '../port';
import { echoAdjustments } from '../reasoningEcho';
import { type ChatMessage, chatMessages } from './chatMessages';
import { detailsFor } from './reasoningDetails';

export type ChatBody = OpenAI.ChatCompletionCreateParamsStreaming;

export function usableAdjustments(request: ModelRequest, connection: Connection): Adjustment[] {
  const { temperature, maxOutput, reasoningEffort } = request.parameters;
  return [
    ...(connection.provider.includeUsage === false ? [] : (['noUsageOption'] as const)),
    ...(maxOutput === undefined ? [] : (['otherMaxTokens', 'noMaxTokens'] as const)),
    ...(temperature === undefined ? [] : (['noTemperature'] as const)),
    ...(reasoningEffort === undefined ? [] : (['noReasoningEffort'] as const)),
    ...echoAdjustments(request),
    ...(request.messages.some(({ parts }) => detailsFor(parts, request.modelId).length > 0) ? (['noReasoningItems'] as const) : []),
    ...(request.messages.some(({ role }) => role === 'tool') ? (['bridgeTools'] as const) : []),
    ...(hasCalls(request) ? (['standInSignature', 'plainCallIds'] as const) : []),
    ...(request.system.trim() === '' && !request.messages.some(({ role }) => role === 'system') ? [] : (['systemAsUser'] as const)),
  ];
}

export async function chatBody(request: ModelRequest, connection: Connection, baseUrl: string, applied: Adjustments): Promise<ChatBody> {
  const { temperature, maxOutput, reasoningEffort } = request.parameters;
  const messages = await chatMessages(request, connection, baseUrl, applied);
  const body: ChatBody = {
    model: request.modelId,
    messages: withSystem(request.system, messages, applied.has('systemAsUser')),
    stream: true,
  };
  if (request.tools?.length)
    body.tools = request.tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    }));
  if (connection.provider.includeUsage !== false && !applied.has('noUsageOption')) body.stream_options = { include_usage: true };
  if (temperature !== undefined && !applied.has('noTemperature')) body.temperature = temperature;
  if (reasoningEffort !== undefined && !applied.has('noReasoningEffort'))
    body.reasoning_effort = reasoningEffort === 'off' ? 'none' : reasoningEffort;
  if (maxOutput !== undefined && !applied.has('noMaxTokens')) {
    // Only OpenAI's own models refuse the old name; most other servers know no other.
    const isNewName = /(^|\.)openai\.com$/.test(new URL(baseUrl).hostname) !== applied.has('otherMaxTokens');
    if (isNewName) body.max_completion_tokens = maxOutput;
    else body.max_tokens = maxOutput;
  }
  return body;
}

function withSystem(system: string, messages: ChatMessage[], asUser: boolean): ChatMessage[] {
  if (system.trim() === '') return messages;
  if (!asUser) return [{ role: 'system', content: system }, ...messages];
  const [first, ...rest] = messages;
  if (first?.role !== 'user') return [{ role: 'user', content: system }, ...messages];
  const content =
    typeof first.content === 'string' ? `${system}\n\n${first.content}` : [{ type: 'text' as const, text: system }, ...first.content];
  return [{ role: 'user', content }, ...rest];
}
