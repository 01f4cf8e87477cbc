// THE contract between windows and main. Inputs are validated (windows are not trusted); outputs are typed only (main is).
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { agentParametersSchema, agentSchema } from './model/agent';
import { approvalAnswerSchema } from './model/approval';
import { checkpointLabel } from './model/checkpoint';
import type { ContextView } from './model/contextView';
import type { Conversation } from './model/conversation';
import { type Attachment, attachmentSchema, type Draft, draftSchema } from './model/draft';
import type { EventBatch } from './model/events';
import { type ExportCounts, type ExportNews, exportChoice, exportId, exportRequest } from './model/export';
import type { Failure } from './model/failure';
import { type ForkCounts, type Forks, forkScope } from './model/fork';
import type { ConversationId, MessageId, StepId } from './model/ids';
import { agentId, blobHash, conversationId, failedTurnId, messageId, providerId, queuedId, stepId, trashId } from './model/ids';
import { labelText, type MessageLabel } from './model/mark';
import type { Outline, OutlineHits, OutlinePreview, OutlineTurn } from './model/outline';
import { modelInfoSchema, type OfferedModel, providerConfigSchema } from './model/provider';
import type { QueuedMessage } from './model/queue';
import { type PathMatches, type SearchPage, searchRequest } from './model/search';
import { preferencesChangeSchema, rolesSchema, type SettingsView } from './model/settings';
import type { PathSlice, TalkView } from './model/talkView';
import type { ToolResult } from './model/tool';
import type { TouchedFile } from './model/touchedFile';
import type { DeleteCounts, Deleted, TrashEntry } from './model/trash';
import type { RecentWorkspace, WorkspaceState } from './model/workspace';

/** An output: typed, not checked at run time. */
const out = <T>() => z.custom<T>();
const nothing = z.void();
const conversation = z.object({ conversationId });
const message = z.object({ conversationId, messageId });
const longText = z.string().check(z.maxLength(20_000_000));

/** What `turn.*` answers as soon as the user's message is recorded: the answer itself arrives as events. */
export type Recorded = { conversationId: ConversationId; messageId: MessageId; stepId: StepId | null };

/** How a key typed in the window is kept (W3); `keep` leaves what is stored. */
const keyChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('keep') }),
  z.object({ action: z.literal('clear') }),
  z.object({
    action: z.literal('set'),
    value: z.string().check(z.minLength(1), z.maxLength(10_000)),
    storage: z.enum(['keychain', 'plain', 'session']),
  }),
]);
const providerInput = z.omit(providerConfigSchema, { apiKey: true });

export type ProviderTest = { ok: boolean; models: OfferedModel[]; failure?: Failure | undefined };
export type LocalServer = { name: string; kind: 'openai-chat'; baseUrl: string; models: OfferedModel[] };
export type AppInfo = { version: string; electron: string; platform: string; locale: string; systemDark: boolean; development: boolean };

export const contract = {
  events: {
    subscribe: oc.output(eventIterator(out<EventBatch>())),
  },
  app: {
    info: oc.output(out<AppInfo>()),
    /** http, https and mailto only; anything else is refused. */
    openExternal: oc.input(z.object({ url: z.string().check(z.maxLength(8192)) })).output(nothing),
    copyText: oc.input(z.object({ text: longText })).output(nothing),
  },
  workspace: {
    state: oc.output(out<WorkspaceState>()),
    recent: oc.output(out<RecentWorkspace[]>()),
    /** Asks for a folder; null when the person cancels. */
    choose: oc.input(z.object({ newWindow: z.boolean() })).output(out<WorkspaceState | null>()),
    open: oc
      .input(z.object({ folder: z.string(), readOnly: z.optional(z.boolean()), newWindow: z.optional(z.boolean()) }))
      .output(out<WorkspaceState>()),
    retry: oc.output(out<WorkspaceState>()),
    restoreBackup: oc.input(z.object({ name: z.string().check(z.regex(/^[\w.-]+$/)) })).output(out<WorkspaceState>()),
    reveal: oc.output(nothing),
    saveInterface: oc
      .input(
        z.object({
          sidebarWidth: z.optional(z.number()),
          panelWidth: z.optional(z.number()),
          sidebarOpen: z.optional(z.boolean()),
          panelOpen: z.optional(z.boolean()),
          lastConversationId: z.optional(z.string()),
          forkScope: z.optional(forkScope),
          exportChoice: z.optional(exportChoice),
        }),
      )
      .output(nothing),
  },
  settings: {
    get: oc.output(out<SettingsView>()),
    /** Whether the system keychain can encrypt. Asked only where a key is entered: on Linux the question may open a dialog. */
    askKeychain: oc.output(out<{ available: boolean }>()),
    savePreferences: oc.input(preferencesChangeSchema).output(out<SettingsView>()),
    saveRoles: oc.input(rolesSchema).output(out<SettingsView>()),
    saveProvider: oc.input(z.object({ provider: providerInput, key: keyChange })).output(out<SettingsView>()),
    removeProvider: oc.input(z.object({ providerId })).output(out<SettingsView>()),
    /** Asks the server for its models with the given (not yet saved) values, or with the stored key on `keep`. */
    testProvider: oc.input(z.object({ provider: providerInput, key: keyChange })).output(out<ProviderTest>()),
    discoverLocal: oc.output(out<LocalServer[]>()),
    models: oc
      .input(z.object({ refresh: z.boolean() }))
      .output(out<{ models: OfferedModel[]; failures: { providerId: string; failure: Failure }[] }>()),
    saveModel: oc.input(z.object({ providerId, model: modelInfoSchema })).output(out<SettingsView>()),
    saveAgent: oc.input(z.object({ agent: agentSchema })).output(out<SettingsView>()),
    removeAgent: oc.input(z.object({ agentId })).output(out<SettingsView>()),
    /** Ends the first run: keeps what was set up and makes the demo agent when nothing else can answer. */
    finishOnboarding: oc.input(z.object({ model: z.nullable(z.string()) })).output(out<SettingsView>()),
    /** Moves keys written by hand into settings.json into the keychain. */
    moveKeysToKeychain: oc.output(out<SettingsView>()),
    revealFile: oc.output(nothing),
  },
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
  tree: {
    /** Moves the tip to this message ("Branch from here"). */
    goTo: oc.input(message).output(out<TalkView>()),
    /** Previous or next version of the child `from` of `parentId`; `from` null stands for the running or failed answer. */
    goToSibling: oc
      .input(
        z.object({ conversationId, parentId: z.nullable(messageId), from: z.nullable(messageId), direction: z.enum(['previous', 'next']) }),
      )
      .output(out<TalkView>()),
    /** From a tip with children along the remembered, else newest, branch to its end. */
    forward: oc.input(conversation).output(out<TalkView>()),
  },
  search: {
    /** Messages of the whole workspace, newest first (Q1). Works for a bounded time: ask again with `next` for more. */
    messages: oc.input(searchRequest).output(out<SearchPage>()),
    /** Shows a message that was found: moves the tip to its branch when it stands on another one. */
    open: oc.input(message).output(out<{ view: TalkView; depth: number; moved: boolean }>()),
    /** Messages of the path to `tipId` that hold a text, from depth `from` on. */
    onPath: oc
      .input(z.object({ tipId: messageId, query: z.string().check(z.maxLength(500)), from: z.int().check(z.minimum(0)) }))
      .output(out<PathMatches>()),
  },
  outline: {
    /** The whole tree for the navigator (U5): runs with the turns that have a line. */
    read: oc.input(conversation).output(out<Outline>()),
    /** Lines of a gap: the turns `from` up to, not including, `to` of a run. */
    turns: oc.input(z.object({ conversationId, runId: messageId, from: z.int(), to: z.int() })).output(out<OutlineTurn[]>()),
    /** Turns on any branch whose messages hold every word. */
    search: oc.input(z.object({ conversationId, query: z.string().check(z.maxLength(500)) })).output(out<OutlineHits>()),
    preview: oc.input(message).output(out<OutlinePreview>()),
    /** Moves the tip to the end of the branch of this message, as it was left; where the path holds it, the tip stays. `depth`: its own. */
    goTo: oc.input(z.object({ conversationId, messageId, depth: z.int() })).output(out<TalkView>()),
  },
  export: {
    /** What each scope holds; `messageId` null: the tip. Throws `notFound`. */
    count: oc.input(z.object({ conversationId, messageId: z.nullable(messageId) })).output(out<ExportCounts>()),
    /** Asks for a file and writes it; aborting the call leaves nothing behind, and what was in the file before (R4). */
    save: oc.input(exportRequest).output(eventIterator(out<ExportNews>())),
    /** The page that a running export asked for with `rows`. */
    write: oc.input(z.object({ exportId, html: longText })).output(nothing),
    /** Shows a file that was exported in this window in the file manager. */
    reveal: oc.input(z.object({ path: z.string().check(z.maxLength(4096)) })).output(nothing),
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
  drafts: {
    /** `key` is a conversation id, or `new`. */
    get: oc.input(z.object({ key: z.string().check(z.maxLength(200)) })).output(out<Draft>()),
    save: oc.input(z.object({ key: z.string().check(z.maxLength(200)), draft: draftSchema })).output(nothing),
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
  agents: {
    /** Changes that belong to an agent but are made beside the composer. */
    setModel: oc.input(z.object({ agentId, model: z.string() })).output(out<SettingsView>()),
    setParameters: oc.input(z.object({ agentId, parameters: agentParametersSchema })).output(out<SettingsView>()),
  },
};
