// The contract's areas about deleting, labels and pins, answered by main in memory.
import { implement } from '@orpc/server';
import { contract } from '../../shared/contract';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { childrenOf, conversationOf, type FakeMain, messageOf, openView, pathTo, placeOf } from './fakeMain';

const orpc = implement(contract);
type Target = { conversationId: ConversationId; messageId: MessageId | null };

/** The message with all below it; without one, all of the conversation. */
function inside(main: FakeMain, { conversationId, messageId }: Target): MessageId[] {
  const open = messageId === null ? [...childrenOf(main, conversationId, null)] : [messageId];
  for (let at = 0; at < open.length; at++) open.push(...childrenOf(main, conversationId, open[at] ?? null));
  return open;
}

function remove(main: FakeMain, target: Target): () => void {
  const { conversationId, messageId } = target;
  const before = conversationOf(main, conversationId);
  if (messageId === null) {
    main.conversations.delete(conversationId);
    main.emit({ type: 'conversationRemoved', conversationId });
    return () => main.conversations.set(conversationId, before);
  }
  const { parentId } = messageOf(main, messageId);
  const place = placeOf(conversationId, parentId);
  const siblings = main.children.get(place) ?? [];
  const isInside = pathTo(main, before.tipId).some(({ id }) => id === messageId);
  main.children.set(
    place,
    siblings.filter((id) => id !== messageId),
  );
  if (isInside) main.conversations.set(conversationId, { ...before, tipId: parentId });
  return () => {
    main.children.set(place, siblings);
    main.conversations.set(conversationId, before);
  };
}

const trash = (main: FakeMain) => ({
  count: orpc.trash.count.handler(({ input }) => {
    const all = inside(main, input);
    const branches = all.filter((id) => childrenOf(main, input.conversationId, id).length === 0).length;
    return { messages: all.length, branches, hidden: Math.max(0, branches - 1) };
  }),
  remove: orpc.trash.remove.handler(({ input }) => {
    const { conversationId, messageId } = input;
    const { title } = conversationOf(main, conversationId);
    const messages = inside(main, input).length;
    const text =
      messageId === null
        ? ''
        : messageOf(main, messageId)
            .parts.map((part) => ('text' in part ? part.text : ''))
            .join(' ');
    const id = main.newId('trs');
    const entry = { id, conversationId, title, messageId, text, messages, deletedAt: main.now(), blocked: false, emptying: false };
    main.trash.push({ entry, restore: remove(main, input) });
    main.emit({ type: 'trashChanged' });
    return { trashId: id, messages, checkpoints: 0 };
  }),
  restore: orpc.trash.restore.handler(({ input: { trashId } }) => {
    const found = main.trash.find(({ entry }) => entry.id === trashId);
    if (!found) throw new FailureError(makeFailure('notFound', 'This is no longer in the trash.'));
    main.trash = main.trash.filter((each) => each !== found);
    found.restore();
    const { conversationId } = found.entry;
    main.emit({ type: 'talkChanged', conversationId }, { type: 'trashChanged' });
    return { conversationId };
  }),
  empty: orpc.trash.empty.handler(({ input: { trashId } }) => {
    main.trash = trashId === null ? [] : main.trash.filter(({ entry }) => entry.id !== trashId);
    main.emit({ type: 'emptyProgress', progress: null }, { type: 'trashChanged' });
  }),
  stopEmptying: orpc.trash.stopEmptying.handler(() => undefined),
  list: orpc.trash.list.handler(() => main.trash.map(({ entry }) => entry).reverse()),
});

export const trashAreas = (main: FakeMain) => ({
  trash: trash(main),
  labels: {
    set: orpc.labels.set.handler(({ input: { conversationId, messageId, label } }) => {
      main.labels = [...main.labels.filter((each) => each.messageId !== messageId), { messageId, label }];
      return openView(main, conversationId);
    }),
    remove: orpc.labels.remove.handler(({ input: { conversationId, messageId } }) => {
      main.labels = main.labels.filter((each) => each.messageId !== messageId);
      return openView(main, conversationId);
    }),
    list: orpc.labels.list.handler(({ input: { conversationId } }) =>
      main.labels.filter(({ messageId }) => messageOf(main, messageId).conversationId === conversationId),
    ),
  },
  pins: {
    set: orpc.pins.set.handler(({ input: { conversationId, messageId } }) => {
      main.pins = [...main.pins, messageId];
      return openView(main, conversationId);
    }),
    remove: orpc.pins.remove.handler(({ input: { conversationId, messageId } }) => {
      main.pins = main.pins.filter((id) => id !== messageId);
      return openView(main, conversationId);
    }),
  },
});
