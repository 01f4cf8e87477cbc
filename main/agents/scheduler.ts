// The conductor of turns in one workspace: records what the user did, runs the answer, one running turn a head (T12), and stops it.
import type { Agent } from '../../shared/model/agent';
import type { Conversation } from '../../shared/model/conversation';
import type { Attachment } from '../../shared/model/draft';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { AgentId, ConversationId, FailedTurnId, MessageId, NewId, StepId, TurnId } from '../../shared/model/ids';
import { messageIdOfStep } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import { type Message, type Part, textOf } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest } from '../../shared/model/request';
import type { TalkView } from '../../shared/model/talkView';
import type { Now } from '../lib/clock';
import type { Logger } from '../lib/logger';
import { getConversation, renameConversation } from '../store/conversations';
import { transaction, type WritableDb } from '../store/database';
import { getFailedTurn, listFailedTurns } from '../store/liveSteps';
import { appendMessage, getMessage, readPath } from '../store/messages';
import { moveTip } from '../store/tips';
import { recordTurn } from '../store/turns';
import type { Transcripts } from '../transcript/transcripts';
import type { EventHub } from './eventHub';
import type { ModelAccess } from './modelAccess';
import { runStep, type StepContext } from './runStep';
import { askForTitle, titleFromText } from './titles';

export type SchedulerDeps = {
  db: WritableDb;
  transcripts: Transcripts;
  hub: EventHub;
  models: ModelAccess;
  newId: NewId;
  now: Now;
  random(): number;
  logger: Logger;
  wait: StepContext['wait'];
  /** Builds the request for an answer to `parentId` by this agent, with the texts of its files. */
  buildRequest(parentId: MessageId, agent: Agent, model: ModelInfo): Promise<ModelRequest>;
};

export type Recorded = { conversationId: ConversationId; messageId: MessageId; stepId: StepId | null };
type Sent = { text: string; attachments: readonly Attachment[] };

/** What a launch needs beside the step itself. */
type Launch = {
  conversation: Conversation;
  isNew?: boolean;
  /** A send hangs under the tip as it is; everything else names its place. */
  isSend?: boolean;
  userMessage?: Message;
  /** The message the answer hangs under. */
  parentId: MessageId;
  turnId: TurnId;
  agent: Agent;
};

export class Scheduler {
  readonly #deps: SchedulerDeps;
  readonly #running = new Map<StepId, { step: LiveStep; controller: AbortController; ended: Promise<void> }>();

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** A new message under the tip (T3), in a new conversation when there is none, and its answer. */
  start(args: Sent & { conversationId: ConversationId | null; agentId: AgentId | null }): Recorded {
    const { now, newId } = this.#deps;
    const existing = args.conversationId ? this.#conversation(args.conversationId) : null;
    const agent = this.#agent(args.agentId ?? existing?.agentId ?? null);
    const conversation: Conversation = existing ?? {
      id: newId('cnv'),
      title: titleFromText(args.text) || (args.attachments[0]?.name ?? ''),
      titleSource: 'none',
      tipId: null,
      agentId: agent.id,
      pinned: false,
      archived: false,
      createdAt: now(),
      updatedAt: now(),
    };
    this.#refuseBusyHead(conversation.tipId);
    const userMessage = this.#userMessage(conversation.id, conversation.tipId, args);
    return this.#launch({
      conversation,
      isNew: !existing,
      isSend: true,
      userMessage,
      parentId: userMessage.id,
      turnId: userMessage.turnId as TurnId,
      agent,
    });
  }

  /** A sibling of a sent prompt, and its answer; the old prompt and its whole tail stay (T5). */
  edit(args: Sent & { conversationId: ConversationId; messageId: MessageId }): Recorded {
    const conversation = this.#conversation(args.conversationId);
    const old = this.#message(args.conversationId, args.messageId);
    if (old.role !== 'user') throw failed('invalidInput', 'Only a message of yours can be sent again edited.');
    const userMessage = this.#userMessage(conversation.id, old.parentId, args);
    const agent = this.#agent(conversation.agentId);
    return this.#launch({ conversation, userMessage, parentId: userMessage.id, turnId: userMessage.turnId as TurnId, agent });
  }

  /** A sibling of an answer with the user's own text, marked as edited by hand (T5). Nothing is sent. */
  editAnswer(args: { conversationId: ConversationId; messageId: MessageId; text: string }): Recorded {
    const { db, newId, now } = this.#deps;
    const old = this.#message(args.conversationId, args.messageId);
    if (old.role === 'user') throw failed('invalidInput', 'Edit a message of yours by sending it again.');
    if (args.text.trim() === '') throw failed('invalidInput', 'An answer cannot be empty.');
    const kept = old.parts.filter((part) => part.type !== 'text' && part.type !== 'reasoning');
    const message: Message = {
      ...old,
      id: newId('msg'),
      status: 'complete',
      parts: [{ type: 'text', text: args.text }, ...kept],
      usage: undefined,
      failure: undefined,
      finish: undefined,
      durationMs: undefined,
      edited: true,
      createdAt: now(),
    };
    transaction(db, () => {
      moveTip(db, { conversationId: args.conversationId, to: old.parentId });
      appendMessage(db, { message, tip: 'follow' });
    });
    this.#publishTalk(args.conversationId);
    return { conversationId: args.conversationId, messageId: message.id, stepId: null };
  }

  /** Another answer beside this one, or the first answer to a prompt without one (T5). */
  regenerate(args: { conversationId: ConversationId; messageId: MessageId; agentId?: AgentId | undefined }): Recorded {
    const conversation = this.#conversation(args.conversationId);
    const message = this.#message(args.conversationId, args.messageId);
    const parentId = message.role === 'assistant' ? message.parentId : message.id;
    if (!parentId) throw failed('invalidInput', 'There is no message that this answers.');
    const parent = this.#message(args.conversationId, parentId);
    const agent = this.#agent(args.agentId ?? message.agentId ?? conversation.agentId);
    return this.#launch({ conversation, parentId, turnId: parent.turnId ?? this.#deps.newId('trn'), agent });
  }

  /** One more step under a broken-off answer, in the same turn (X9). */
  continue(args: { conversationId: ConversationId; messageId: MessageId }): Recorded {
    const conversation = this.#conversation(args.conversationId);
    const message = this.#message(args.conversationId, args.messageId);
    if (message.role !== 'assistant') throw failed('invalidInput', 'Only an answer can be continued.');
    const agent = this.#agent(message.agentId ?? conversation.agentId);
    return this.#launch({ conversation, parentId: message.id, turnId: message.turnId ?? this.#deps.newId('trn'), agent });
  }

  /** Runs a failed turn again in its place; works after a restart (X8). */
  retry(args: { conversationId: ConversationId; failedTurnId: FailedTurnId }): Recorded {
    const conversation = this.#conversation(args.conversationId);
    const turn = getFailedTurn(this.#deps.db, args.failedTurnId);
    if (!turn || turn.conversationId !== args.conversationId)
      throw failed('nothingToRetry', 'This turn is no longer waiting to be tried again.');
    return this.#launch({ conversation, parentId: turn.parentId, turnId: turn.turnId, agent: this.#agent(turn.agentId) });
  }

  /** Ends a step at once; its text stays as an interrupted message. Without a step: every running one of the conversation. */
  async stop(args: { conversationId: ConversationId; stepId?: StepId | undefined }): Promise<void> {
    const ended: Promise<void>[] = [];
    for (const { step, controller, ended: end } of this.#running.values()) {
      if (step.conversationId !== args.conversationId || (args.stepId && step.id !== args.stepId)) continue;
      controller.abort();
      ended.push(end);
    }
    await Promise.all(ended);
  }

  /** The view with the text as it is now: the stored rows are up to a second old. */
  withLiveText(view: TalkView): TalkView {
    const now = (step: LiveStep) => this.#running.get(step.id)?.step ?? step;
    const ending = view.ending?.type === 'live' ? { ...view.ending, step: now(view.ending.step) } : view.ending;
    return { ...view, ending, running: view.running.map(now) };
  }

  /** Ends everything that runs, before the workspace closes. */
  async close(): Promise<void> {
    for (const { controller } of this.#running.values()) controller.abort();
    await Promise.all([...this.#running.values()].map((run) => run.ended));
  }

  #launch(launch: Launch): Recorded {
    const { db, newId, now, hub } = this.#deps;
    this.#refuseBusyHead(launch.parentId);
    const step: LiveStep = {
      id: newId('stp'),
      conversationId: launch.conversation.id,
      parentId: launch.parentId,
      turnId: launch.turnId,
      agentId: launch.agent.id,
      model: launch.agent.model ?? '',
      parts: [],
      phase: 'connecting',
      startedAt: now(),
    };
    this.#noteRetried(step);
    recordTurn(db, {
      conversation: launch.isNew ? launch.conversation : launch.conversation.id,
      userMessage: launch.userMessage,
      ...(launch.isSend ? {} : { parentId: launch.userMessage ? launch.userMessage.parentId : launch.parentId }),
      step,
      agent: launch.agent,
      draftKey: launch.isSend ? (launch.isNew ? 'new' : launch.conversation.id) : undefined,
    });
    const controller = new AbortController();
    const ended = this.#run(step, launch.agent, controller.signal);
    this.#running.set(step.id, { step, controller, ended });
    hub.publish({ type: 'stepStarted', step: { ...step } });
    this.#publishTalk(step.conversationId);
    return { conversationId: step.conversationId, messageId: launch.userMessage?.id ?? messageIdOfStep(step.id), stepId: step.id };
  }

  /** Where this agent's turn failed in this place, its transcript says that it runs again. The failure's row is the truth: what cannot be said here is no loss. */
  #noteRetried(step: LiveStep): void {
    const { db, transcripts, logger } = this.#deps;
    const failedHere = listFailedTurns(db, step).some((turn) => turn.parentId === step.parentId && turn.agentId === step.agentId);
    if (!failedHere) return;
    try {
      transcripts.append(step, { type: 'retried', parentId: step.parentId, createdAt: step.startedAt });
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      logger.log('warn', 'a retry is not in the transcript', { cause: error, stepId: step.id });
    }
  }

  async #run(step: LiveStep, agent: Agent, signal: AbortSignal): Promise<void> {
    const { hub, logger } = this.#deps;
    const context: StepContext = {
      ...this.#deps,
      publish: (event) => hub.publish(event),
      buildRequest: (model) => this.#deps.buildRequest(step.parentId, agent, model),
    };
    let messageId: MessageId | null = null;
    try {
      // One turn of the event loop first: the caller answers "recorded" before anything is asked of a model.
      await new Promise((resolve) => setImmediate(resolve));
      const end = await runStep(context, step, signal);
      messageId = end.type === 'message' ? end.message.id : null;
      if (end.type === 'message' && end.message.status === 'complete') void this.#title(step);
    } catch (error) {
      logger.log('error', 'a step could not be stored', { cause: error, stepId: step.id });
      hub.publish({ type: 'notice', notice: { code: 'answerNotStored', tone: 'error' } });
    } finally {
      this.#running.delete(step.id);
      hub.publish({ type: 'stepEnded', stepId: step.id, conversationId: step.conversationId, messageId });
      this.#publishTalk(step.conversationId);
    }
  }

  /** Asks the `title` role, else the agent's own model, once per conversation, after its first answer. */
  async #title(step: LiveStep): Promise<void> {
    const { db, models, logger } = this.#deps;
    try {
      const conversation = getConversation(db, step.conversationId);
      if (conversation?.titleSource !== 'none' || !models.preferences().autoTitle) return;
      const path = readPath(db, messageIdOfStep(step.id)).slice(0, 2);
      const title = (await askForTitle(models, models.roles().title ?? step.model, path)) ?? titleFromText(path[0] ? textOf(path[0]) : '');
      const now = getConversation(db, step.conversationId);
      if (!title || now?.titleSource !== 'none') return;
      renameConversation(db, { conversationId: step.conversationId, title, source: 'auto' });
      this.#publishConversation(step.conversationId);
    } catch (error) {
      logger.log('warn', 'no title', { cause: error });
    }
  }

  #userMessage(conversationId: ConversationId, parentId: MessageId | null, sent: Sent): Message {
    const parts: Part[] = [...sent.attachments];
    if (sent.text.trim() !== '') parts.push({ type: 'text', text: sent.text });
    if (parts.length === 0) throw failed('invalidInput', 'There is nothing to send.');
    const { newId, now } = this.#deps;
    return { id: newId('msg'), conversationId, parentId, role: 'user', status: 'complete', parts, turnId: newId('trn'), createdAt: now() };
  }

  #refuseBusyHead(head: MessageId | null): void {
    const busy = [...this.#running.values()].some((run) => run.step.parentId === head);
    if (busy) throw failed('turnRunning', 'An answer is being written here. Stop it first, or go to another branch.');
  }

  #agent(id: AgentId | null): Agent {
    const agent = this.#deps.models.agent(id);
    if (!agent) throw failed('agentUnknown', 'There is no agent that could answer. Set one up in the settings.');
    return agent;
  }

  #conversation(id: ConversationId): Conversation {
    const conversation = getConversation(this.#deps.db, id);
    if (!conversation) throw failed('notFound', 'This conversation is no longer there.');
    return conversation;
  }

  #message(conversationId: ConversationId, id: MessageId): Message {
    const message = getMessage(this.#deps.db, id);
    if (!message || message.conversationId !== conversationId) throw failed('notFound', 'This message is no longer there.');
    return message;
  }

  #publishTalk(conversationId: ConversationId): void {
    this.#publishConversation(conversationId);
    this.#deps.hub.publish({ type: 'talkChanged', conversationId });
  }

  #publishConversation(conversationId: ConversationId): void {
    const conversation = getConversation(this.#deps.db, conversationId);
    if (conversation) this.#deps.hub.publish({ type: 'conversationChanged', conversation });
  }
}

function failed(code: Parameters<typeof makeFailure>[0], message: string): FailureError {
  return new FailureError(makeFailure(code, message));
}
