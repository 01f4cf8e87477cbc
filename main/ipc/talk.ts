// Reading a conversation and moving its tip.

import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId } from '../../shared/model/ids';
import type { TalkView } from '../../shared/model/talkView';
import { measureContext } from '../context/measureContext';
import { getConversation } from '../store/conversations';
import type { ReadableDb } from '../store/database';
import { getMessage, readPath, readSlice } from '../store/messages';
import { readTalk } from '../store/talkView';
import { forwardTarget, moveTip, siblingTarget } from '../store/tips';
import { base } from './base';
import type { WindowContext } from './context';

const pageSize = 50;
/** Messages shown above the one whose version was switched. */
const lead = 20;

/** Moves the tip and gives the view, around the message that the person looks at where there is one. */
function moveAndRead(context: WindowContext, conversationId: ConversationId, to: TalkView['tipId'], around?: number): TalkView {
  const { workspace } = context;
  const { db } = workspace().write();
  moveTip(db, { conversationId, to });
  const conversation = getConversation(db, conversationId);
  if (conversation) workspace().hub.publish({ type: 'conversationChanged', conversation });
  return withLiveText(
    context,
    readTalk(db, { conversationId, count: pageSize, ...(around === undefined ? {} : { offset: Math.max(0, around - lead) }) }),
  );
}

function withLiveText(context: WindowContext, view: TalkView): TalkView {
  return context.workspace().scheduler()?.withLiveText(view) ?? view;
}

export const talk = {
  open: base.talk.open.handler(({ input, context }) => withLiveText(context, readTalk(context.workspace().read().db, input))),
  slice: base.talk.slice.handler(({ input, context }) => {
    const { db } = context.workspace().read();
    return readSlice(db, { tipId: input.tipId, offset: input.offset, count: input.count });
  }),
  context: base.talk.context.handler(({ input, context }) => {
    const { db } = context.workspace().read();
    const conversation = input.conversationId ? getConversation(db, input.conversationId) : undefined;
    const agent = context.models.agent(input.agentId ?? conversation?.agentId ?? null);
    const model = agent?.model ? context.models.modelInfo(agent.model) : null;
    return measureContext({
      path: conversation?.tipId ? readPath(db, conversation.tipId) : [],
      systemPrompt: agent?.systemPrompt ?? '',
      model,
    });
  }),
};

export const tree = {
  goTo: base.tree.goTo.handler(({ input, context }) => moveAndRead(context, input.conversationId, input.messageId)),
  goToSibling: base.tree.goToSibling.handler(({ input, context }) => {
    const { db } = context.workspace().write();
    const target = siblingTarget(db, input);
    return moveAndRead(context, input.conversationId, target.to, depthUnder(db, input.parentId));
  }),
  forward: base.tree.forward.handler(({ input, context }) => {
    const { db } = context.workspace().write();
    const conversation = getConversation(db, input.conversationId);
    const target = conversation?.tipId ? forwardTarget(db, conversation.tipId) : null;
    if (!target) throw new FailureError(makeFailure('notFound', 'No branch goes on from here.'));
    return moveAndRead(context, input.conversationId, target);
  }),
};

/** The depth of the children of a message: where the switched message stands. */
function depthUnder(db: ReadableDb, parentId: TalkView['tipId']): number {
  if (!parentId || !getMessage(db, parentId)) return 0;
  return readPath(db, parentId).length;
}
