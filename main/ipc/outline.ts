// The navigator's questions, and its move: to the end of the branch a message is on.
import { getConversation } from '../store/conversations';
import { branchEnd } from '../store/outline';
import { moveTip } from '../store/tips';
import { base } from './base';
import { viewOf } from './talkViews';

/** Messages shown above the one that was gone to. */
const lead = 12;
const pageSize = 50;

export const outline = {
  read: base.outline.read.handler(({ input, context }) => context.readOutline(context.workspace().read().db, { type: 'read', ...input })),
  turns: base.outline.turns.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'turns', ...input }),
  ),
  search: base.outline.search.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'search', ...input }),
  ),
  preview: base.outline.preview.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'preview', ...input }),
  ),
  goTo: base.outline.goTo.handler(({ input: { conversationId, messageId, depth }, context }) => {
    const workspace = context.workspace();
    const to = branchEnd(workspace.read().db, { conversationId, messageId });
    if (to !== null) {
      const { db } = workspace.write();
      moveTip(db, { conversationId, to });
      const conversation = getConversation(db, conversationId);
      if (conversation) workspace.hub.publish({ type: 'conversationChanged', conversation });
    }
    return viewOf(context, { conversationId, count: pageSize, offset: Math.max(0, depth - lead) });
  }),
};
