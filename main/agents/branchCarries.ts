// Carries a digest of a branch that was left over to the one that was gone to (T11), off the way of the move: the message is there when it is
// ready, whole, or not at all. Without a model that answers it is put together from the messages.
import type { Carry } from '../../shared/model/carry';
import type { WindowEvent } from '../../shared/model/events';
import { FailureError } from '../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, NewId } from '../../shared/model/ids';
import type { DigestOrigin, Message } from '../../shared/model/message';
import type { Step } from '../../shared/model/transcript';
import { boundedDigest } from '../context/digest/boundedDigest';
import { digestCap, digestOrder, isRefusal, plainDigest, smallestWindow } from '../context/digest/branchDigest';
import type { WorkspacePlace } from '../context/touchedFiles';
import type { Now } from '../lib/clock';
import type { Logger } from '../lib/logger';
import { getConversation } from '../store/conversations';
import { transaction, type WritableDb } from '../store/database';
import { type LeftArgs, type LeftStretch, leftStretch, untoldStretch } from '../store/leftStretch';
import { appendMessage, getMessage, readSlice } from '../store/messages';
import { transcriptStepsOf } from '../store/transcriptSteps';
import { usedAgents } from '../store/usedAgents';
import type { Transcripts } from '../transcript/transcripts';
import { askModel, modelOfRole } from './askModel';
import type { ModelAccess } from './modelAccess';
import { patientWrite } from './patientWrite';
import type { RunningTurns } from './runningTurns';

export type CarriesDeps = {
  db: WritableDb;
  transcripts: Pick<Transcripts, 'steps'>;
  models: ModelAccess;
  running: Pick<RunningTurns, 'at' | 'publishTalk'>;
  place: WorkspacePlace;
  newId: NewId;
  now: Now;
  logger: Logger;
  publish(event: WindowEvent): void;
  wait(ms: number, signal: AbortSignal): Promise<void>;
};

type CarryArgs = LeftArgs & { focus?: string | undefined };
type Running = { args: CarryArgs; carry: Carry; controller: AbortController; ended: Promise<void> };
type Words = Pick<Message, 'parts'> & { model?: Message['model']; usage?: Message['usage']; durationMs?: number; plain?: true };

/** Messages read between two turns of the event loop. */
const sliceSize = 100;
/** Steps whose results are told; of older ones the one-line summaries do. */
const mostSteps = 200;

export class BranchCarries {
  readonly #deps: CarriesDeps;
  readonly #running = new Set<Running>();

  constructor(deps: CarriesDeps) {
    this.#deps = deps;
  }

  /** False where nothing is left behind that was not told; focus words tell it anew. The same one twice is begun once. Throws `notFound`. */
  begin(args: CarryArgs): boolean {
    const { db } = this.#deps;
    const stretch = args.focus ? leftStretch(db, args) : untoldStretch(db, args);
    if (stretch.count === 0) return false;
    if (this.#find(args).some(({ carry }) => carry.leftId === args.leftId)) return true;
    const controller = new AbortController();
    const { leftId, targetId, conversationId } = args;
    const carry = { leftId, targetId, startedAt: this.#deps.now() };
    const running: Running = { args, carry, controller, ended: Promise.resolve() };
    this.#running.add(running);
    running.ended = this.#run(running, stretch);
    this.#deps.publish({ type: 'talkChanged', conversationId });
    return true;
  }

  /** What is being made in a conversation, the oldest first. */
  of(conversationId: ConversationId): Carry[] {
    return [...this.#running].flatMap(({ args, carry }) => (args.conversationId === conversationId ? [carry] : []));
  }

  /** Ends what is being made for this message; nothing is written. */
  async stop(args: { conversationId: ConversationId; targetId: MessageId }): Promise<void> {
    const stopped = this.#find(args);
    for (const { controller } of stopped) controller.abort();
    await Promise.all(stopped.map(({ ended }) => ended));
  }

  async close(): Promise<void> {
    for (const { controller } of this.#running) controller.abort();
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  #find({ conversationId, targetId }: { conversationId: ConversationId; targetId: MessageId }): Running[] {
    return [...this.#running].filter(({ args }) => args.conversationId === conversationId && args.targetId === targetId);
  }

  async #run(running: Running, stretch: LeftStretch): Promise<void> {
    const { logger, publish } = this.#deps;
    const { args, controller } = running;
    try {
      // One turn of the event loop first: the move is answered before anything is read.
      await new Promise((resolve) => setImmediate(resolve));
      const words = await this.#words(args, stretch, controller.signal);
      if (!controller.signal.aborted) await this.#append(args, words, controller.signal);
    } catch (error) {
      if (controller.signal.aborted) return;
      logger.log('warn', 'a digest was not carried over', { cause: error, conversationId: args.conversationId });
      publish({ type: 'notice', notice: { code: 'digestNotMade', tone: 'warning' } });
    } finally {
      this.#running.delete(running);
      publish({ type: 'talkChanged', conversationId: args.conversationId });
    }
  }

  async #words(args: CarryArgs, stretch: LeftStretch, signal: AbortSignal): Promise<Words> {
    const { models, place, db } = this.#deps;
    const messages = await this.#read(args, stretch, signal);
    const agentId =
      messages.findLast((message) => message.agentId !== undefined)?.agentId ?? getConversation(db, args.conversationId)?.agentId;
    const model = modelOfRole(models, 'compaction', models.agent(agentId ?? null)?.model ?? null);
    const told = model === null ? null : await this.#ask(args, messages, model, signal);
    return told ?? { parts: [{ type: 'text', text: plainDigest(messages, place) }], plain: true };
  }

  /** Null where the model gave nothing that can stand. */
  async #ask(args: CarryArgs, messages: readonly Message[], model: string, signal: AbortSignal): Promise<Words | null> {
    const { db, models, place, logger } = this.#deps;
    const window = models.modelInfo(model)?.contextWindow ?? smallestWindow;
    const steps = await this.#steps(args.conversationId, messages);
    const agentNames = new Map(usedAgents(db, args.conversationId).map(({ id, name }) => [id, name]));
    const { text } = boundedDigest({ messages, steps, agentNames, mode: 'simple', window, place });
    const reply = await askModel(models, model, { system: digestOrder(args.focus), text, most: digestCap(window), signal });
    if (reply.type === 'answer' && !isRefusal(reply.text)) {
      const { usage, durationMs } = reply;
      return { parts: [{ type: 'text', text: reply.text }], model, durationMs, ...(usage ? { usage } : {}) };
    }
    if (!signal.aborted) logger.log('info', 'a digest is made without a model', { reply: reply.type });
    return null;
  }

  async #read({ leftId }: CarryArgs, { offset, count }: LeftStretch, signal: AbortSignal): Promise<Message[]> {
    const messages: Message[] = [];
    for (let at = offset; at < offset + count; at += sliceSize) {
      const { items } = readSlice(this.#deps.db, { tipId: leftId, offset: at, count: Math.min(sliceSize, offset + count - at) });
      messages.push(...items);
      await new Promise((resolve) => setImmediate(resolve));
      signal.throwIfAborted();
    }
    return messages;
  }

  /** A transcript that cannot be read leaves the summaries. */
  async #steps(conversationId: ConversationId, messages: readonly Message[]): Promise<Map<MessageId, Step>> {
    const { db, transcripts } = this.#deps;
    const byAgent = new Map<AgentId, MessageId[]>();
    const withCalls = messages.filter(({ parts }) => parts.some(({ type }) => type === 'toolCall')).slice(-mostSteps);
    for (const { id, agentId } of withCalls) if (agentId) byAgent.set(agentId, [...(byAgent.get(agentId) ?? []), id]);
    const steps = new Map<MessageId, Step>();
    for (const [agentId, messageIds] of byAgent) {
      try {
        const found = await transcripts.steps({ conversationId, agentId }, transcriptStepsOf(db, { messageIds, agentId }));
        for (const step of found) steps.set(step.messageId, step);
      } catch (error) {
        if (!(error instanceof FailureError)) throw error;
      }
    }
    return steps;
  }

  /** The tip follows where it is still the message that was gone to, and no answer is being written there. */
  async #append(args: CarryArgs, { plain, ...words }: Words, signal: AbortSignal): Promise<void> {
    const { db, running, newId, now, publish, wait } = this.#deps;
    const { conversationId, leftId, targetId, focus } = args;
    const id = newId('msg');
    const ended = await patientWrite(
      { publish, wait },
      () =>
        transaction(db, () => {
          const origin: DigestOrigin = {};
          if (getMessage(db, leftId)) origin.from = leftId;
          if (focus) origin.focus = focus;
          if (plain) origin.plain = true;
          const message: Message = {
            id,
            conversationId,
            parentId: targetId,
            role: 'digest',
            status: 'complete',
            ...words,
            digest: origin,
            createdAt: now(),
          };
          return appendMessage(db, { message, tip: running.at(targetId) ? 'stay' : 'follow' });
        }),
      signal,
    );
    if (!ended) return;
    if (!ended.moved) publish({ type: 'notice', notice: { code: 'digestBeside', tone: 'info' } });
    running.publishTalk(conversationId);
  }
}
