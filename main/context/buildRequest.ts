// Builds the provider-neutral request from a path. Pure: same path, same texts, same agent, same request (L9).
import type { Agent } from '../../shared/model/agent';
import { assertNever } from '../../shared/model/assertNever';
import type { AgentId, BlobHash, MessageId } from '../../shared/model/ids';
import { type Message, type Part, textOf } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, RequestMessage, RequestPart } from '../../shared/model/request';
import type { Step } from '../../shared/model/transcript';
import { stepMessages } from './stepMessages';

export type RequestInput = {
  /** Root to the message that is answered, in order. */
  path: readonly Message[];
  agent: Agent;
  model: ModelInfo;
  /** Text of file parts by the hash of their text; a missing one becomes a notice to the model (X4). */
  texts: ReadonlyMap<BlobHash, string>;
  /** This agent's own steps from its transcript, by the message that shows each. */
  steps?: ReadonlyMap<MessageId, Step> | undefined;
  /** What the other agents are called. */
  agentNames?: ReadonlyMap<AgentId, string> | undefined;
};

export type BuiltContext = {
  request: ModelRequest;
  /** Own answers that the transcript lacks: rebuilt from the store (X7). */
  retold: MessageId[];
};

/** Wording of what stands in for something that is not sent. */
export const brokeOff = '[This answer broke off before it was finished.]';
export const continueOrder =
  'Your answer above broke off. Continue exactly where it stopped, without repeating anything and without a remark about this.';

export function buildRequest(input: RequestInput): ModelRequest {
  return buildContext(input).request;
}

/** Own steps go as they were, what other agents said as attributed text without their reasoning and tool traffic (X1). */
export function buildContext(input: RequestInput): BuiltContext {
  const { path, agent, model, steps } = input;
  const messages = path.flatMap((message, index) => toRequestMessages(input, message, path[index + 1], index === path.length - 1));
  // An answer that broke off before its first word, and is continued, says nothing: it is simply answered.
  const said = messages.filter((message) => message.role === 'user' || message.parts.length > 0);
  if (said.at(-1)?.role === 'assistant') said.push({ role: 'user', parts: [{ type: 'text', text: continueOrder }] });
  const retold = path.filter((message) => message.role === 'assistant' && isOwn(message, agent) && !steps?.has(message.id));
  return {
    request: { modelId: model.id, system: agent.systemPrompt, messages: said, parameters: agent.parameters },
    retold: retold.map(({ id }) => id),
  };
}

/** An answer of no known agent was imported: it counts as one's own. */
function isOwn(message: Message, agent: Agent): boolean {
  return message.agentId === undefined || message.agentId === agent.id;
}

function toRequestMessages(input: RequestInput, message: Message, next: Message | undefined, isLast: boolean): RequestMessage[] {
  const { agent, model, texts, steps, agentNames } = input;
  const role = message.role === 'assistant' ? 'assistant' : 'user';
  const continued = isLast || (next?.role === 'assistant' && next.turnId === message.turnId);
  const broke = message.status === 'interrupted' && !continued;
  if (role === 'assistant' && message.agentId !== undefined && !isOwn(message, agent)) {
    const text = broke ? brokeOff : textOf(message);
    const name = (agentNames?.get(message.agentId) ?? message.agentId).replaceAll(/[[\]\n]/g, ' ');
    return text.trim() === '' ? [] : [{ role: 'user', parts: [{ type: 'text', text: `[${name} answered:]\n${text}` }] }];
  }
  if (broke) return [{ role, parts: [{ type: 'text', text: brokeOff }] }];
  const step = role === 'assistant' ? steps?.get(message.id) : undefined;
  if (step) return stepMessages(step, (part) => toRequestPart(part, model, texts));
  return [{ role, parts: message.parts.flatMap((part) => toRequestPart(part, model, texts)) }];
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
