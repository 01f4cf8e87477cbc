// Builds the provider-neutral request from a path. Pure: same path, same steps, same texts, same agent, same request (L9).
import type { Agent } from '../../shared/model/agent';
import type { AgentId, BlobHash, MessageId } from '../../shared/model/ids';
import type { MemoryRecord, Suits } from '../../shared/model/memoryRecord';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, RequestMessage, ToolDefinition } from '../../shared/model/request';
import type { Step } from '../../shared/model/transcript';
import { type ImagePrice, imagePriceOf } from './imagePrice';
import { type Layout, layOut, type Sent } from './layout';
import { memoryMessage } from './memoryMessage';
import { type BuiltMessage, buildMessage, isContinued, offersRecall, type PathMessage, type Reading, tellsCalls } from './pathMessage';
import { suitsReader } from './suits';
import { continueOrder, trimmed } from './wording';

export type RequestInput = {
  /** Root to the message that is answered, in order. */
  path: readonly Message[];
  agent: Agent;
  model: ModelInfo;
  /** Text of file parts by the hash of their text; a missing one becomes a notice to the model (X4). */
  texts: ReadonlyMap<BlobHash, string>;
  /** Blobs of images that are gone. */
  missing?: ReadonlySet<BlobHash> | undefined;
  /** This agent's own steps from its transcript, by the message that shows each. */
  steps?: ReadonlyMap<MessageId, Step> | undefined;
  /** What the other agents are called. */
  agentNames?: ReadonlyMap<AgentId, string> | undefined;
  /** Checkpoints by their message. */
  labels?: ReadonlyMap<MessageId, string> | undefined;
  /** What may be called. Left out: calls of the past stay calls, and nothing is offered. */
  tools?: readonly ToolDefinition[] | undefined;
  /** Of the agent's transcript, in the order they were made. */
  records?: Iterable<MemoryRecord> | undefined;
  /** Messages that go verbatim, whatever the records say (L15). */
  pins?: ReadonlySet<MessageId> | undefined;
};

export type BuiltContext = {
  request: ModelRequest;
  /** Own answers that the transcript lacks: rebuilt from the store (X7). */
  retold: MessageId[];
  /** Messages that are not sent, by a record (X6). */
  leftOut: ReadonlySet<MessageId>;
  /** The messages of the path that are sent, as they are sent. */
  sent: readonly BuiltMessage[];
  layout: Layout;
  /** Of an image, to the model that is asked. */
  price: ImagePrice;
};

export function buildRequest(input: RequestInput): ModelRequest {
  return buildContext(input).request;
}

/** Own steps go as they were, what other agents said as attributed text without their reasoning and tool traffic (X1). */
export function buildContext(input: RequestInput): BuiltContext {
  const { path, agent, model, tools, steps } = input;
  const reading: Reading = {
    agentId: agent.id,
    vision: model.vision !== false,
    texts: input.texts,
    missing: input.missing ?? new Set(),
    callsAsText: tellsCalls(model, tools),
    canRecall: offersRecall(tools),
    price: imagePriceOf(model),
    agentNames: input.agentNames ?? new Map(),
    labels: input.labels ?? new Map(),
  };
  const built = path.map((message, at) => buildMessage(reading, message, steps?.get(message.id), isContinued(message, path[at + 1])));
  return assemble({ agent, model, tools, built, records: input.records ?? [], pins: input.pins });
}

export type Assembly = Pick<RequestInput, 'agent' | 'model' | 'tools' | 'pins'> & {
  built: readonly PathMessage[];
  records: Iterable<MemoryRecord>;
  /** Left out: told by the model alone, as if every blob were there. */
  suits?: Suits | undefined;
  /** Where it was found out already. */
  sent?: Sent | undefined;
};

/** The request of messages that are built, as the records that hold on their path say. Its lists are its own; the messages in it are shared. */
export function assemble({ agent, model, tools, built, records, pins, suits = suitsReader(model), sent: known }: Assembly): BuiltContext {
  const layout = layOut({ built, records, pins: pins ?? new Set(), suits, sent: known });
  const messages: RequestMessage[] = [];
  const add = (all: readonly BuiltMessage[]) => {
    for (const one of all) messages.push(...one.messages);
  };
  add(layout.head);
  if (layout.memory) messages.push(memoryMessage(layout.memory));
  add(layout.request);
  if (layout.trimmed.size > 0) messages.push({ role: 'user', parts: [{ type: 'text', text: trimmed(layout.trimmed.size) }] });
  add(layout.tail);
  if (messages.at(-1)?.role === 'assistant') messages.push({ role: 'user', parts: [{ type: 'text', text: continueOrder }] });
  const request: ModelRequest = {
    modelId: model.id,
    system: agent.systemPrompt,
    messages,
    parameters: agent.parameters,
    reasoningEcho: model.reasoningEcho ?? 'never',
  };
  if (tools && tools.length > 0 && model.tools !== false) request.tools = [...tools];
  const sent = [...layout.head, ...layout.request, ...layout.tail];
  const retold = sent.filter((one) => one.retold).map(({ id }) => id);
  return { request, retold, leftOut: layout.trimmed, sent, layout, price: imagePriceOf(model) };
}
