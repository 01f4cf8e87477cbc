// Deleting with its trash, labels and pins (T8, T10).
import type { TalkView } from '../../shared/model/talkView';
import type { WritableDb } from '../store/database';
import { listLabels, removeLabel, removePin, setLabel, setPin } from '../store/marks';
import { listTrash } from '../store/trashRows';
import { countDeletion } from '../store/trashWalk';
import { base } from './base';
import type { WindowContext } from './context';
import { pageSize, viewOf } from './talkViews';

/** Changes a mark, tells the other windows, and gives the view. */
function marked(context: WindowContext, conversationId: TalkView['conversation']['id'], change: (db: WritableDb) => void): TalkView {
  change(context.workspace().write().db);
  context.workspace().hub.publish({ type: 'talkChanged', conversationId });
  return viewOf(context, { conversationId, count: pageSize });
}

export const labels = {
  set: base.labels.set.handler(({ input, context }) =>
    marked(context, input.conversationId, (db) => setLabel(db, { ...input, now: context.now() })),
  ),
  remove: base.labels.remove.handler(({ input, context }) => marked(context, input.conversationId, (db) => removeLabel(db, input))),
  list: base.labels.list.handler(({ input, context }) => listLabels(context.workspace().read().db, input.conversationId)),
};

export const pins = {
  set: base.pins.set.handler(({ input, context }) =>
    marked(context, input.conversationId, (db) => setPin(db, { ...input, now: context.now() })),
  ),
  remove: base.pins.remove.handler(({ input, context }) => marked(context, input.conversationId, (db) => removePin(db, input))),
};

const deletionsOf = (context: WindowContext) => context.workspace().write().agents.deletions;

export const trash = {
  count: base.trash.count.handler(({ input, context }) => countDeletion(context.workspace().read().db, input)),
  remove: base.trash.remove.handler(({ input, context }) => deletionsOf(context).remove(input)),
  restore: base.trash.restore.handler(({ input, context }) => deletionsOf(context).restore(input.trashId)),
  empty: base.trash.empty.handler(({ input, context }) => context.workspace().write().agents.emptying.empty(input.trashId)),
  stopEmptying: base.trash.stopEmptying.handler(({ context }) => context.workspace().write().agents.emptying.stop()),
  list: base.trash.list.handler(({ context }) => listTrash(context.workspace().read().db)),
};
