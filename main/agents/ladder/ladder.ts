// The ladder at work: before every request the free rung is weighed, a pass is run where one is due, and a request that cannot fit is not sent
// (L2, L6, L14). One pass at a time for an agent in a conversation (L11).
import type { Agent } from '../../../shared/model/agent';
import { type NumbersInForce, numbersInForce } from '../../../shared/model/compaction';
import { type Failure, FailureError } from '../../../shared/model/failure';
import type { ConversationId } from '../../../shared/model/ids';
import type { RunningPass } from '../../../shared/model/memoryView';
import type { ModelInfo } from '../../../shared/model/provider';
import type { ModelRequest } from '../../../shared/model/request';
import { duePass } from '../../context/ladder/due';
import { planElide } from '../../context/ladder/elide';
import { guardRequest } from '../../context/ladder/guard';
import { omissionRecord, weighed } from '../../context/ladder/records';
import { type Weight, weigh } from '../../context/ladder/weigh';
import { type Asked, type Standpoint, standpointFor, standpointOf, trimmedToFit } from '../answering';
import { failureCode } from './commitRecord';
import { ExactCounts } from './exactCounts';
import type { LadderDeps, PassOrder, PassResult, Place } from './ladderDeps';
import { pauseOf } from './pauses';
import { RaisedEstimates } from './raisedEstimates';
import { keepReceipt } from './receipts';
import { runPass } from './runPass';
import { timeOn } from './timeOn';

type Running = { pass: RunningPass; controller: AbortController; ended: Promise<unknown> };

const allRungs = ['elide', 'images', 'snapshot', 'summary'] as const;
/** A refusal for bytes drops images first and makes no pages (L16). */
const rungsFor = (measure: PassOrder['measure']) => (measure === 'bytes' ? (['images', 'elide', 'summary'] as const) : allRungs);

export class Ladder {
  readonly #deps: LadderDeps;
  readonly #running = new Map<string, Running>();
  readonly #raised = new RaisedEstimates();
  readonly #exact: ExactCounts | undefined;
  #closed = false;

  constructor(deps: LadderDeps) {
    this.#deps = deps;
    this.#exact = deps.counter && new ExactCounts(deps.counter, deps.logger);
  }

  numbersFor(agent: Agent, model: ModelInfo): NumbersInForce {
    return numbersInForce([...this.#deps.compaction(), agent.compaction ?? {}], model.contextWindow);
  }

  weightOf(stand: Standpoint): Weight {
    return weigh({ context: stand.context, raised: this.#raised.of(stand) });
  }

  stand(asked: Asked): Promise<Standpoint> {
    return standpointFor(this.#deps, asked);
  }

  /** The request for the next step. Throws what reading and appending throw, and `overflowTokens` or `overflowBytes` for one that cannot fit (L14). */
  async requestFor(conversationId: ConversationId, asked: Asked, signal: AbortSignal): Promise<ModelRequest> {
    await this.#others(asked, conversationId);
    let stand = this.#freeElision(await this.stand(asked));
    const numbers = this.numbersFor(asked.agent, asked.model);
    const due = duePass({ built: stand.built, weight: this.weightOf(stand), numbers, bodyLimit: asked.model.bodyLimit });
    if (due && !pauseOf(this.#deps.db, stand, numbers)) {
      const order: PassOrder = { ...due, rungs: rungsFor(due.measure), isThorough: false, mode: 'auto', focus: null };
      stand = await this.#automatic(stand, order, signal);
    }
    void this.#exact?.learn(stand);
    return this.#fitting(stand, numbers, signal);
  }

  /**
   * After a refusal as too large (L6d, L16): true when the request is smaller now and worth its one retry. What the refusal said of the window is
   * learned, what it counted raises the estimate.
   */
  async recover(conversationId: ConversationId, asked: Asked, failure: Failure, signal: AbortSignal): Promise<boolean> {
    const measure = failure.code === 'overflowBytes' ? 'bytes' : 'tokens';
    await this.#others(asked, conversationId);
    const { contextWindow: named, size } = failure.detail ?? {};
    // The user's own number wins everywhere else (L7); what was refused here was refused at the server's.
    const model = named === undefined ? asked.model : { ...asked.model, contextWindow: named };
    const stand = await this.stand({ ...asked, model });
    const numbers = this.numbersFor(asked.agent, model);
    const plain = weigh({ context: stand.context });
    if (measure === 'tokens') this.#raised.raise(stand, size ?? numbers.window ?? plain.tokens, plain, this.#deps.now());
    const pause = pauseOf(this.#deps.db, stand, numbers);
    if (pause?.why === 'undone') return false;
    const weight = this.weightOf(stand);
    const line =
      measure === 'bytes' ? Math.min(weight.bytes, failure.detail?.limit ?? Number.POSITIVE_INFINITY) * 0.75 : lineOf(numbers, weight);
    const order: PassOrder = {
      trigger: 'overflow',
      measure,
      line,
      rungs: rungsFor(measure),
      isThorough: false,
      mode: pause?.why === 'failures' ? 'none' : 'simple',
      focus: null,
    };
    const after = await this.#automatic(stand, order, signal);
    return this.weightOf(after)[measure] < weight[measure];
  }

  /** A pass by the user's hand; waits for one that runs. */
  async byHand(stand: Standpoint, order: PassOrder, signal: AbortSignal): Promise<PassResult> {
    return this.#alone(stand, order, signal);
  }

  running(place: Place): RunningPass | null {
    return this.#running.get(keyOf(place))?.pass ?? null;
  }

  /** Ends the pass that runs; it leaves no record. */
  async stop(place: Place): Promise<void> {
    const running = this.#running.get(keyOf(place));
    running?.controller.abort();
    await running?.ended;
  }

  /** Ends what runs, and what waits for it; none of them leaves a record. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { controller } of this.#running.values()) controller.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }

  /** Waits for a pass that another request, or the user, began for the same agent here. */
  async #others({ agent }: Asked, conversationId: ConversationId): Promise<void> {
    await this.#running.get(keyOf({ conversationId, agentId: agent.id }))?.ended;
  }

  /** L2, outside a pass: it leaves a record of its own, and counts for nothing else. */
  #freeElision(stand: Standpoint): Standpoint {
    const { records, context, pins, agent, model } = stand;
    if (records === null) return stand;
    const numbers = this.numbersFor(agent, model);
    const before = this.weightOf(stand);
    const plan = planElide({
      sent: context.sent,
      before: context.layout.path.elided,
      pins,
      numbers,
      scale: before.scale,
      occasion: 'free',
    });
    if (!plan) return stand;
    const now = timeOn(stand, this.#deps.now());
    const facts = { id: this.#deps.newId('rec'), trigger: 'beforeCall' as const, turnId: stand.turnId, before, startedAt: now, now };
    const made = omissionRecord(
      stand.built.map(({ id }) => id),
      facts,
      { elided: plan.elided, droppedImages: [] },
    );
    const after = standpointOf({ ...stand, records: [...records, made] });
    const record = weighed(made, this.weightOf(after));
    try {
      this.#deps.transcripts.append(stand, { type: 'record', record });
    } catch (error) {
      // A full disk keeps the request as it is: nothing is left out that is not on record.
      failureCode(error);
      return stand;
    }
    this.#deps.publish({ type: 'memoryChanged', conversationId: stand.conversationId, agentId: stand.agentId });
    return standpointOf({ ...stand, records: [...records, record] });
  }

  /** Fits as it is, or with less room for the answer, or after the last means; else it is not sent (L14). */
  async #fitting(stand: Standpoint, numbers: NumbersInForce, signal: AbortSignal): Promise<ModelRequest> {
    const first = this.#guard(stand);
    if (first.type === 'fits') return withOutput(stand.context.request, first.maxOutput);
    const measure = first.failure.code === 'overflowBytes' ? 'bytes' : 'tokens';
    const pause = pauseOf(this.#deps.db, stand, numbers);
    if (pause?.why === 'undone') throw new FailureError(first.failure);
    const weight = this.weightOf(stand);
    const order: PassOrder = {
      trigger: 'overflow',
      measure,
      line: measure === 'bytes' ? (first.failure.detail?.limit ?? weight.bytes) : lineOf(numbers, weight),
      rungs: rungsFor(measure),
      isThorough: false,
      mode: pause ? 'none' : 'simple',
      focus: null,
    };
    const after = trimmedToFit(this.#deps, await this.#automatic(stand, order, signal), (one) => this.#guard(one).type === 'fits');
    const second = this.#guard(after);
    if (second.type === 'tooLarge') throw new FailureError(second.failure);
    return withOutput(after.context.request, second.maxOutput);
  }

  #guard(stand: Standpoint) {
    const { context, agent, model } = stand;
    return guardRequest({ context, weight: this.weightOf(stand), agent, model, bodyLimit: model.bodyLimit });
  }

  /**
   * An automatic pass never ends the turn (L12). The place is read anew after it, whatever came of it: a person may have undone, changed or pinned
   * something meanwhile.
   */
  async #automatic(stand: Standpoint, order: PassOrder, signal: AbortSignal): Promise<Standpoint> {
    const { type } = await this.#alone(stand, order, signal);
    const { parentId, agent, model, tools } = stand;
    return type === 'nothing' || type === 'stopped' ? stand : this.stand({ parentId, agent, model, tools });
  }

  async #alone(asked: Standpoint, order: PassOrder, signal: AbortSignal): Promise<PassResult> {
    const { conversationId, agentId, parentId, agent, model, tools } = asked;
    const key = keyOf(asked);
    let stand = asked;
    for (let other = this.#running.get(key); other; other = this.#running.get(key)) {
      await other.ended;
      // What it left is what the next one is made over.
      stand = await this.stand({ parentId, agent, model, tools });
    }
    const controller = new AbortController();
    const abort = () => controller.abort();
    if (signal.aborted || this.#closed) return { type: 'stopped' };
    signal.addEventListener('abort', abort, { once: true });
    const pass: RunningPass = {
      conversationId,
      agentId,
      parentId,
      trigger: order.trigger,
      rung: order.rungs[0] ?? 'elide',
      startedAt: this.#deps.now(),
    };
    const run = this.#run(stand, order, controller.signal, pass);
    this.#running.set(key, { pass, controller, ended: run.catch(() => undefined) });
    const release = this.#deps.transcripts.hold({ conversationId, agentId }, 'pass');
    try {
      return await run;
    } finally {
      release();
      signal.removeEventListener('abort', abort);
      this.#running.delete(key);
      this.#deps.publish({ type: 'passChanged', conversationId, agentId, pass: null });
    }
  }

  async #run(stand: Standpoint, order: PassOrder, signal: AbortSignal, pass: RunningPass): Promise<PassResult> {
    const { conversationId, agentId } = stand;
    const onRung = (rung: RunningPass['rung'], worker?: RunningPass['worker']) => {
      Object.assign(pass, { rung, worker });
      this.#deps.publish({ type: 'passChanged', conversationId, agentId, pass: { ...pass } });
    };
    // One turn of the event loop: whoever asked has noted that it runs.
    await new Promise((resolve) => setImmediate(resolve));
    const numbers = this.numbersFor(stand.agent, stand.model);
    const raised = this.#raised.of(stand);
    let result: PassResult;
    try {
      result = await runPass(this.#deps, { stand, numbers, raised, order, signal, onRung });
    } catch (error) {
      this.#deps.logger.log('error', 'a pass failed', { cause: error });
      const failure = { rung: pass.rung, reason: reasonOf(error) };
      this.#deps.publish({ type: 'context.compaction_failed', conversationId, agentId, ...failure });
      result = { type: 'failed', failures: [failure] };
    }
    keepReceipt(this.#deps, { stand, order, result, numbers, weigh: (at) => this.weightOf(at) });
    return result;
  }
}

/** Where a refused request must get under. */
function lineOf(numbers: NumbersInForce, weight: Weight): number {
  const { window, requestThreshold } = numbers;
  if (window === null) return weight.tokens * 0.6;
  return Math.min(requestThreshold ?? window * 0.85, window * 0.85);
}

function withOutput(request: ModelRequest, maxOutput: number | undefined): ModelRequest {
  return maxOutput === undefined ? request : { ...request, parameters: { ...request.parameters, maxOutput } };
}

function keyOf({ conversationId, agentId }: Place): string {
  return `${conversationId} ${agentId}`;
}

function reasonOf(error: unknown): string {
  return error instanceof FailureError ? error.failure.code : 'internal';
}
