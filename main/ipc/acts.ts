// What a person does beside a turn: answers approvals, writes messages that wait, names and goes back to checkpoints.
import type { TalkView } from '../../shared/model/talkView';
import { addAndTell, removeAndTell, rewindByUser } from '../agents/checkpoints';
import { base } from './base';
import type { WindowContext } from './context';
import { pageSize, viewOf } from './talkViews';

/** The view after a change of the conversation. */
function after(context: WindowContext, conversationId: TalkView['conversation']['id']): TalkView {
  return viewOf(context, { conversationId, count: pageSize });
}
const agentsOf = (context: WindowContext) => context.workspace().write().agents;
const depsOf = (context: WindowContext) => {
  const { db, agents } = context.workspace().write();
  return { db, running: agents.running, newId: context.newId, now: context.now };
};

export const approvals = {
  answer: base.approvals.answer.handler(({ input, context }) => agentsOf(context).desk.answer(input.stepId, input.callId, input.answer)),
};

export const queue = {
  add: base.queue.add.handler(({ input, context }) => agentsOf(context).waiting.add(input)),
  change: base.queue.change.handler(({ input, context }) => agentsOf(context).waiting.change(input)),
  remove: base.queue.remove.handler(({ input, context }) => agentsOf(context).waiting.remove(input)),
  send: base.queue.send.handler(({ input, context }) => agentsOf(context).waiting.send(input)),
};

export const checkpoints = {
  add: base.checkpoints.add.handler(({ input, context }) => {
    addAndTell(depsOf(context), input);
    return after(context, input.conversationId);
  }),
  remove: base.checkpoints.remove.handler(({ input, context }) => {
    removeAndTell(depsOf(context), input);
    return after(context, input.conversationId);
  }),
  rewind: base.checkpoints.rewind.handler(({ input, context }) => {
    rewindByUser(depsOf(context), input);
    return after(context, input.conversationId);
  }),
};
