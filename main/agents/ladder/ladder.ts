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
import { guardRequest } from '../../context/ladder/guard';
import { type Weight, weigh } from '../../context/ladder/weigh';
import { type Asked, type Standpoint, standpointFor, trimmedToFit } from '../answering';
import { ExactCounts } from './exactCounts';
import { elideFreely } from './freeElision';
import type { LadderDeps, PassOrder, PassResult, Place } from './ladderDeps';
import { dueOrder, overflowOrder, tokenLine } from './passOrders';
import { pauseOf } from './pauses';
import { RaisedEstimates } from './raisedEstimates';
import { keepReceipt } from './receipts';
import { RunningPasses } from './runningPasses';
import { runPass } from './runPass';

export class Ladder {
  readonly #deps: LadderDeps;
  readonly #passes: RunningPasses;
  readonly #raised = new RaisedEstimates();
  readonly #exact: ExactCounts | undefined;

  constructor(deps: LadderDeps) {
    this.#deps = deps;
    this.#passes = new RunningPasses(deps);
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
    const numbers = this.numbersFor(asked.agent, asked.model);
    let stand = elideFreely(this.#deps, await this.stand(asked), numbers, (at) => this.weightOf(at));
    const due = duePass({ built: stand.built, weight: this.weightOf(stand), numbers, bodyLimit: asked.model.bodyLimit });
    if (due && !pauseOf(this.#deps.db, stand, numbers)) {
      stand = await this.#automatic(stand, dueOrder(due), signal);
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
    const most = Math.min(weight.bytes, failure.detail?.limit ?? Number.POSITIVE_INFINITY) * 0.75;
    const line = measure === 'bytes' ? most : tokenLine(numbers, weight);
    const order = overflowOrder(measure, line, pause?.why === 'failures' ? 'none' : 'simple');
    const after = await this.#automatic(stand, order, signal);
    return this.weightOf(after)[measure] < weight[measure];
  }

  /** A pass by the user's hand; waits for one that runs. */
  async byHand(stand: Standpoint, order: PassOrder, signal: AbortSignal): Promise<PassResult> {
    return this.#alone(stand, order, signal);
  }

  running(place: Place): RunningPass | null {
    return this.#passes.at(place);
  }

  /** Ends the pass that runs; it leaves no record. */
  stop(place: Place): Promise<void> {
    return this.#passes.stop(place);
  }

  /** Ends what runs, and what waits for it; none of them leaves a record. */
  close(): Promise<void> {
    return this.#passes.close();
  }

  /** Waits for a pass that another request, or the user, began for the same agent here. */
  async #others({ agent }: Asked, conversationId: ConversationId): Promise<void> {
    await this.#passes.ended({ conversationId, agentId: agent.id });
  }

  /** Fits as it is, or with less room for the answer, or after the last means; else it is not sent (L14). */
  async #fitting(stand: Standpoint, numbers: NumbersInForce, signal: AbortSignal): Promise<ModelRequest> {
    const first = this.#guard(stand);
    if (first.type === 'fits') return withOutput(stand.context.request, first.maxOutput);
    const measure = first.failure.code === 'overflowBytes' ? 'bytes' : 'tokens';
    const pause = pauseOf(this.#deps.db, stand, numbers);
    if (pause?.why === 'undone') throw new FailureError(first.failure);
    const weight = this.weightOf(stand);
    const line = measure === 'bytes' ? (first.failure.detail?.limit ?? weight.bytes) : tokenLine(numbers, weight);
    const order = overflowOrder(measure, line, pause ? 'none' : 'simple');
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
    let stand = asked;
    for (let other = this.#passes.ended(asked); other; other = this.#passes.ended(asked)) {
      await other;
      // What it left is what the next one is made over.
      stand = await this.stand({ parentId, agent, model, tools });
    }
    const pass: RunningPass = {
      conversationId,
      agentId,
      parentId,
      trigger: order.trigger,
      rung: order.rungs[0] ?? 'elide',
      startedAt: this.#deps.now(),
    };
    return (await this.#passes.run(pass, signal, (ends) => this.#run(stand, order, ends, pass))) ?? { type: 'stopped' };
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

function withOutput(request: ModelRequest, maxOutput: number | undefined): ModelRequest {
  return maxOutput === undefined ? request : { ...request, parameters: { ...request.parameters, maxOutput } };
}

function reasonOf(error: unknown): string {
  return error instanceof FailureError ? error.failure.code : 'internal';
}
