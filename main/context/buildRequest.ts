// Builds the provider-neutral request from a path. Pure: same path, same texts, same agent, same request (L9).
import type { Agent } from '../../shared/model/agent';
import { assertNever } from '../../shared/model/assertNever';
import type { BlobHash } from '../../shared/model/ids';
import type { Message, Part } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, RequestMessage, RequestPart } from '../../shared/model/request';

export type RequestInput = {
  /** Root to the message that is answered, in order. */
  path: readonly Message[];
  agent: Agent;
  model: ModelInfo;
  /** Text of file parts by the hash of their text; a missing one becomes a notice to the model (X4). */
  texts: ReadonlyMap<BlobHash, string>;
};

/** Wording of what stands in for something that is not sent. */
export const brokeOff = '[This answer broke off before it was finished.]';
export const continueOrder =
  'Your answer above broke off. Continue exactly where it stopped, without repeating anything and without a remark about this.';

export function buildRequest({ path, agent, model, texts }: RequestInput): ModelRequest {
  const messages = path.map((message, index) => toRequestMessage(message, path[index + 1], model, texts, index === path.length - 1));
  // An answer that broke off before its first word, and is continued, says nothing: it is simply answered.
  const said = messages.filter((message) => message.role === 'user' || message.parts.length > 0);
  if (said.at(-1)?.role === 'assistant') said.push({ role: 'user', parts: [{ type: 'text', text: continueOrder }] });
  return { modelId: model.id, system: agent.systemPrompt, messages: said, parameters: agent.parameters };
}

function toRequestMessage(
  message: Message,
  next: Message | undefined,
  model: ModelInfo,
  texts: ReadonlyMap<BlobHash, string>,
  isLast: boolean,
): RequestMessage {
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  const continued = isLast || (next?.role === 'assistant' && next.turnId === message.turnId);
  if (message.status === 'interrupted' && !continued) return { role, parts: [{ type: 'text', text: brokeOff }] };
  return { role, parts: message.parts.flatMap((part) => toRequestPart(part, model, texts)) };
}

function toRequestPart(part: Part, model: ModelInfo, texts: ReadonlyMap<BlobHash, string>): RequestPart[] {
  switch (part.type) {
    case 'text':
      return part.text.trim() === '' ? [] : [{ type: 'text', text: part.text }];
    case 'reasoning':
      return model.reasoningEcho === 'always' ? [{ type: 'reasoning', text: part.text, source: part.source }] : [];
    case 'image':
      if (model.vision === false) return [{ type: 'text', text: `[Image "${part.name}" is not sent: this model does not see images.]` }];
      return [{ type: 'image', hash: part.hash, mime: part.mime, name: part.name }];
    case 'file':
      return [{ type: 'text', text: fileText(part.name, part.textHash ? texts.get(part.textHash) : undefined) }];
    case 'toolCall':
      return [{ type: 'text', text: `[Used ${part.name}: ${part.summary ?? 'no result'}]` }];
    case 'raw':
      return [];
    default:
      return assertNever(part);
  }
}

function fileText(name: string, text: string | undefined): string {
  const label = name.replaceAll(/["<>\n]/g, ' ');
  if (text === undefined) return `[File "${label}" is no longer in the workspace.]`;
  return `<file name="${label}">\n${text}\n</file>`;
}
