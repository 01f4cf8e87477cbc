// The navigator's questions.
import { base } from './base';

export const outline = {
  read: base.outline.read.handler(({ input, context }) => context.readOutline(context.workspace().read().db, { type: 'read', ...input })),
  turns: base.outline.turns.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'turns', ...input }),
  ),
  search: base.outline.search.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'search', ...input }),
  ),
  preview: base.outline.preview.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'preview', ...input }),
  ),
};
