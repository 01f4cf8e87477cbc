// Search over all messages (Q1), the way to what was found, and find in the open conversation.
import { getConversation } from '../store/conversations';
import { depthOf } from '../store/messages';
import { wayTo } from '../store/searchPlace';
import { moveTip } from '../store/tips';
import { base } from './base';
import { pageSize, viewOf } from './talkViews';

/** Messages shown above the one that was found. */
const lead = 12;

export const search = {
  messages: base.search.messages.handler(({ input, context, signal }) => context.workspace().search().messages(input, signal)),
  onPath: base.search.onPath.handler(({ input, context, signal }) => context.workspace().search().onPath(input, signal)),
  open: base.search.open.handler(({ input, context }) => {
    const workspace = context.workspace();
    const { db } = workspace.read();
    const way = wayTo(db, input);
    if (way.to !== null) {
      moveTip(workspace.write().db, { conversationId: input.conversationId, to: way.to });
      const conversation = getConversation(db, input.conversationId);
      if (conversation) workspace.hub.publish({ type: 'conversationChanged', conversation });
    }
    const depth = depthOf(db, input.messageId) ?? way.depth;
    const view = viewOf(context, { conversationId: input.conversationId, count: pageSize, offset: Math.max(0, depth - lead) });
    return { view, depth, moved: way.to !== null };
  }),
};
