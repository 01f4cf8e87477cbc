// Search in a main in memory: every message is read, newest first.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import { textOf } from '../../shared/model/message';
import type { SearchFilters, SearchHit } from '../../shared/model/search';
import { foldForSearch } from '../../shared/text/foldForSearch';
import { holdsAll, literalTerm, parseQuery, placesOf, type Term } from '../../shared/text/searchQuery';
import { conversationOf, type FakeMain, pathTo } from './fakeMain';

const orpc = implement(contract);

export function searchArea(main: FakeMain) {
  return {
    messages: orpc.search.messages.handler(({ input }) => {
      const terms = parseQuery(input.query);
      const hits = [...main.messages.values()].reverse().flatMap((message) => hitOf(main, message, terms, input.filters));
      if (input.order === 'best') {
        for (const hit of hits) hit.ranked = true;
        hits.sort((a, b) => b.snippet.marks.length - a.snippet.marks.length);
      }
      const from = input.cursor ?? 0;
      const next = from + input.limit < hits.length ? from + input.limit : null;
      return { hits: hits.slice(from, from + input.limit), next, indexing: null };
    }),
    onPath: orpc.search.onPath.handler(({ input }) => {
      const term = literalTerm(input.query);
      const matches = pathTo(main, input.tipId).flatMap((message, depth) => {
        const count = term ? placesOf([term], foldForSearch(textOf(message))).length : 0;
        return count > 0 && depth >= input.from ? [{ depth, messageId: message.id, count }] : [];
      });
      return { tipId: input.tipId, matches, next: null };
    }),
  };
}

type Stored = Parameters<typeof textOf>[0] &
  Pick<SearchHit, 'conversationId' | 'role' | 'createdAt'> & { id: SearchHit['messageId']; agentId?: SearchHit['agentId'] | undefined };

function hitOf(main: FakeMain, message: Stored, terms: readonly Term[], filters: SearchFilters): SearchHit[] {
  const text = textOf(message);
  const conversation = conversationOf(main, message.conversationId);
  const onPath = pathTo(main, conversation.tipId).some(({ id }) => id === message.id);
  const { role, agentId, conversationId, branch } = filters;
  const passes =
    (role === undefined || role === message.role) &&
    (agentId === undefined || agentId === message.agentId) &&
    (conversationId === undefined || conversationId === message.conversationId) &&
    (branch === undefined || onPath === (branch === 'path'));
  if (terms.length === 0 || !passes || !holdsAll(terms, [foldForSearch(text)])) return [];
  const snippet = { text, marks: placesOf(terms, foldForSearch(text)) };
  const { title, archived } = conversation;
  const facts = { messageId: message.id, conversationId: message.conversationId, role: message.role, createdAt: message.createdAt };
  return [
    {
      ...facts,
      title,
      archived,
      agentId: message.agentId ?? null,
      agentName: null,
      onPath,
      label: null,
      inReasoning: false,
      ranked: false,
      snippet,
    },
  ];
}
