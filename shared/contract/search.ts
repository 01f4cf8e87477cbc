// Full text over a workspace and in a conversation.
import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { messageId } from '../model/ids';
import { type PathMatches, type SearchPage, searchRequest } from '../model/search';
import { out } from './parts';

export const searchContract = {
  search: {
    /** Messages of the whole workspace, newest or best first (Q1). Works for a bounded time: ask again with `next` for more. */
    messages: oc.input(searchRequest).output(out<SearchPage>()),
    /** Messages of the path to `tipId` that hold a text, from depth `from` on. */
    onPath: oc
      .input(z.object({ tipId: messageId, query: z.string().check(z.maxLength(500)), from: z.int().check(z.minimum(0)) }))
      .output(out<PathMatches>()),
  },
};
