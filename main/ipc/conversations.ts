// The list of conversations and what a person changes in it.
import type { Conversation } from '../../shared/model/conversation';
import { FailureError, makeFailure } from '../../shared/model/failure';
import {
  getConversation,
  listConversations,
  renameConversation,
  requireConversation,
  setArchived,
  setConversationAgent,
  setPinned,
} from '../store/conversations';
import type { WritableDb } from '../store/database';
import { forksOf } from '../store/forks';
import { base } from './base';
import type { WindowContext } from './context';

/** Changes one row, tells the windows, and gives the row. */
function changed(context: WindowContext, change: (db: WritableDb) => Conversation): Conversation {
  const conversation = change(context.workspace().write().db);
  context.workspace().hub.publish({ type: 'conversationChanged', conversation });
  return conversation;
}

export const conversations = {
  list: base.conversations.list.handler(({ input, context }) => listConversations(context.workspace().read().db, input)),
  rename: base.conversations.rename.handler(({ input, context }) =>
    changed(context, (db) => {
      const title = input.title.replaceAll(/\s+/gu, ' ').trim();
      if (title === '') throw new FailureError(makeFailure('invalidInput', 'A title needs at least one character.'));
      return renameConversation(db, { conversationId: input.conversationId, title, source: 'user' });
    }),
  ),
  setPinned: base.conversations.setPinned.handler(({ input, context }) =>
    changed(context, (db) => setPinned(db, { ...input, now: context.now() })),
  ),
  setArchived: base.conversations.setArchived.handler(({ input, context }) =>
    changed(context, (db) => setArchived(db, { ...input, now: context.now() })),
  ),
  fork: base.conversations.fork.handler(({ input, context, signal }) => context.workspace().write().agents.forks.fork(input, signal)),
  forkCounts: base.conversations.forkCounts.handler(({ input, context }) => context.workspace().write().agents.forks.count(input)),
  forks: base.conversations.forks.handler(({ input, context }) => {
    const { db } = context.workspace().read();
    const { forkedFrom } = requireConversation(db, input.conversationId);
    const source = (forkedFrom && getConversation(db, forkedFrom.conversationId)) ?? null;
    return { source, forks: forksOf(db, input.conversationId) };
  }),
  setAgent: base.conversations.setAgent.handler(({ input, context }) =>
    changed(context, (db) => setConversationAgent(db, { conversationId: input.conversationId, agentId: input.agentId })),
  ),
};
