// The messages of a ModelRequest as Chat Completions wants them: results as messages of their own, pictures and reasoning where they may stand.
import type { OpenAI } from 'openai';
import type { ModelRequest, RequestMessage, RequestPart, ToolCallRequestPart } from '../../../shared/model/request';
import type { Adjustments } from '../adjust';
import { withPlainCallIds } from '../callIds';
import { loadParts, type Reader } from '../images';
import type { Connection } from '../port';
import { echoedMessages } from '../reasoningEcho';
import { joinText } from '../repair';
import { signatureData, standInSignature } from '../signatures';
import { extraContentOf } from './chatCalls';
import { detailsFor } from './reasoningDetails';

export type ChatMessage = OpenAI.ChatCompletionMessageParam;
type Content = OpenAI.ChatCompletionContentPart[];
type Options = { modelId: string; signatures: boolean; applied: Adjustments };

/** What stands between a result and the user's words for servers that want an answer there. */
const bridge = 'Understood.';
/** Stands in for reasoning that a server wants back but that this conversation does not have (another model's calls). */
const noThought = ' ';

export async function chatMessages(
  asked: ModelRequest,
  connection: Connection,
  baseUrl: string,
  applied: Adjustments,
): Promise<ChatMessage[]> {
  const request = applied.has('plainCallIds') ? withPlainCallIds(asked) : asked;
  const signatures = applied.has('standInSignature') || wantsSignatures(request, baseUrl);
  const options: Options = { modelId: request.modelId, signatures, applied };
  const reader: Reader = { modelId: request.modelId, connection };
  const echo = echoedMessages(request, applied);
  const messages: ChatMessage[] = [];
  let pictures: Content = [];
  const asUser = (message: ChatMessage) => {
    if (messages.at(-1)?.role === 'tool' && applied.has('bridgeTools')) messages.push({ role: 'assistant', content: bridge });
    messages.push(message);
    pictures = [];
  };
  for (const [at, message] of request.messages.entries()) {
    if (message.role === 'assistant') messages.push(assistantMessage(message, echo[at] ?? 'no', options));
    else if (message.role === 'system') messages.push(systemMessage(message, applied));
    else if (message.role === 'user') asUser(await userMessage(message, pictures, reader));
    else {
      messages.push(...toolMessages(message));
      pictures = await picturesOf(message, reader);
      if (pictures.length > 0 && request.messages[at + 1]?.role !== 'user') asUser({ role: 'user', content: pictures });
    }
  }
  return messages;
}

function systemMessage({ parts }: RequestMessage, applied: Adjustments): ChatMessage {
  return { role: applied.has('systemAsUser') ? 'user' : 'system', content: joinText(parts) };
}

/**
 * Google's models behind this dialect, at Google or at a gateway, want the signatures of their calls back; other servers refuse the field.
 * One under a name of the gateway's own says so itself, by a refusal.
 */
function wantsSignatures(request: ModelRequest, baseUrl: string): boolean {
  return /(^|\.)googleapis\.com$/.test(new URL(baseUrl).hostname) || /gemini/i.test(request.modelId);
}

function toolMessages(message: RequestMessage): ChatMessage[] {
  return message.parts.flatMap((part) =>
    part.type === 'toolResult' ? [{ role: 'tool' as const, tool_call_id: part.callId, content: part.content }] : [],
  );
}

/** Results are text here: their pictures follow as the user's. */
async function picturesOf(message: RequestMessage, reader: Reader): Promise<Content> {
  const content: Content = [];
  for (const part of message.parts) {
    if (part.type !== 'toolResult' || !part.images?.length) continue;
    content.push({ type: 'text', text: `Pictures of the result of ${part.name} (${part.callId}):` });
    content.push(...(await contentOf(part.images, reader)));
  }
  return content;
}

async function userMessage(message: RequestMessage, pictures: Content, reader: Reader): Promise<ChatMessage> {
  // Servers for text models take no lists of parts.
  if (pictures.length === 0 && !message.parts.some((part) => part.type === 'image'))
    return { role: 'user', content: joinText(message.parts) };
  return { role: 'user', content: [...pictures, ...(await contentOf(message.parts, reader))] };
}

async function contentOf(parts: readonly RequestPart[], reader: Reader): Promise<Content> {
  const content: Content = [];
  for (const part of await loadParts(parts, reader)) {
    if (part.type === 'text') content.push({ type: 'text', text: part.text });
    else if (part.type === 'image') content.push({ type: 'image_url', image_url: { url: `data:${part.mime};base64,${part.base64}` } });
  }
  return content;
}

/** Reasoning goes back under the name it came with. */
function assistantMessage(message: RequestMessage, echo: 'no' | 'yes' | 'demanded', options: Options): ChatMessage {
  const calls = message.parts.flatMap((part) => (part.type === 'toolCall' ? [part] : []));
  const text = joinText(message.parts);
  const plain: ChatMessage = withDetails(message, options, {
    role: 'assistant',
    content: calls.length > 0 && text === '' ? null : text,
    ...(calls.length > 0 ? { tool_calls: calls.map((call, at) => chatCall(call, at === 0, options)) } : {}),
  });
  if (echo === 'no' || 'reasoning_details' in plain) return plain;
  const reasoning = message.parts.flatMap((part) => (part.type === 'reasoning' ? [part] : []));
  if (reasoning.length === 0 && (echo !== 'demanded' || calls.length === 0)) return plain;
  const field = reasoning[0]?.source === 'reasoning' ? 'reasoning' : 'reasoning_content';
  const echoed: ChatMessage & Record<string, unknown> = { ...plain, [field]: reasoning.map((part) => part.text).join('') || noThought };
  return echoed;
}

/** Signed thoughts stand for the words of the reasoning too. */
function withDetails(message: RequestMessage, { modelId, applied }: Options, plain: ChatMessage): ChatMessage {
  const details = applied.has('noReasoningItems') ? [] : detailsFor(message.parts, modelId);
  return details.length > 0 ? { ...plain, ...{ reasoning_details: details } } : plain;
}

function chatCall(part: ToolCallRequestPart, isFirst: boolean, { signatures, applied }: Options): OpenAI.ChatCompletionMessageToolCall {
  const call: OpenAI.ChatCompletionMessageToolCall = {
    id: part.callId,
    type: 'function',
    function: { name: part.name, arguments: part.arguments },
  };
  if (!signatures) return call;
  const standIn = isFirst && applied.has('standInSignature') ? signatureData({ thoughtSignature: standInSignature }) : null;
  const extra = extraContentOf(part.vendor) ?? extraContentOf(standIn ?? undefined);
  return extra ? { ...call, ...{ extra_content: extra } } : call;
}
