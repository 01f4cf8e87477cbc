// Forking as main does it, in the small: the messages of the scope under new ids.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import type { Conversation } from '../../shared/model/conversation';
import type { ForkScope } from '../../shared/model/fork';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import { addConversation, addMessage, conversationOf, type FakeMain, pathTo } from './fakeMain';

const orpc = implement(contract);

function scopeOf(
  main: FakeMain,
  { conversationId, messageId, scope }: { conversationId: ConversationId; messageId: MessageId; scope: ForkScope },
): Message[] {
  const path = pathTo(main, messageId);
  const all = [...main.messages.values()].filter((message) => message.conversationId === conversationId);
  if (scope === 'all') return all;
  if (scope === 'path') return path;
  return all.filter(({ parentId }) => path.some((message) => message.parentId === parentId));
}

export const forkHandlers = (main: FakeMain) => ({
  fork: orpc.conversations.fork.handler(({ input }): Conversation => {
    const { title, titleSource, agentId } = conversationOf(main, input.conversationId);
    const forkedFrom = { conversationId: input.conversationId, messageId: input.messageId };
    const { id } = addConversation(main, { title, titleSource, agentId, forkedFrom });
    const copies = new Map<MessageId, MessageId>();
    for (const message of scopeOf(main, input)) {
      const copy = main.newId('msg');
      const parentId = message.parentId === null ? null : (copies.get(message.parentId) ?? null);
      copies.set(message.id, addMessage(main, { ...message, id: copy, conversationId: id, parentId }).id);
    }
    const conversation = { ...conversationOf(main, id), tipId: copies.get(input.messageId) ?? null };
    main.conversations.set(id, conversation);
    main.emit({ type: 'conversationChanged', conversation });
    return conversation;
  }),
  forkCounts: orpc.conversations.forkCounts.handler(({ input }) => {
    const count = (scope: ForkScope) => scopeOf(main, { ...input, scope }).length;
    return { path: count('path'), siblings: count('siblings'), all: count('all') };
  }),
  forks: orpc.conversations.forks.handler(({ input: { conversationId } }) => {
    const { forkedFrom } = conversationOf(main, conversationId);
    return {
      source: (forkedFrom && main.conversations.get(forkedFrom.conversationId)) ?? null,
      forks: [...main.conversations.values()].filter((each) => each.forkedFrom?.conversationId === conversationId),
    };
  }),
});
