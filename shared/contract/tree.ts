// Conversations as trees: moves, branches, forks, marks, the trash.
import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { focusLimit } from '../model/carry';
import { checkpointLabel } from '../model/checkpoint';
import type { Comparison } from '../model/comparison';
import type { Conversation } from '../model/conversation';
import { type ForkCounts, type Forks, forkScope } from '../model/fork';
import { agentId, type ConversationId, conversationId, type MessageId, messageId, trashId } from '../model/ids';
import { labelText, type MessageLabel } from '../model/mark';
import type { Outline, OutlineHits, OutlinePreview, OutlineTurn } from '../model/outline';
import type { PathSlice, TalkView } from '../model/talkView';
import type { DeleteCounts, Deleted, TrashEntry } from '../model/trash';
import { conversation, message, nothing, out } from './parts';

const leaving = { conversationId, leftId: messageId, targetId: messageId };

export const treeContract = {
  conversations: {
    /** Pinned first, then newest first; by title when `query` is given (case and accents ignored). */
    list: oc
      .input(z.object({ query: z.optional(z.string().check(z.maxLength(500))), archived: z.boolean() }))
      .output(out<Conversation[]>()),
    rename: oc.input(z.object({ conversationId, title: z.string().check(z.maxLength(500)) })).output(out<Conversation>()),
    setPinned: oc.input(z.object({ conversationId, pinned: z.boolean() })).output(out<Conversation>()),
    setArchived: oc.input(z.object({ conversationId, archived: z.boolean() })).output(out<Conversation>()),
    setAgent: oc.input(z.object({ conversationId, agentId })).output(out<Conversation>()),
    /** Copies what the scope holds into a new conversation (T9); `forkProgress` events when it takes long, aborting the call takes it all back. */
    fork: oc.input(z.object({ conversationId, messageId, scope: forkScope })).output(out<Conversation>()),
    /** How many messages each scope holds. */
    forkCounts: oc.input(message).output(out<ForkCounts>()),
    /** Where it was forked from (null when that is gone, too), and those made from it, the oldest first. */
    forks: oc.input(conversation).output(out<Forks>()),
  },
  tree: {
    /** Moves the tip to this message ("Branch from here"). */
    goTo: oc.input(message).output(out<TalkView>()),
    /** Shows a message: where the path does not hold it, the tip moves to the end of its branch, as it was left. `depth`: its own. */
    show: oc.input(message).output(out<{ view: TalkView; depth: number }>()),
    /** Previous or next version of the child `from` of `parentId`; `from` null stands for the running or failed answer. */
    goToSibling: oc
      .input(
        z.object({ conversationId, parentId: z.nullable(messageId), from: z.nullable(messageId), direction: z.enum(['previous', 'next']) }),
      )
      .output(out<TalkView>()),
    /** How many messages a move from `leftId` to `targetId` leaves behind: those that the target's path has not; 0 where a digest there tells of them (T11). */
    left: oc.input(z.object(leaving)).output(out<{ messages: number }>()),
    /**
     * Makes a digest of what was left, under the target, in the background: views name it meanwhile. Not begun where nothing is left behind that was not told.
     * `focus` says what it should tell of and is never run.
     */
    carry: oc
      .input(z.object({ ...leaving, focus: z.optional(z.string().check(z.maxLength(focusLimit))) }))
      .output(out<{ begun: boolean }>()),
    /** Nothing is written then. */
    stopCarry: oc.input(z.object({ conversationId, targetId: messageId })).output(nothing),
    /** From a tip with children along the remembered, else newest, branch to its end. */
    forward: oc.input(conversation).output(out<TalkView>()),
    /** Two branches, each by a message it ends with, from their common ancestor (T13). */
    compare: oc.input(z.object({ conversationId, left: messageId, right: messageId })).output(out<Comparison>()),
    /** The end of the branch of this message as it was left, or of the version beside it; the tip where the path holds it. */
    branchEnd: oc
      .input(z.object({ conversationId, messageId, version: z.optional(z.enum(['previous', 'next'])) }))
      .output(out<MessageId>()),
    /** A slice of the path to `endId`, on whatever branch, from the depth `offset` on. */
    branchSlice: oc
      .input(z.object({ endId: messageId, offset: z.int(), count: z.int().check(z.minimum(1), z.maximum(200)) }))
      .output(out<PathSlice>()),
  },
  outline: {
    /** The whole tree for the navigator (U5): runs with the turns that have a line. */
    read: oc.input(conversation).output(out<Outline>()),
    /** Lines of a gap: the turns `from` up to, not including, `to` of a run. */
    turns: oc.input(z.object({ conversationId, runId: messageId, from: z.int(), to: z.int() })).output(out<OutlineTurn[]>()),
    /** Turns on any branch whose messages hold every word. */
    search: oc.input(z.object({ conversationId, query: z.string().check(z.maxLength(500)) })).output(out<OutlineHits>()),
    /** Turns at which memory of an agent is anchored, undone ones aside. */
    remembered: oc.input(conversation).output(out<OutlineHits>()),
    preview: oc.input(message).output(out<OutlinePreview>()),
  },
  checkpoints: {
    /** Names a message on the path of the tip (the tip itself when left out). `labelUsed` lists the live ones. */
    add: oc.input(z.object({ conversationId, messageId: z.optional(messageId), label: checkpointLabel })).output(out<TalkView>()),
    remove: oc.input(z.object({ conversationId, label: checkpointLabel })).output(out<TalkView>()),
    /** Moves the tip to the checkpoint and, with words, appends them as a digest message. `labelUnknown` lists the live ones. */
    rewind: oc
      .input(z.object({ conversationId, label: checkpointLabel, digest: z.string().check(z.maxLength(100_000)) }))
      .output(out<TalkView>()),
  },
  labels: {
    /** A bookmark, one a message: another one takes its place (T10). */
    set: oc.input(z.object({ conversationId, messageId, label: labelText })).output(out<TalkView>()),
    remove: oc.input(message).output(out<TalkView>()),
    /** Of the whole conversation, on whatever branch, in the order they were set. */
    list: oc.input(conversation).output(out<MessageLabel[]>()),
  },
  pins: {
    set: oc.input(message).output(out<TalkView>()),
    remove: oc.input(message).output(out<TalkView>()),
  },
  trash: {
    /** What the dialog says before (T8). `messageId` null: the whole conversation. */
    count: oc.input(z.object({ conversationId, messageId: z.nullable(messageId) })).output(out<DeleteCounts>()),
    /** The message with all below it, or the whole conversation; what runs there is stopped first. */
    remove: oc.input(z.object({ conversationId, messageId: z.nullable(messageId) })).output(out<Deleted>()),
    /** Puts all of it back as it was. `conflict` where what it hangs under is in the trash, too. */
    restore: oc.input(z.object({ trashId })).output(out<{ conversationId: ConversationId }>()),
    /** Newest first. */
    list: oc.output(out<TrashEntry[]>()),
    /** Deletes for good, one deletion or all of them; answers at its end. There is no way back, also when it is stopped. */
    empty: oc.input(z.object({ trashId: z.nullable(trashId) })).output(nothing),
    stopEmptying: oc.output(nothing),
  },
};
