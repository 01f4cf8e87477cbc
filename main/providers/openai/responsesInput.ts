// The messages of a ModelRequest as the items of the Responses API: calls, results and reasoning are items beside the messages.
import type { OpenAI } from 'openai';
import type { ModelRequest, RequestMessage, ToolCallRequestPart, ToolResultRequestPart, VendorData } from '../../../shared/model/request';
import { parseJson } from '../../lib/parseJson';
import type { Adjustments } from '../adjust';
import { withPlainCallIds } from '../callIds';
import { loadParts, type Reader } from '../images';
import type { Connection } from '../port';
import { joinText } from '../repair';

type Item = OpenAI.Responses.ResponseInputItem;

export async function responsesInput(asked: ModelRequest, connection: Connection, applied: Adjustments): Promise<Item[]> {
  const request = applied.has('plainCallIds') ? withPlainCallIds(asked) : asked;
  const reader: Reader = { modelId: request.modelId, connection };
  const items: Item[] = [];
  for (const message of request.messages) {
    if (message.role === 'user') items.push({ role: 'user', content: await contentOf(message.parts, reader) });
    else if (message.role === 'system') items.push({ role: 'developer', content: joinText(message.parts) });
    else if (message.role === 'assistant') items.push(...assistantItems(message, !applied.has('noReasoningItems')));
    else for (const part of message.parts) if (part.type === 'toolResult') items.push(await resultItem(part, reader));
  }
  return items;
}

/** Reasoning goes back only as the opaque items it came in, in their places, never as text. */
function assistantItems(message: RequestMessage, withReasoning: boolean): Item[] {
  const items: Item[] = [];
  let words: RequestMessage['parts'] = [];
  const say = () => {
    if (words.length > 0) items.push({ role: 'assistant', content: joinText(words) });
    words = [];
  };
  for (const part of message.parts) {
    if (part.type === 'text') words.push(part);
    else if (part.type === 'toolCall' || (part.type === 'vendor' && withReasoning)) {
      say();
      const item = part.type === 'toolCall' ? callItem(part) : reasoningItem(part.vendor);
      if (item) items.push(item);
    }
  }
  say();
  return items;
}

/** Without the item's own id: it would name something that the server did not keep. */
function callItem(part: ToolCallRequestPart): Item {
  return { type: 'function_call', call_id: part.callId, name: part.name, arguments: part.arguments };
}

/** The item as it came, every field of it. */
function reasoningItem(vendor: VendorData): Item | null {
  const item = vendor.family === 'openai' ? parseJson(vendor.json) : null;
  return isReasoningItem(item) ? item : null;
}

/** Only one that holds its thoughts itself: the server keeps none. */
export function isReasoningItem(item: unknown): item is OpenAI.Responses.ResponseReasoningItem {
  if (typeof item !== 'object' || item === null || !('type' in item) || item.type !== 'reasoning') return false;
  return 'encrypted_content' in item && typeof item.encrypted_content === 'string' && item.encrypted_content !== '';
}

async function resultItem(part: ToolResultRequestPart, reader: Reader): Promise<Item> {
  if (!part.images?.length) return { type: 'function_call_output', call_id: part.callId, output: part.content };
  const pictures = await contentOf(part.images, reader);
  return { type: 'function_call_output', call_id: part.callId, output: [{ type: 'input_text', text: part.content }, ...pictures] };
}

type Content = (OpenAI.Responses.ResponseInputText | OpenAI.Responses.ResponseInputImage)[];

async function contentOf(parts: RequestMessage['parts'], reader: Reader): Promise<Content> {
  const content: Content = [];
  for (const part of await loadParts(parts, reader)) {
    if (part.type === 'text') content.push({ type: 'input_text', text: part.text });
    else if (part.type === 'image')
      content.push({ type: 'input_image', detail: 'auto', image_url: `data:${part.mime};base64,${part.base64}` });
  }
  return content;
}
