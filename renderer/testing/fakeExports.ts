// Exports as main does them, in the small: counts of the scope, and rows for a page; what the window hands in is kept.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import type { ExportCount, ExportNews, ExportRow } from '../../shared/model/export';
import type { Message } from '../../shared/model/message';
import { conversationOf, type FakeMain, pathTo } from './fakeMain';

const orpc = implement(contract);

function count(messages: readonly Message[]): ExportCount {
  const parents = new Set(messages.map(({ parentId }) => parentId));
  const parts = messages.flatMap((message) => message.parts);
  return {
    messages: messages.length,
    branches: messages.filter(({ id }) => !parents.has(id)).length,
    attachments: parts.filter(({ type }) => type === 'image' || type === 'file').length,
    toolCalls: parts.filter(({ type }) => type === 'toolCall').length,
  };
}

export const exportArea = (main: FakeMain) => ({
  count: orpc.export.count.handler(({ input: { conversationId, messageId } }) => {
    const all = [...main.messages.values()].filter((message) => message.conversationId === conversationId);
    const at = messageId ?? conversationOf(main, conversationId).tipId;
    const below = new Set(at === null ? [] : [at]);
    for (const { id, parentId } of all) if (parentId !== null && below.has(parentId)) below.add(id);
    return {
      path: count(at === null ? [] : pathTo(main, at)),
      subtree: count(all.filter(({ id }) => below.has(id))),
      tree: count(all),
    };
  }),
  save: orpc.export.save.handler(async function* ({ input }): AsyncGenerator<ExportNews, void, void> {
    const all = [...main.messages.values()].filter((message) => message.conversationId === input.conversationId);
    yield { type: 'progress', what: 'reading', done: 1, total: all.length };
    if (input.format === 'html' || input.format === 'pdf') {
      const rows = all.map(
        (message, at): ExportRow => ({ message, leaving: [], onBranch: false, last: at === all.length - 1, results: {}, files: {} }),
      );
      const { title } = conversationOf(main, input.conversationId);
      yield { type: 'rows', rows: { first: true, last: true, title, exportedAt: 0, agents: [], rows } };
    }
    yield { type: 'done', path: `/home/ada/talk.${input.format}` };
  }),
  write: orpc.export.write.handler(() => undefined),
  reveal: orpc.export.reveal.handler(() => undefined),
});
