// What decides how the messages of a path are told, besides the tree and the transcript: who asks, which model reads, names.
import type { Agent } from '../../shared/model/agent';
import type { AgentId, ConversationId, MessageId } from '../../shared/model/ids';
import type { ModelInfo } from '../../shared/model/provider';
import type { ToolDefinition } from '../../shared/model/request';
import { imagePriceOf } from '../context/imagePrice';
import { offersRecall, type Reading, tellsCalls } from '../context/pathMessage';
import { checkpointsOnPath } from '../store/checkpointRows';
import type { ReadableDb } from '../store/database';
import { usedAgents } from '../store/usedAgents';

/** What is answered, by whom, and what the model may call. */
export type Asked = { parentId: MessageId; agent: Agent; model: ModelInfo; tools: readonly ToolDefinition[] };
export type Place = { conversationId: ConversationId; agentId: AgentId };

export type Outlook = Pick<Reading, 'vision' | 'callsAsText' | 'canRecall' | 'price' | 'agentNames'> & Pick<ModelInfo, 'imageRule'>;

export function outlookOf(db: ReadableDb, { agent, model, tools }: Asked, { conversationId }: Place): Outlook {
  const others = usedAgents(db, conversationId).filter(({ id }) => id !== agent.id);
  return {
    vision: model.vision !== false,
    callsAsText: tellsCalls(model, tools),
    canRecall: offersRecall(tools),
    price: imagePriceOf(model),
    imageRule: model.imageRule,
    agentNames: new Map(others.map(({ id, name }) => [id, name])),
  };
}

/** Of several checkpoints at one message the first. */
export function labelsOf(db: ReadableDb, { parentId }: Asked, { conversationId }: Place, digestParents: readonly MessageId[]) {
  if (digestParents.length === 0) return new Map<MessageId, string>();
  const wanted = new Set(digestParents);
  const rows = checkpointsOnPath(db, { conversationId, tipId: parentId }).filter(({ messageId }) => wanted.has(messageId));
  return new Map(rows.reverse().map(({ messageId, label }) => [messageId, label]));
}

export function keyOf({ vision, callsAsText, canRecall, imageRule, agentNames }: Outlook, labels: ReadonlyMap<MessageId, string>): string {
  return JSON.stringify([vision, callsAsText, canRecall, imageRule, [...agentNames], [...labels].sort(([a], [b]) => (a < b ? -1 : 1))]);
}
