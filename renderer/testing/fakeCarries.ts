// Digests of branches as main makes them, in the small: they are begun, and ended by the test or by Stop.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import { addMessage, conversationOf, type FakeMain, pathTo } from './fakeMain';

const orpc = implement(contract);

function leftBehind(main: FakeMain, { leftId, targetId }: { leftId: MessageId; targetId: MessageId }): number {
  const kept = new Set(pathTo(main, targetId).map(({ id }) => id));
  return pathTo(main, leftId).filter(({ id }) => !kept.has(id)).length;
}

function end(main: FakeMain, conversationId: ConversationId, targetId: MessageId): void {
  main.carries = main.carries.filter((each) => each.targetId !== targetId);
  main.emit({ type: 'talkChanged', conversationId });
}

export const carryHandlers = (main: FakeMain) => ({
  left: orpc.tree.left.handler(({ input }) => ({ messages: leftBehind(main, input) })),
  carry: orpc.tree.carry.handler(({ input: { conversationId, leftId, targetId } }) => {
    if (leftBehind(main, { leftId, targetId }) === 0) return { begun: false };
    main.carries.push({ conversationId, leftId, targetId, startedAt: main.now() });
    main.emit({ type: 'talkChanged', conversationId });
    return { begun: true };
  }),
  stopCarry: orpc.tree.stopCarry.handler(({ input: { conversationId, targetId } }) => end(main, conversationId, targetId)),
});

/** The digest is ready. */
export function finishCarry(main: FakeMain, conversationId: ConversationId, change: Partial<Message> & { text: string }): Message {
  const carry = main.carries.find((each) => each.conversationId === conversationId);
  if (!carry) throw new Error('No digest is being made.');
  const before = conversationOf(main, conversationId).tipId;
  const digest = { from: carry.leftId, ...change.digest };
  const message = addMessage(main, { ...change, conversationId, parentId: carry.targetId, role: 'digest', digest });
  if (before !== carry.targetId) main.conversations.set(conversationId, { ...conversationOf(main, conversationId), tipId: before });
  end(main, conversationId, carry.targetId);
  return message;
}
