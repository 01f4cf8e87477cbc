// Reading a conversation and moving its tip.
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId } from '../../shared/model/ids';
import type { TalkView } from '../../shared/model/talkView';
import { callResult } from '../agents/callResult';
import { readTouchedFiles } from '../agents/touchedFiles';
import { emptySum, measureContext } from '../context/measureContext';
import { folderNames } from '../lib/folderNames';
import { getConversation } from '../store/conversations';
import type { ReadableDb } from '../store/database';
import { untoldStretch } from '../store/leftStretch';
import { readSlice, readTail } from '../store/messages';
import { readTalk } from '../store/talkView';
import { forwardTarget, moveTip, type SiblingArgs, siblingTarget } from '../store/tips';
import { wayTo } from '../store/wayTo';
import { base } from './base';
import type { WindowContext } from './context';
import { pageSize, viewOf, withRetold } from './talkViews';

/** Messages shown above the one whose version was switched, or that was gone to. */
const lead = 20;

/** Moves the tip and gives the view, around the message that the person looks at where there is one. */
function moveAndRead(context: WindowContext, conversationId: ConversationId, to: TalkView['tipId'], around?: number): TalkView {
  const { workspace } = context;
  const { db } = workspace().write();
  moveTip(db, { conversationId, to });
  const conversation = getConversation(db, conversationId);
  if (conversation) workspace().hub.publish({ type: 'conversationChanged', conversation });
  return viewOf(context, { conversationId, count: pageSize, ...(around === undefined ? {} : { offset: Math.max(0, around - lead) }) });
}

export const talk = {
  open: base.talk.open.handler(({ input, context }) => viewOf(context, input)),
  callResult: base.talk.callResult.handler(({ input, context }) => callResult(context.workspace().read(), input)),
  slice: base.talk.slice.handler(({ input, context }) => {
    const read = context.workspace().read();
    return withRetold(read, readSlice(read.db, { tipId: input.tipId, offset: input.offset, count: input.count }));
  }),
  context: base.talk.context.handler(async ({ input, context }) => {
    const { db } = context.workspace().read();
    const memory = context.workspace().memory();
    const exact = input.conversationId && (await memory.measure({ ...input, conversationId: input.conversationId }).catch(whenFailed));
    if (exact) return exact;
    const view = input.conversationId ? readTalk(db, { conversationId: input.conversationId, count: 1 }) : null;
    const agent = context.models.agent(input.agentId ?? view?.conversation.agentId ?? null);
    const model = agent?.model ? context.models.modelInfo(agent.model) : null;
    const sum = view?.tipId ? await context.meter.sum(db, view.tipId, view.length - 1) : emptySum;
    const frame = agent && model ? memory.frame(agent, model) : undefined;
    return measureContext(sum, agent?.systemPrompt ?? '', model, frame);
  }),
  touchedFiles: base.talk.touchedFiles.handler(async ({ input: { conversationId }, context }) => {
    const { db } = context.workspace().read();
    const { tipId, length } = readTalk(db, { conversationId, count: 1 });
    if (!tipId) return [];
    const place = { folders: folderNames(context.workspace().state().folder), platform: process.platform };
    return readTouchedFiles(db, { conversationId, tipId, depth: length - 1, place });
  }),
};

export const tree = {
  goTo: base.tree.goTo.handler(({ input, context }) => moveAndRead(context, input.conversationId, input.messageId)),
  show: base.tree.show.handler(({ input, context }) => {
    const { conversationId } = input;
    const { depth, to } = wayTo(context.workspace().read().db, input);
    const view =
      to === null
        ? viewOf(context, { conversationId, count: pageSize, offset: Math.max(0, depth - lead) })
        : moveAndRead(context, conversationId, to, depth);
    return { view, depth };
  }),
  goToSibling: base.tree.goToSibling.handler(({ input, context }) => {
    const { db } = context.workspace().write();
    const target = siblingTarget(db, input);
    return moveAndRead(context, input.conversationId, target.to, depthOf(db, input));
  }),
  left: base.tree.left.handler(({ input, context }) => ({ messages: untoldStretch(context.workspace().read().db, input).count })),
  carry: base.tree.carry.handler(({ input, context }) => ({ begun: context.workspace().write().agents.carries.begin(input) })),
  stopCarry: base.tree.stopCarry.handler(({ input, context }) => context.workspace().write().agents.carries.stop(input)),
  forward: base.tree.forward.handler(({ input, context }) => {
    const { db } = context.workspace().write();
    const conversation = getConversation(db, input.conversationId);
    const target = conversation?.tipId ? forwardTarget(db, conversation.tipId) : null;
    if (!target) throw new FailureError(makeFailure('notFound', 'No branch goes on from here.'));
    return moveAndRead(context, input.conversationId, target);
  }),
};

/** The ring is a hint: what stands in the way of the exact measure is said when the request is made. */
function whenFailed(error: unknown): null {
  if (error instanceof FailureError) return null;
  throw error;
}

/** The depth at which the switched message stands. */
function depthOf(db: ReadableDb, { conversationId, parentId, from }: SiblingArgs): number {
  const near = from ?? parentId;
  if (!near) return 0;
  const [link] = readTail(db, { conversationId, tipId: near, count: 1 });
  return (link?.depth ?? 0) + (from ? 0 : 1);
}
