// Turns, and what is shown and sent in the talk.
import { oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { approvalAnswerSchema } from '../model/approval';
import type { ContextView } from '../model/contextView';
import { type Attachment, attachmentSchema } from '../model/draft';
import type { Failure } from '../model/failure';
import {
  agentId,
  blobHash,
  type ConversationId,
  conversationId,
  failedTurnId,
  type MessageId,
  messageId,
  queuedId,
  type StepId,
  stepId,
} from '../model/ids';
import type { QueuedMessage } from '../model/queue';
import type { PathSlice, TalkView } from '../model/talkView';
import type { ToolResult } from '../model/tool';
import type { TouchedFile } from '../model/touchedFile';
import { conversation, longText, message, nothing, out } from './parts';

/** What `turn.*` answers as soon as the user's message is recorded: the answer itself arrives as events. */
export type Recorded = { conversationId: ConversationId; messageId: MessageId; stepId: StepId | null };

export const talkContract = {
  talk: {
    /** The path's end, or the slice around `around`, `count` messages (at most 200). */
    open: oc
      .input(z.object({ conversationId, count: z.int().check(z.minimum(1), z.maximum(200)), offset: z.optional(z.int()) }))
      .output(out<TalkView>()),
    /** A slice of the path that ends at `tipId`; `conflict` when the tip has moved since. */
    slice: oc
      .input(z.object({ conversationId, tipId: messageId, offset: z.int(), count: z.int().check(z.minimum(1), z.maximum(200)) }))
      .output(out<PathSlice>()),
    /** What a tool gave back, of a message or of a running step; `notFound` when no transcript has it. */
    callResult: oc
      .input(
        z.object({
          conversationId,
          messageId: z.optional(messageId),
          stepId: z.optional(stepId),
          callId: z.string().check(z.maxLength(500)),
        }),
      )
      .output(out<ToolResult & { durationMs?: number | undefined }>()),
    /** Files that tools read or changed along the path, newest first. */
    touchedFiles: oc.input(conversation).output(out<TouchedFile[]>()),
    /** What the next request would hold, for the context ring. */
    context: oc.input(z.object({ conversationId: z.nullable(conversationId), agentId: z.nullable(agentId) })).output(out<ContextView>()),
  },
  turn: {
    /** A new conversation when `conversationId` is null. The user's message hangs under the tip. */
    start: oc
      .input(
        z.object({
          conversationId: z.nullable(conversationId),
          text: longText,
          attachments: z.array(attachmentSchema),
          agentId: z.nullable(agentId),
        }),
      )
      .output(out<Recorded>()),
    /** A sibling of a user message, and its answer (T5). */
    edit: oc.input(z.object({ conversationId, messageId, text: longText, attachments: z.array(attachmentSchema) })).output(out<Recorded>()),
    /** A sibling of an answer marked as edited by hand; nothing is sent. */
    editAnswer: oc.input(z.object({ conversationId, messageId, text: longText })).output(out<Recorded>()),
    /** Another answer to the same message. On a user message: an answer to it. */
    regenerate: oc.input(z.object({ conversationId, messageId, agentId: z.optional(agentId) })).output(out<Recorded>()),
    /** One more step under an interrupted or cut answer, in the same turn. */
    continue: oc.input(message).output(out<Recorded>()),
    retry: oc.input(z.object({ conversationId, failedTurnId })).output(out<Recorded>()),
    stop: oc.input(z.object({ conversationId, stepId: z.optional(stepId) })).output(nothing),
  },
  queue: {
    /** For the turn that runs under the tip; `conflict` when none does. */
    add: oc
      .input(z.object({ conversationId, text: longText, attachments: z.array(attachmentSchema), mode: z.enum(['queue', 'steer']) }))
      .output(out<QueuedMessage>()),
    change: oc
      .input(z.object({ queuedId, text: longText, attachments: z.array(attachmentSchema), mode: z.enum(['queue', 'steer']) }))
      .output(out<QueuedMessage>()),
    remove: oc.input(z.object({ queuedId })).output(nothing),
    /** Sends one that is held, under the tip as it is. */
    send: oc.input(z.object({ queuedId })).output(out<Recorded>()),
  },
  approvals: {
    /** The user's word on a call that waits for it (A4). */
    answer: oc
      .input(z.object({ conversationId, stepId, callId: z.string().check(z.maxLength(500)), answer: approvalAnswerSchema }))
      .output(nothing),
  },
  attachments: {
    /** A file of the user's own choosing: dropped or picked. */
    addPath: oc.input(z.object({ path: z.string().check(z.maxLength(4096)) })).output(out<Attachment>()),
    addBytes: oc
      .input(z.object({ name: z.string().check(z.maxLength(500)), mime: z.string().check(z.maxLength(200)), bytes: z.instanceof(Blob) }))
      .output(out<Attachment>()),
    /** Asks for files; empty when the person cancels. Refused ones come with their failure. */
    choose: oc.output(out<{ added: Attachment[]; refused: { name: string; failure: Failure }[] }>()),
    /** The text that a file part sends to the model. */
    text: oc.input(z.object({ hash: blobHash })).output(out<{ text: string }>()),
  },
};
