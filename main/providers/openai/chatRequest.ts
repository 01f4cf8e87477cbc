// A ModelRequest as the body of POST /chat/completions.
import type { OpenAI } from 'openai';
import type { ModelRequest, RequestMessage } from '../../../shared/model/request';
import type { Adjustment, Adjustments } from '../adjust';
import { loadParts } from '../images';
import type { Connection } from '../port';
import { joinText } from '../repair';

export type ChatBody = OpenAI.ChatCompletionCreateParamsStreaming;
type ChatMessage = OpenAI.ChatCompletionMessageParam;

export function usableAdjustments(request: ModelRequest, connection: Connection): Adjustment[] {
  const { temperature, maxOutput, reasoningEffort } = request.parameters;
  return [
    ...(connection.provider.includeUsage === false ? [] : (['noUsageOption'] as const)),
    ...(maxOutput === undefined ? [] : (['otherMaxTokens', 'noMaxTokens'] as const)),
    ...(temperature === undefined ? [] : (['noTemperature'] as const)),
    ...(reasoningEffort === undefined ? [] : (['noReasoningEffort'] as const)),
    ...(request.messages.some((message) => message.parts.some((part) => part.type === 'reasoning')) ? (['noReasoningEcho'] as const) : []),
    ...(request.system.trim() === '' ? [] : (['systemAsUser'] as const)),
  ];
}

export async function chatBody(request: ModelRequest, connection: Connection, baseUrl: string, applied: Adjustments): Promise<ChatBody> {
  const { temperature, maxOutput, reasoningEffort } = request.parameters;
  const messages: ChatMessage[] = [];
  for (const message of request.messages) messages.push(await chatMessage(message, connection, !applied.has('noReasoningEcho')));
  const body: ChatBody = {
    model: request.modelId,
    messages: withSystem(request.system, messages, applied.has('systemAsUser')),
    stream: true,
  };
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

async function chatMessage(message: RequestMessage, connection: Connection, echo: boolean): Promise<ChatMessage> {
  if (message.role === 'assistant') return assistantMessage(message, echo);
  // Servers for text models take no lists of parts.
  if (!message.parts.some((part) => part.type === 'image')) return { role: 'user', content: joinText(message.parts) };
  const content: OpenAI.ChatCompletionContentPart[] = [];
  for (const part of await loadParts(message.parts, connection)) {
    if (part.type === 'text') content.push({ type: 'text', text: part.text });
    else if (part.type === 'image') content.push({ type: 'image_url', image_url: { url: `data:${part.mime};base64,${part.base64}` } });
  }
  return { role: 'user', content };
}

/** Reasoning goes back under the name it came with. */
function assistantMessage(message: RequestMessage, echo: boolean): ChatMessage {
  const plain: ChatMessage = { role: 'assistant', content: joinText(message.parts) };
  const reasoning = message.parts.flatMap((part) => (part.type === 'reasoning' ? [part] : []));
  if (!echo || reasoning.length === 0) return plain;
  const field = reasoning[0]?.source === 'reasoning' ? 'reasoning' : 'reasoning_content';
  const echoed: ChatMessage & Record<string, unknown> = { ...plain, [field]: reasoning.map((part) => part.text).join('') };
  return echoed;
}
