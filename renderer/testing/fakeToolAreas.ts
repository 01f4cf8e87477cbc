// The contract's areas about calls, checkpoints and what waits for a turn, answered by main in memory.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, QueuedId } from '../../shared/model/ids';
import type { QueuedMessage } from '../../shared/model/queue';
import { endCall, setCall } from './fakeCalls';
import { addMessage, answerTo, conversationOf, type FakeMain, moveTip, openView, partsOf, pathTo } from './fakeMain';

const orpc = implement(contract);

export const callResultHandlers = (main: FakeMain) => ({
  callResult: orpc.talk.callResult.handler(({ input: { callId } }) => {
    const result = main.results.get(callId);
    if (!result) throw new FailureError(makeFailure('notFound', 'This result is gone.'));
    return result;
  }),
  touchedFiles: orpc.talk.touchedFiles.handler(() => main.touched),
});

/** Those on the path of the tip, from the root on. */
const livingLabels = (main: FakeMain, conversationId: ConversationId) => openView(main, conversationId).checkpoints;

export const checkpointsArea = (main: FakeMain) => ({
  add: orpc.checkpoints.add.handler(({ input: { conversationId, messageId, label } }) => {
    const at = messageId ?? conversationOf(main, conversationId).tipId;
    if (!at) throw new FailureError(makeFailure('notFound', 'There is nothing to name yet.'));
    const living = livingLabels(main, conversationId);
    if (living.some((each) => each.label === label)) throw new FailureError(makeFailure('labelUsed', `The label "${label}" is taken.`));
    main.checkpoints.push({ conversationId, messageId: at, label, by: 'user', createdAt: main.now() });
    return openView(main, conversationId);
  }),
  remove: orpc.checkpoints.remove.handler(({ input: { conversationId, label } }) => {
    main.checkpoints = main.checkpoints.filter((each) => each.conversationId !== conversationId || each.label !== label);
    return openView(main, conversationId);
  }),
  rewind: orpc.checkpoints.rewind.handler(({ input: { conversationId, label, digest } }) => {
    const living = livingLabels(main, conversationId);
    const checkpoint = living.find((each) => each.label === label);
    if (!checkpoint) {
      const names = living.map((each) => each.label).join(', ');
      throw new FailureError(makeFailure('labelUnknown', `There is no checkpoint "${label}". There are: ${names}`));
    }
    moveTip(main, conversationId, checkpoint.messageId);
    if (digest.trim()) addMessage(main, { conversationId, role: 'digest', text: digest });
    main.emit({ type: 'conversationChanged', conversation: conversationOf(main, conversationId) });
    return openView(main, conversationId);
  }),
});

function queuedOf(main: FakeMain, id: QueuedId): QueuedMessage {
  const found = main.queue.find((each) => each.id === id);
  if (!found) throw new FailureError(makeFailure('notFound', 'This message has been sent or removed.'));
  return found;
}
function removeQueued(main: FakeMain, queued: QueuedMessage): void {
  main.queue = main.queue.filter((each) => each.id !== queued.id);
  main.emit({ type: 'talkChanged', conversationId: queued.conversationId });
}

export const queueArea = (main: FakeMain) => ({
  add: orpc.queue.add.handler(({ input: { conversationId, text, attachments, mode } }) => {
    const { tipId } = conversationOf(main, conversationId);
    const path = new Set(pathTo(main, tipId).map((message) => message.id));
    const running = [...main.live.values()].find((step) => path.has(step.parentId));
    if (!running) throw new FailureError(makeFailure('conflict', 'Nothing runs here any more.'));
    const { turnId } = running;
    const queued: QueuedMessage = {
      id: main.newId('que'),
      conversationId,
      turnId,
      mode,
      text,
      attachments,
      held: false,
      createdAt: main.now(),
    };
    main.queue = [...main.queue, queued];
    main.emit({ type: 'talkChanged', conversationId });
    return queued;
  }),
  change: orpc.queue.change.handler(({ input: { queuedId, text, attachments, mode } }) => {
    const changed = { ...queuedOf(main, queuedId), text, attachments, mode };
    main.queue = main.queue.map((each) => (each.id === queuedId ? changed : each));
    main.emit({ type: 'talkChanged', conversationId: changed.conversationId });
    return changed;
  }),
  remove: orpc.queue.remove.handler(({ input: { queuedId } }) => removeQueued(main, queuedOf(main, queuedId))),
  send: orpc.queue.send.handler(({ input: { queuedId } }) => {
    const queued = queuedOf(main, queuedId);
    removeQueued(main, queued);
    const { conversationId, text, attachments } = queued;
    return answerTo(main, addMessage(main, { conversationId, role: 'user', parts: partsOf(text, attachments) }));
  }),
});

/** Denied calls end at once; allowed ones wait for the test or the harness to run them (`onAnswer`). */
export const approvalsArea = (main: FakeMain) => ({
  answer: orpc.approvals.answer.handler(({ input: { stepId, callId, answer } }) => {
    const call = main.live.get(stepId)?.calls.find((each) => each.callId === callId);
    if (!call?.needs) throw new FailureError(makeFailure('conflict', 'This call no longer waits.'));
    if (answer.type === 'deny') {
      const said = answer.words.trim();
      const summary = 'Denied by the user; it has not run';
      endCall(
        main,
        stepId,
        callId,
        { summary, isError: true, outcome: 'denied', ...(said ? { content: `${summary}. The user says: ${said}` } : {}) },
        0,
      );
    } else setCall(main, stepId, callId, { state: 'approved', needs: undefined, preview: undefined });
    main.onAnswer(stepId, callId, answer);
  }),
});
