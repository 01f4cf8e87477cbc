// The passes that run: one at a time for an agent in a conversation (L11). Each can be seen, waited for and ended.
import type { RunningPass } from '../../../shared/model/memoryView';
import type { LadderDeps, Place } from './ladderDeps';

type Running = { pass: RunningPass; controller: AbortController; ended: Promise<unknown> };

export class RunningPasses {
  readonly #deps: Pick<LadderDeps, 'publish' | 'transcripts'>;
  readonly #running = new Map<string, Running>();
  #closed = false;

  constructor(deps: Pick<LadderDeps, 'publish' | 'transcripts'>) {
    this.#deps = deps;
  }

  at(place: Place): RunningPass | null {
    return this.#running.get(keyOf(place))?.pass ?? null;
  }

  /** The end of the pass that runs there; undefined where none does. */
  ended(place: Place): Promise<unknown> | undefined {
    return this.#running.get(keyOf(place))?.ended;
  }

  /** Where none runs. `act` is given the signal that ends it; undefined when it was ended before it began. */
  async run<T>(pass: RunningPass, signal: AbortSignal, act: (ends: AbortSignal) => Promise<T>): Promise<T | undefined> {
    if (signal.aborted || this.#closed) return undefined;
    const { conversationId, agentId } = pass;
    const key = keyOf(pass);
    const controller = new AbortController();
    const abort = () => controller.abort();
    signal.addEventListener('abort', abort, { once: true });
    const run = act(controller.signal);
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

  async stop(place: Place): Promise<void> {
    const running = this.#running.get(keyOf(place));
    running?.controller.abort();
    await running?.ended;
  }

  /** Ends all, and what would come after them. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const { controller } of this.#running.values()) controller.abort();
    await Promise.all([...this.#running.values()].map(({ ended }) => ended));
  }
}

function keyOf({ conversationId, agentId }: Place): string {
  return `${conversationId} ${agentId}`;
}
