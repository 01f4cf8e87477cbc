// The conductor of turns in one workspace: records what the user did as one transaction, and has it answered (T3, T5, X8).
import type { Agent } from '../../shared/model/agent';
import type { Conversation } from '../../shared/model/conversation';
import type { Attachment } from '../../shared/model/draft';
import { FailureError } from '../../shared/model/failure';
import type { AgentId, ConversationId, FailedTurnId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import { messageIdOfStep } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { Message, Part } from '../../shared/model/message';
import type { QueuedMessage } from '../../shared/model/queue';
import { getConversation } from '../store/conversations';
import { transaction } from '../store/database';
import { getFailedTurn, listFailedTurns } from '../store/failedTurns';
import { appendMessage, getMessage } from '../store/messages';
import { currentTip, moveTip } from '../store/tips';
import { recordTurn } from '../store/turns';
import { addressed } from './addressed';
import { failed } from './failed';
import type { RunningTurns } from './runningTurns';
import type { TurnDeps } from './runTurn';
import { makeLiveStep } from './runTurn';
import { titleFromText } from './titles';

export type SchedulerDeps = Pick<TurnDeps, 'db' | 'transcripts' | 'logger' | 'newId' | 'now' | 'models' | 'publish'> & {
  running: RunningTurns;
};

export type Recorded = { conversationId: ConversationId; messageId: MessageId; stepId: StepId | null };
type Sent = { text: string; attachments: readonly Attachment[] };

/** What a launch needs beside the step itself. */
type Launch = {
  conversation: Conversation;
  isNew?: boolean;
  /** A send hangs under the tip as it is; everything else names its place. */
  isSend?: boolean;
  waited?: QueuedMessage;
  userMessage?: Message;
  /** The message the answer hangs under. */
  parentId: MessageId;
  turnId: TurnId;
  /** Those that answer, one after the other (A1). */
  agents: readonly [Agent, ...Agent[]];
  answersNext?: AgentId | undefined;
};

export class Scheduler {
  readonly #deps: SchedulerDeps;

  constructor(deps: SchedulerDeps) {
    this.#deps = deps;
  }

  /** A new message under the tip (T3), in a new conversation when there is none, and its answer, or one of each agent it addresses (A1). */
  start(args: Sent & { conversationId: ConversationId | null; agentId: AgentId | null }): Recorded {
    const { now, newId, running, db } = this.#deps;
    const existing = args.conversationId ? this.#conversation(args.conversationId) : null;
    const chosen = this.#agent(args.agentId ?? existing?.agentId ?? null);
    const conversation: Conversation = existing ?? {
      id: newId('cnv'),
      title: titleFromText(args.text) || (args.attachments[0]?.name ?? ''),
      titleSource: 'none',
      tipId: null,
      agentId: chosen.id,
      pinned: false,
      archived: false,
      createdAt: now(),
      updatedAt: now(),
    };
    const tipId = existing ? currentTip(db, existing.id) : null;
    running.refuseBusyHead(tipId);
    const userMessage = this.#userMessage(conversation.id, tipId, args);
    const agents = addressed(this.#deps.models, args.text, chosen);
    const turnId = userMessage.turnId as TurnId;
    return this.#launch({
      conversation,
      isNew: !existing,
      isSend: true,
      userMessage,
      parentId: userMessage.id,
      turnId,
      agents,
      answersNext: chosen.id,
    });
  }

  /** A message that waited for a turn, under that turn's head or, once held, under the tip (A6). */
  sendWaiting(waited: QueuedMessage, head: MessageId | null): Recorded {
    const conversation = this.#conversation(waited.conversationId);
    const parentId = head ?? currentTip(this.#deps.db, conversation.id);
    this.#deps.running.refuseBusyHead(parentId);
    const userMessage = this.#userMessage(conversation.id, parentId, waited);
    const agents = addressed(this.#deps.models, waited.text, this.#agent(conversation.agentId));
    return this.#launch({ conversation, waited, userMessage, parentId: userMessage.id, turnId: userMessage.turnId as TurnId, agents });
  }

  /** A sibling of a sent prompt, and its answer; the old prompt and its whole tail stay (T5). */
  edit(args: Sent & { conversationId: ConversationId; messageId: MessageId }): Recorded {
    const conversation = this.#conversation(args.conversationId);
    const old = this.#message(args.conversationId, args.messageId);
    if (old.role !== 'user') throw failed('invalidInput', 'Only a message of yours can be sent again edited.');
    const userMessage = this.#userMessage(conversation.id, old.parentId, args);
    const agents = addressed(this.#deps.models, args.text, this.#agent(conversation.agentId));
    return this.#launch({ conversation, userMessage, parentId: userMessage.id, turnId: userMessage.turnId as TurnId, agents });
  }

  /** A sibling of an answer with the user's own text, marked as edited by hand (T5). Nothing is sent. */
  editAnswer(args: { conversationId: ConversationId; messageId: MessageId; text: string }): Recorded {
    const { db, newId, now, running } = this.#deps;
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
    running.publishTalk(args.conversationId);
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
    return this.#launch({
      conversation,
      parentId,
      turnId: parent.turnId ?? this.#deps.newId('trn'),
      agents: [agent],
      answersNext: agent.id,
    });
  }

  /** One more step under an answer in the same turn: it broke off, or its turn did (X9), or the user wants more of it. */
  continue(args: { conversationId: ConversationId; messageId: MessageId }): Recorded {
    const conversation = this.#conversation(args.conversationId);
    const message = this.#message(args.conversationId, args.messageId);
    if (message.role !== 'assistant') throw failed('invalidInput', 'Only an answer can be continued.');
    const agent = this.#agent(message.agentId ?? conversation.agentId);
    const turnId = message.turnId ?? this.#deps.newId('trn');
    return this.#launch({ conversation, parentId: message.id, turnId, agents: [agent], answersNext: agent.id });
  }

  /** Runs a failed turn again in its place; works after a restart (X8). */
  retry(args: { conversationId: ConversationId; failedTurnId: FailedTurnId }): Recorded {
    const conversation = this.#conversation(args.conversationId);
    const turn = getFailedTurn(this.#deps.db, args.failedTurnId);
    if (!turn || turn.conversationId !== args.conversationId)
      throw failed('nothingToRetry', 'This turn is no longer waiting to be tried again.');
    const agent = this.#agent(turn.agentId);
    return this.#launch({ conversation, parentId: turn.parentId, turnId: turn.turnId, agents: [agent], answersNext: agent.id });
  }

  #launch(launch: Launch): Recorded {
    const { db, running } = this.#deps;
    const { conversation, userMessage, parentId, agents, waited } = launch;
    running.refuseBusyHead(parentId);
    const [agent, ...others] = agents;
    const step = makeLiveStep(this.#deps, { conversationId: conversation.id, parentId, turnId: launch.turnId }, agent);
    this.#noteRetried(step);
    recordTurn(db, {
      conversation: launch.isNew ? conversation : conversation.id,
      userMessage,
      ...(launch.isSend ? {} : { parentId: userMessage ? userMessage.parentId : parentId }),
      waited,
      step,
      agents,
      answersNext: launch.answersNext,
      draftKey: launch.isSend ? (launch.isNew ? 'new' : conversation.id) : undefined,
    });
    running.begin({ step, agent, others });
    return { conversationId: step.conversationId, messageId: userMessage?.id ?? messageIdOfStep(step.id), stepId: step.id };
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

  #userMessage(conversationId: ConversationId, parentId: MessageId | null, sent: Sent): Message {
    const parts: Part[] = [...sent.attachments];
    if (sent.text.trim() !== '') parts.push({ type: 'text', text: sent.text });
    if (parts.length === 0) throw failed('invalidInput', 'There is nothing to send.');
    const { newId, now } = this.#deps;
    return { id: newId('msg'), conversationId, parentId, role: 'user', status: 'complete', parts, turnId: newId('trn'), createdAt: now() };
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
}
