// The turns that run in a workspace: one a head (T12). Begins them, stops them, and sends what waited for them.
import type { Agent } from '../../shared/model/agent';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { TalkView } from '../../shared/model/talkView';
import { getConversation } from '../store/conversations';
import { closing, type Resumed, runTurn, type TurnDeps, type TurnEnd, type TurnRun } from './runTurn';

export type RunningDeps = TurnDeps & {
  /** A turn is over and nothing of it runs any more. */
  onEnd(run: TurnRun, end: TurnEnd): void;
};

type Running = { run: TurnRun; controller: AbortController; ended: Promise<void> };

export class RunningTurns {
  readonly #deps: RunningDeps;
  readonly #running = new Set<Running>();

  constructor(deps: RunningDeps) {
    this.#deps = deps;
  }

  /** The step's row is written already. */
  begin(args: { step: LiveStep; agent: Agent; others?: readonly Agent[]; resumed?: Resumed }): void {
    const { step, agent, others = [], resumed } = args;
    const controller = new AbortController();
    const { conversationId, turnId } = step;
    const run: TurnRun = { conversationId, turnId, step, agent, others: [...others], signal: controller.signal, past: [], refused: 0 };
    const running: Running = { run, controller, ended: Promise.resolve() };
    this.#running.add(running);
    running.ended = this.#run(running, resumed);
    this.#deps.publish({ type: 'stepStarted', step: { ...step } });
    this.publishTalk(conversationId);
  }

  async #run(running: Running, resumed: Resumed | undefined): Promise<void> {
    const { logger, publish, onEnd } = this.#deps;
    const { run } = running;
    let end: TurnEnd = { type: 'failed', head: run.step.parentId, messageId: null };
    try {
      // One turn of the event loop first: the caller answers "recorded" before anything is asked of a model.
      await new Promise((resolve) => setImmediate(resolve));
      end = await runTurn(this.#deps, run, resumed);
    } catch (error) {
      logger.log('error', 'a step could not be stored', { cause: error, stepId: run.step.id });
      publish({ type: 'notice', notice: { code: 'answerNotStored', tone: 'error' } });
    } finally {
      this.#running.delete(running);
      const { conversationId, step } = run;
      if (end.type !== 'waits') publish({ type: 'stepEnded', stepId: step.id, conversationId, messageId: end.messageId });
      onEnd(run, end);
      this.publishTalk(conversationId);
    }
  }

  /** Ends at once what runs in the conversation, or one step of it; what was shown stays as an interrupted message. */
  async stop(args: { conversationId: ConversationId; stepId?: StepId | undefined }): Promise<void> {
    const ended: Promise<void>[] = [];
    for (const { run, controller, ended: end } of this.#running) {
      if (run.conversationId !== args.conversationId || (args.stepId && run.step.id !== args.stepId)) continue;
      controller.abort();
      ended.push(end);
    }
    await Promise.all(ended);
  }

  /** Ends everything that runs, before the workspace closes. A step that waits for the user's word waits on (A4). */
  async close(): Promise<void> {
    for (const { controller } of this.#running) controller.abort(closing);
    await Promise.all([...this.#running].map(({ ended }) => ended));
  }

  /** The turn that runs under this message. */
  at(head: MessageId | null): TurnRun | undefined {
    for (const { run } of this.#running) if (run.step.parentId === head) return run;
    return undefined;
  }

  has(turnId: TurnId): boolean {
    for (const { run } of this.#running) if (run.turnId === turnId) return true;
    return false;
  }

  refuseBusyHead(head: MessageId | null): void {
    if (this.at(head))
      throw new FailureError(makeFailure('turnRunning', 'An answer is being written here. Stop it first, or go to another branch.'));
  }

  /** The view with the text as it is now: the stored rows are up to a second old. */
  withLiveText(view: TalkView): TalkView {
    const steps = new Map<StepId, LiveStep>();
    for (const { run } of this.#running) steps.set(run.step.id, run.step);
    const now = (step: LiveStep) => steps.get(step.id) ?? step;
    const ending = view.ending?.type === 'live' ? { ...view.ending, step: now(view.ending.step) } : view.ending;
    return { ...view, ending, running: view.running.map(now) };
  }

  /**
   * Tells anew what runs and which calls wait for the user's word, in whatever conversation (A4): a window that opens later asks for it.
   * Told twice it changes nothing.
   */
  tell(): void {
    const { publish } = this.#deps;
    for (const { run } of this.#running) {
      const { id: stepId, conversationId, phase, retry, local, calls } = run.step;
      publish({ type: 'stepPhase', stepId, conversationId, phase, retry, local });
      for (const call of calls) if (call.needs) publish({ type: 'callChanged', stepId, conversationId, call });
    }
  }

  publishTalk(conversationId: ConversationId): void {
    const conversation = getConversation(this.#deps.db, conversationId);
    if (conversation) this.#deps.publish({ type: 'conversationChanged', conversation });
    this.#deps.publish({ type: 'talkChanged', conversationId });
  }
}
