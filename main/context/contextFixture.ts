// Messages and steps of a path, for tests of what is built from them.
import type { Agent } from '../../shared/model/agent';
import type { AgentId, BlobHash, ConversationId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { ImagePart, Message } from '../../shared/model/message';
import type { Step, StepPart, StepResult } from '../../shared/model/transcript';
import { shownPart } from '../../shared/model/transcript';

const me = 'me' as AgentId;
export const agent: Agent = { id: me, name: 'Me', model: 'p/m', systemPrompt: '', tools: [], approval: 'ask', parameters: {} };

export function message(name: string, role: Message['role'], more: Partial<Message> = {}): Message {
  return {
    id: `msg_${name}` as MessageId,
    conversationId: 'cnv_1' as ConversationId,
    parentId: null,
    role,
    status: 'complete',
    parts: [{ type: 'text', text: name }],
    createdAt: 0,
    ...more,
  };
}

export function stepOf(of: Message, content: StepPart[], results: StepResult[] = []): Step {
  return {
    id: of.id.replace('msg', 'stp') as StepId,
    messageId: of.id,
    parentId: of.parentId ?? ('msg_q' as MessageId),
    turnId: of.turnId ?? ('trn_1' as TurnId),
    model: 'p/m',
    content,
    results,
    createdAt: 0,
  };
}

/** An own answer with its step. */
export function answer(name: string, content: StepPart[], results: StepResult[] = [], more: Partial<Message> = {}): [Message, Step] {
  const parts = content.flatMap(shownPart).map((part) => {
    const result = part.type === 'toolCall' ? results.find(({ callId }) => callId === part.callId) : undefined;
    return part.type === 'toolCall' && result ? { ...part, summary: result.summary } : part;
  });
  const made = message(name, 'assistant', { agentId: me, turnId: 'trn_1' as TurnId, parts, ...more });
  return [made, stepOf(made, content, results)];
}

export function image(name: string): ImagePart {
  return { type: 'image', hash: name.padEnd(64, '0') as BlobHash, mime: 'image/png', name: `${name}.png`, size: 1 };
}

export function call(callId: string, name = 'read_file', args = '{"path":"a"}'): StepPart & { type: 'toolCall' } {
  return { type: 'toolCall', callId, name, arguments: args };
}
