// Drafts per conversation, kept over restarts (U4).
import { emptyDraft } from '../../shared/model/draft';
import { readDraft, saveDraft } from '../store/drafts';
import { base } from './base';

export const drafts = {
  get: base.drafts.get.handler(({ input, context }) => readDraft(context.workspace().read().db, input.key) ?? emptyDraft),
  save: base.drafts.save.handler(({ input, context }) => {
    saveDraft(context.workspace().write().db, { key: input.key, draft: input.draft, now: context.now() });
  }),
};
