// Two branches side by side (T13): where they part, and their messages a page at a time.
import { compareBranches, endOfBranch } from '../store/compare';
import { readSlice } from '../store/messages';
import { base } from './base';
import { withRetold } from './talkViews';

export const comparing = {
  compare: base.tree.compare.handler(({ input, context }) => compareBranches(context.workspace().read().db, input)),
  branchEnd: base.tree.branchEnd.handler(({ input, context }) => endOfBranch(context.workspace().read().db, input)),
  branchSlice: base.tree.branchSlice.handler(({ input: { endId, offset, count }, context }) => {
    const read = context.workspace().read();
    return withRetold(read, readSlice(read.db, { tipId: endId, offset, count }));
  }),
};
