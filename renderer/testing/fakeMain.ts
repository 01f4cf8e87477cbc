// Main in memory, for component tests and for looking at the window without it: the tree and the turns; its procedures are in fakeBridge.

import type { Agent } from '../../shared/model/agent';
import type { ApprovalAnswer } from '../../shared/model/approval';
import type { Carry } from '../../shared/model/carry';
import type { Checkpoint } from '../../shared/model/checkpoint';
import type { Conversation } from '../../shared/model/conversation';
import type { Attachment, Draft } from '../../shared/model/draft';
import type { EventBatch, WindowEvent } from '../../shared/model/events';
import { type Failure, FailureError, makeFailure } from '../../shared/model/failure';
import {
  type AgentId,
  type BlobHash,
  type ConversationId,
  type FailedTurnId,
  type MessageId,
  type makeNewId,
  messageIdOfStep,
  type ProviderId,
  type StepId,
} from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { MessageLabel } from '../../shared/model/mark';
import type { Message, Part } from '../../shared/model/message';
import type { OfferedModel } from '../../shared/model/provider';
import type { QueuedMessage } from '../../shared/model/queue';
import { defaultPreferences, type SettingsView } from '../../shared/model/settings';
import type { Ending, MessageView, TalkView } from '../../shared/model/talkView';
import type { ToolResult } from '../../shared/model/tool';
import type { TouchedFile } from '../../shared/model/touchedFile';
import type { TrashEntry } from '../../shared/model/trash';
import type { WorkspaceState } from '../../shared/model/workspace';
import type { Bridge } from '../bridge';
import { withSummaries } from './fakeParts';

export type FakeMain = {
  bridge: Bridge;
  conversations: Map<ConversationId, Conversation>;
  messages: Map<MessageId, Message>;
  /** Children by parent (`conversation/` for roots), in order of creation. */
  children: Map<string, MessageId[]>;
  /** The last tip left below each message: T6's memory. */
  remembered: Map<MessageId, MessageId>;
  live: Map<StepId, LiveStep>;
  failed: Map<FailedTurnId, FailedTurn>;
  /** On any branch; a view holds those of its path. */
  checkpoints: Checkpoint[];
  labels: MessageLabel[];
  pins: MessageId[];
  /** What was deleted, newest last, with the way back. */
  trash: { entry: TrashEntry; restore(): void }[];
  queue: QueuedMessage[];
  /** Digests being made. */
  carries: (Carry & { conversationId: ConversationId })[];
  /** What tools gave back, by call. */
  results: Map<string, ToolResult & { durationMs?: number | undefined }>;
  touched: TouchedFile[];
  drafts: Map<string, Draft>;
  settings: SettingsView;
  models: OfferedModel[];
  workspace: WorkspaceState;
  /** Texts of files by hash, as `attachments.text` gives them. */
  texts: Map<string, string>;
  context: { tokens: number; window: number | null };
  /** Every call that reached main, newest last: `talk.open`, with its input. */
  calls: { name: string; input: unknown }[];
  /** Whether the system keychain works. */
  keychain: boolean;
  /** Answers the next call of this name with a failure. */
  failNext: Map<string, Failure>;
  /** Answers calls of this name instead of main; undefined leaves it to main. */
  answers: Record<string, () => unknown>;
  /** Called when a step starts; the harness and some tests answer from here. */
  onStep: (step: LiveStep) => void;
  /** Called when the user has answered a call that waited for their word. */
  onAnswer: (stepId: StepId, callId: string, answer: ApprovalAnswer) => void;
  emit(...events: WindowEvent[]): void;
  now(): number;
  newId: ReturnType<typeof makeNewId>;
  subscribers: Set<(batch: EventBatch) => void>;
};

export const demoAgent: Agent = {
  id: 'demo' as AgentId,
  name: 'Demo',
  model: 'demo/demo',
  systemPrompt: '',
  tools: [],
  approval: 'ask',
  parameters: {},
};
export const helperAgent: Agent = { ...demoAgent, id: 'helper' as AgentId, name: 'Helper', model: 'local/m1' };

export function makeSettings(change: Partial<SettingsView> = {}): SettingsView {
  return {
    version: 1,
    providers: [
      { id: 'demo' as ProviderId, name: 'Demo', kind: 'demo', models: [], keySource: 'none' },
      { id: 'local' as ProviderId, name: 'Local', kind: 'openai-chat', baseUrl: 'http://127.0.0.1:8080/v1', models: [], keySource: 'none' },
    ],
    agents: [helperAgent, demoAgent],
    roles: {},
    compaction: {},
    preferences: { ...defaultPreferences },
    onboarded: true,
    problems: [],
    writable: true,
    workspace: { interface: {}, conversation: {}, compaction: {} },
    ...change,
  };
}

export function makeModels(): OfferedModel[] {
  return [
    {
      id: 'm1',
      ref: 'local/m1',
      providerId: 'local' as ProviderId,
      providerName: 'Local',
      demo: false,
      contextWindow: 32_000,
      vision: true,
    },
    { id: 'm2', ref: 'local/m2', providerId: 'local' as ProviderId, providerName: 'Local', demo: false, contextWindow: 128_000 },
    { id: 'demo', ref: 'demo/demo', providerId: 'demo' as ProviderId, providerName: 'Demo', demo: true, contextWindow: 16_000 },
  ];
}

// The tree.

export const placeOf = (conversationId: ConversationId, parentId: MessageId | null) =>
  parentId === null ? `${conversationId}/` : parentId;
export const childrenOf = (main: FakeMain, conversationId: ConversationId, parentId: MessageId | null) =>
  main.children.get(placeOf(conversationId, parentId)) ?? [];

export function addConversation(main: FakeMain, change: Partial<Conversation> = {}): Conversation {
  const at = main.now();
  const conversation: Conversation = {
    id: main.newId('cnv'),
    title: '',
    titleSource: 'none',
    tipId: null,
    agentId: 'helper' as AgentId,
    pinned: false,
    archived: false,
    createdAt: at,
    updatedAt: at,
    ...change,
  };
  main.conversations.set(conversation.id, conversation);
  return conversation;
}

export type NewMessage = Partial<Omit<Message, 'parts'>> &
  Pick<Message, 'conversationId' | 'role'> & { text?: string; parts?: Part[]; recovered?: boolean; retold?: boolean };
/** Appends under `parentId` (the tip when not given) and moves the tip to it. */
export function addMessage(main: FakeMain, { text, parts, ...given }: NewMessage): Message {
  const conversation = conversationOf(main, given.conversationId);
  const message: Message = {
    id: main.newId('msg'),
    parentId: conversation.tipId,
    status: 'complete',
    createdAt: main.now(),
    parts: parts ?? [{ type: 'text', text: text ?? '' }],
    ...(given.role === 'assistant' ? { agentId: 'helper' as AgentId, model: 'local/m1' } : {}),
    ...given,
  };
  main.messages.set(message.id, message);
  const place = placeOf(message.conversationId, message.parentId);
  main.children.set(place, [...(main.children.get(place) ?? []), message.id]);
  main.conversations.set(conversation.id, { ...conversation, tipId: message.id, updatedAt: message.createdAt });
  return message;
}

export function conversationOf(main: FakeMain, id: ConversationId): Conversation {
  const found = main.conversations.get(id);
  if (!found) throw new FailureError(makeFailure('notFound', 'This conversation is gone.'));
  return found;
}
export function messageOf(main: FakeMain, id: MessageId): Message {
  const found = main.messages.get(id);
  if (!found) throw new FailureError(makeFailure('notFound', 'This message is gone.'));
  return found;
}

/** Messages never change, so a path is walked once; without this every slice of a long one would cost its length. */
const paths = new WeakMap<FakeMain, { tipId: MessageId; path: Message[] }>();
export function pathTo(main: FakeMain, tipId: MessageId | null): Message[] {
  const known = paths.get(main);
  if (tipId === null) return [];
  if (known?.tipId === tipId) return known.path;
  const path: Message[] = [];
  for (let id: MessageId | null = tipId; id !== null; ) {
    const message = messageOf(main, id);
    path.push(message);
    id = message.parentId;
  }
  path.reverse();
  paths.set(main, { tipId, path });
  return path;
}

/** Complete children, then running and failed answers: the order of the switcher. */
export function versionsUnder(main: FakeMain, conversationId: ConversationId, parentId: MessageId | null) {
  const live = [...main.live.values()].filter((step) => step.parentId === parentId);
  const failed = [...main.failed.values()].filter((turn) => turn.parentId === parentId);
  return {
    messages: childrenOf(main, conversationId, parentId),
    live,
    failed,
    count: childrenOf(main, conversationId, parentId).length + live.length + failed.length,
  };
}

export function viewOfMessage(main: FakeMain, message: Message, depth: number): MessageView {
  const { messages, count } = versionsUnder(main, message.conversationId, message.parentId);
  return { ...message, depth, version: messages.indexOf(message.id) + 1, versions: count };
}

function endingUnder(main: FakeMain, conversation: Conversation): Ending | null {
  if (conversation.tipId === null) return null;
  const { live, failed, count } = versionsUnder(main, conversation.id, conversation.tipId);
  const step = live.at(-1);
  if (step) return { type: 'live', step, version: count, versions: count };
  const turn = failed.at(-1);
  return turn ? { type: 'failed', turn, version: count, versions: count } : null;
}

export function openView(main: FakeMain, conversationId: ConversationId, count = 50, offset?: number): TalkView {
  const conversation = conversationOf(main, conversationId);
  const path = pathTo(main, conversation.tipId);
  const from = Math.max(0, Math.min(offset ?? path.length, path.length - count));
  return {
    conversation,
    tipId: conversation.tipId,
    length: path.length,
    slice: { offset: from, items: path.slice(from, from + count).map((message, index) => viewOfMessage(main, message, from + index)) },
    ending: endingUnder(main, conversation),
    tipChildren: conversation.tipId === null ? 0 : childrenOf(main, conversationId, conversation.tipId).length,
    running: [...main.live.values()].filter((step) => step.conversationId === conversationId),
    checkpoints: path.flatMap((message) =>
      main.checkpoints.filter((each) => each.conversationId === conversationId && each.messageId === message.id),
    ),
    queue: main.queue.filter((each) => each.conversationId === conversationId),
    labels: path.flatMap((message) => main.labels.filter((each) => each.messageId === message.id)),
    pins: path.flatMap((message) => main.pins.filter((id) => id === message.id)),
    carries: main.carries.filter((each) => each.conversationId === conversationId),
  };
}

export function moveTip(main: FakeMain, conversationId: ConversationId, tipId: MessageId | null): TalkView {
  const conversation = conversationOf(main, conversationId);
  for (const message of pathTo(main, conversation.tipId)) if (conversation.tipId) main.remembered.set(message.id, conversation.tipId);
  main.conversations.set(conversationId, { ...conversation, tipId });
  return openView(main, conversationId);
}
export function endOf(main: FakeMain, conversationId: ConversationId, from: MessageId): MessageId {
  const remembered = main.remembered.get(from);
  if (remembered) return remembered;
  let id = from;
  for (let next = childrenOf(main, conversationId, id).at(-1); next; next = childrenOf(main, conversationId, id).at(-1)) id = next;
  return id;
}

// Turns: started by calls, driven by the test or the harness.

export function startStep(main: FakeMain, conversationId: ConversationId, parentId: MessageId, change: Partial<LiveStep> = {}): LiveStep {
  const agentId = conversationOf(main, conversationId).agentId ?? ('helper' as AgentId);
  const model = main.settings.agents.find((agent) => agent.id === agentId)?.model ?? 'local/m1';
  const step: LiveStep = {
    id: main.newId('stp'),
    conversationId,
    parentId,
    turnId: main.newId('trn'),
    agentId,
    model,
    parts: [],
    calls: [],
    phase: 'connecting',
    startedAt: Date.now(),
    ...change,
  };
  main.live.set(step.id, step);
  main.emit({ type: 'stepStarted', step }, { type: 'talkChanged', conversationId });
  main.onStep(step);
  return step;
}

/** Adds text to the step's last part of this kind (or a new one) and tells the window. */
export function streamText(main: FakeMain, stepId: StepId, text: string, kind: 'text' | 'reasoning' = 'text'): void {
  const step = main.live.get(stepId);
  if (!step) return;
  const last = step.parts.at(-1);
  const grows = last?.type === kind;
  const index = grows ? step.parts.length - 1 : step.parts.length;
  const offset = grows && 'text' in last ? last.text.length : 0;
  const part: Part = { type: kind, text: (grows && 'text' in last ? last.text : '') + text };
  main.live.set(stepId, { ...step, phase: 'streaming', parts: [...step.parts.slice(0, index), part] });
  main.emit({ type: 'stepDelta', stepId, conversationId: step.conversationId, index, kind, offset, text });
}
export function setPhase(main: FakeMain, stepId: StepId, phase: LiveStep['phase'], retry?: LiveStep['retry']): void {
  const step = main.live.get(stepId);
  if (!step) return;
  main.live.set(stepId, { ...step, phase, retry });
  main.emit({ type: 'stepPhase', stepId, conversationId: step.conversationId, phase, retry });
}
/** The step becomes a message; `goesOn` says that another step of its turn follows. */
export function finishStep(main: FakeMain, stepId: StepId, change: Partial<Message> = {}, goesOn?: true): void {
  const step = main.live.get(stepId);
  if (!step) return;
  main.live.delete(stepId);
  const { conversationId, parentId, agentId, turnId, model } = step;
  const tip = conversationOf(main, conversationId).tipId;
  const message = addMessage(main, {
    id: messageIdOfStep(stepId),
    conversationId,
    parentId,
    role: 'assistant',
    agentId,
    turnId,
    model,
    parts: withSummaries(step),
    durationMs: 4200,
    ...change,
  });
  if (tip !== parentId) moveTip(main, conversationId, tip);
  main.emit({ type: 'stepEnded', stepId, conversationId, messageId: message.id, goesOn }, { type: 'talkChanged', conversationId });
}
export function failStep(main: FakeMain, stepId: StepId, failure: Failure): FailedTurn | undefined {
  const step = main.live.get(stepId);
  if (!step) return undefined;
  main.live.delete(stepId);
  const { conversationId, parentId, turnId, agentId, model } = step;
  const turn: FailedTurn = { id: main.newId('fld'), conversationId, parentId, turnId, agentId, model, failure, createdAt: main.now() };
  main.failed.set(turn.id, turn);
  main.emit({ type: 'stepEnded', stepId, conversationId, messageId: null }, { type: 'talkChanged', conversationId });
  return turn;
}

export function partsOf(text: string, attachments: readonly Attachment[]): Part[] {
  return [...attachments, ...(text ? [{ type: 'text' as const, text }] : [])];
}
export function answerTo(main: FakeMain, message: Message) {
  moveTip(main, message.conversationId, message.id);
  main.emit({ type: 'conversationChanged', conversation: conversationOf(main, message.conversationId) });
  const step = startStep(main, message.conversationId, message.id);
  return { conversationId: message.conversationId, messageId: message.id, stepId: step.id };
}
export function changeConversation(main: FakeMain, id: ConversationId, change: Partial<Conversation>): Conversation {
  const conversation = { ...conversationOf(main, id), ...change };
  main.conversations.set(id, conversation);
  main.emit({ type: 'conversationChanged', conversation });
  return conversation;
}
export function changeSettings(main: FakeMain, change: Partial<SettingsView>): SettingsView {
  main.settings = { ...main.settings, ...change };
  main.emit({ type: 'settingsChanged', settings: main.settings });
  return main.settings;
}
let blobs = 0;
export function makeAttachment(name: string, mime: string, size: number): Attachment {
  const hash = String(++blobs).padStart(64, '0') as BlobHash;
  return mime.startsWith('image/') ? { type: 'image', hash, mime, name, size } : { type: 'file', hash, mime, name, size, textHash: hash };
}
