// Two branches side by side, answered from main in memory.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import type { ComparedBranch } from '../../shared/model/comparison';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { type Message, textOf } from '../../shared/model/message';
import { childrenOf, conversationOf, endOf, type FakeMain, messageOf, pathTo, viewOfMessage } from './fakeMain';

const orpc = implement(contract);

function branchOf(main: FakeMain, path: readonly Message[], top: number): ComparedBranch {
  const own = path.slice(top);
  const end = path.at(-1);
  const prompt = own.find((message) => message.role === 'user') ?? own[0];
  return {
    endId: (end as Message).id,
    roles: own.map(({ role }) => role),
    label: main.labels.findLast((each) => own.some(({ id }) => id === each.messageId))?.label,
    prompt: prompt ? textOf(prompt).slice(0, 120) : '',
    agentId: own.findLast((message) => message.role === 'assistant')?.agentId,
    endedAt: end?.createdAt ?? 0,
  };
}

export const compareHandlers = (main: FakeMain) => ({
  compare: orpc.tree.compare.handler(({ input: { left, right } }) => {
    const paths = [pathTo(main, left), pathTo(main, right)] as const;
    let top = 0;
    while (paths[0][top] && paths[0][top]?.id === paths[1][top]?.id) top++;
    const shared = paths[0][top - 1];
    return {
      shared: shared ? { id: shared.id, depth: top - 1, role: shared.role, text: textOf(shared), agentId: shared.agentId } : null,
      left: branchOf(main, paths[0], top),
      right: branchOf(main, paths[1], top),
    };
  }),
  branchEnd: orpc.tree.branchEnd.handler(({ input: { conversationId, messageId, version } }) => {
    const message = messageOf(main, messageId);
    const { tipId } = conversationOf(main, conversationId);
    if (!version) return tipId && pathTo(main, tipId).includes(message) ? tipId : endOf(main, conversationId, messageId);
    const siblings = childrenOf(main, conversationId, message.parentId);
    const sibling = siblings[siblings.indexOf(messageId) + (version === 'next' ? 1 : -1)];
    if (!sibling) throw new FailureError(makeFailure('notFound', 'There is no other version that way.'));
    return endOf(main, conversationId, sibling);
  }),
  branchSlice: orpc.tree.branchSlice.handler(({ input: { endId, offset, count } }) => {
    const items = pathTo(main, endId).slice(offset, offset + count);
    return { offset, items: items.map((message, index) => viewOfMessage(main, message, offset + index)) };
  }),
});
