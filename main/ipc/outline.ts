// The navigator's questions.
import { agentsWithSteps } from '../store/transcriptSteps';
import { anchorsOf } from '../transcript/anchors';
import { base } from './base';

export const outline = {
  read: base.outline.read.handler(({ input, context }) => context.readOutline(context.workspace().read().db, { type: 'read', ...input })),
  turns: base.outline.turns.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'turns', ...input }),
  ),
  search: base.outline.search.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'search', ...input }),
  ),
  remembered: base.outline.remembered.handler(({ input: { conversationId }, context }) => {
    const { db, transcripts } = context.workspace().read();
    const messageIds = agentsWithSteps(db, conversationId).flatMap((agentId) => anchorsOf(transcripts, { conversationId, agentId }));
    return context.readOutline(db, { type: 'at', conversationId, messageIds });
  }),
  preview: base.outline.preview.handler(({ input, context }) =>
    context.readOutline(context.workspace().read().db, { type: 'preview', ...input }),
  ),
};
