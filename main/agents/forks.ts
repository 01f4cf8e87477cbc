// Forks a conversation: its rows, then each agent's transcript, then one transaction that shows the whole (T9). What is begun and not finished is
// taken away, at once or when the workspace opens again.
import type { Conversation } from '../../shared/model/conversation';
import type { WindowEvent } from '../../shared/model/events';
import { type ForkCounts, type ForkScope, forkScopes } from '../../shared/model/fork';
import type { AgentId, ConversationId, MessageId, NewId } from '../../shared/model/ids';
import { DamagedTree } from '../../shared/tree/links';
import type { Now } from '../lib/clock';
import type { Logger } from '../lib/logger';
import { inSlices } from '../lib/slices';
import { flushLog, looseTransaction, type ReadableDb, snapshot, transaction, type WritableDb } from '../store/database';
import { copyFacts } from '../store/forkFacts';
import { copyMessages } from '../store/forkMessages';
import { copyIn, copyOfTurn, type ForkPlan, holdsEnding, planFork, turnIn } from '../store/forkPlan';
import { type ScopeSink, scopeOf } from '../store/forkScope';
import {
  agentsWithTranscripts,
  beginFork,
  filesOf,
  isCopiedFile,
  removeUnfinished,
  requireForkable,
  revealFork,
  stepsInFile,
  unfinishedForks,
} from '../store/forks';
import { rebuildDerived, withTree } from '../store/repair';
import type { ForkedFile } from '../transcript/forkFiles';
import { concernsOnly, type ForkedIds, forkStanding } from '../transcript/forkStanding';
import type { Transcripts } from '../transcript/transcripts';
import { failed } from './failed';

export type ForksDeps = {
  db: WritableDb;
  transcripts: Pick<Transcripts, 'fork' | 'remove'>;
  newId: NewId;
  now: Now;
  logger: Logger;
  publish(event: WindowEvent): void;
};

export type ForkArgs = { conversationId: ConversationId; messageId: MessageId; scope: ForkScope };

/** Milliseconds after which a window is told how far it is. */
const saidAfter = 300;

export class Forks {
  readonly #deps: ForksDeps;
  readonly #running = new Set<Promise<unknown>>();
  readonly #closing = new AbortController();

  constructor(deps: ForksDeps) {
    this.#deps = deps;
    void this.#keep(this.#cleanUp());
  }

  /** Throws `notFound`, `conflict` (something was deleted meanwhile), `stopped` (by the signal), and what writing throws. */
  fork(args: ForkArgs, signal?: AbortSignal): Promise<Conversation> {
    const stop = new AbortController();
    const abort = () => stop.abort();
    for (const one of [signal, this.#closing.signal]) {
      if (one?.aborted) abort();
      one?.addEventListener('abort', abort, { once: true });
    }
    return this.#keep(
      this.#forkWhole(args, stop.signal).finally(() => {
        for (const one of [signal, this.#closing.signal]) one?.removeEventListener('abort', abort);
      }),
    );
  }

  /** How many messages each scope would copy. Throws `notFound`. */
  async count(args: Omit<ForkArgs, 'scope'>): Promise<ForkCounts> {
    const { db } = this.#deps;
    requireForkable(db, args, 'notFound');
    const counts: ForkCounts = { path: 0, siblings: 0, all: 0 };
    for (const scope of forkScopes) counts[scope] = await this.#repaired(args, () => this.#countScope({ ...args, scope }));
    return counts;
  }

  async #countScope(args: ForkArgs): Promise<number> {
    const { db } = this.#deps;
    const ids = new Set<string>();
    let count = 0;
    const sink: ScopeSink = {
      path: new Set(),
      has: (id) => ids.has(id),
      add(id) {
        ids.add(id);
        count += 1;
      },
      addWhole(seqs) {
        count += seqs.length;
      },
    };
    await inSlices(scopeOf(db, args, sink), { around: (run) => snapshot(db, run), signal: this.#closing.signal });
    return count;
  }

  /** Ends what runs. What was begun is taken away here or at the next opening. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.allSettled([...this.#running]);
  }

  /** Resolves when what an earlier run left is gone. */
  async settled(): Promise<void> {
    await Promise.allSettled([...this.#running]);
  }

  async #forkWhole(args: ForkArgs, signal: AbortSignal): Promise<Conversation> {
    try {
      return await this.#repaired(args, () => this.#forkOnce(args, signal));
    } catch (error) {
      if (signal.aborted) throw failed('stopped', 'The fork was stopped.');
      throw error;
    }
  }

  /** A tree that turns out to be damaged on the way is mended, and read once more (T7). */
  async #repaired<T>({ conversationId }: Pick<ForkArgs, 'conversationId'>, work: () => Promise<T>): Promise<T> {
    const { db } = this.#deps;
    withTree(db, conversationId, () => undefined);
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof DamagedTree)) throw error;
      rebuildDerived(db, conversationId);
      return work();
    }
  }

  async #forkOnce(args: ForkArgs, signal: AbortSignal): Promise<Conversation> {
    const { db, newId, now, publish } = this.#deps;
    const forkId = newId('cnv');
    beginFork(db, { ...args, forkId, now: now() });
    try {
      const plan = await inSlices(planFork(db, { ...args, forkId, newId }), { around: (run) => snapshot(db, run), signal });
      const progress = new Progress(args.conversationId, plan.seqs.length, publish);
      const writing = { around: (run: () => void) => looseTransaction(db, run), signal, rested: () => progress.say() };
      const copied = await inSlices(
        copyMessages(db, plan, (count) => progress.add(count)),
        writing,
      );
      await inSlices(copyFacts(db, plan), writing);
      for (const agentId of agentsWithTranscripts(db, args.conversationId)) await this.#forkTranscript(plan, agentId, signal);
      await flushLog(db);
      signal.throwIfAborted();
      const conversation = revealFork(db, plan, copied);
      publish({ type: 'conversationChanged', conversation });
      publish({ type: 'talkChanged', conversationId: args.conversationId });
      return conversation;
    } catch (error) {
      await this.#remove(forkId);
      throw error;
    }
  }

  async #forkTranscript(plan: ForkPlan, agentId: AgentId, signal: AbortSignal): Promise<void> {
    const { db, transcripts } = this.#deps;
    const to = { conversationId: plan.forkId, agentId };
    const files: ForkedFile[] = [];
    for (const file of filesOf(db, to)) {
      const { conversationId } = plan;
      const steps = await inSlices(stepsInFile(db, { ...to, file }), { signal });
      files.push({ file, steps, isOfAnother: isCopiedFile(db, { conversationId, agentId, file }) });
    }
    const ids = idsOf(db, plan);
    await transcripts.fork({
      from: { conversationId: plan.conversationId, agentId },
      to,
      files,
      isInScope: (standing) => concernsOnly(standing, ids),
      standing: (standing) => forkStanding(standing, ids),
      signal,
    });
  }

  /** What cannot be taken away now (a full disk) is taken away at the next opening. */
  async #remove(forkId: ConversationId): Promise<void> {
    const { db, transcripts, logger } = this.#deps;
    try {
      await transcripts.remove(forkId);
      await inSlices(removeUnfinished(db, forkId), { around: (run) => transaction(db, run) });
    } catch (error) {
      logger.log('warn', 'an unfinished fork is not removed yet', { cause: error });
    }
  }

  async #cleanUp(): Promise<void> {
    for (const forkId of unfinishedForks(this.#deps.db)) await this.#remove(forkId);
  }

  #keep<T>(work: Promise<T>): Promise<T> {
    const kept = work.then(
      () => undefined,
      () => undefined,
    );
    this.#running.add(kept);
    void kept.then(() => this.#running.delete(kept));
    return work;
  }
}

function idsOf(db: ReadableDb, plan: ForkPlan): ForkedIds {
  return {
    message: (id) => copyIn(db, plan, id),
    turn: (id) => turnIn(plan, id),
    holdsFailure: (parentId) => holdsEnding(plan, parentId) && copyIn(db, plan, parentId) !== undefined,
    record: () => plan.newId('rec'),
    loneTurn: (id) => copyOfTurn(plan, id),
  };
}

/** Says how far a fork is, once it takes long, at most ten times a second. */
class Progress {
  readonly #conversationId: ConversationId;
  readonly #total: number;
  readonly #publish: ForksDeps['publish'];
  #done = 0;
  #next = performance.now() + saidAfter;

  constructor(conversationId: ConversationId, total: number, publish: ForksDeps['publish']) {
    this.#conversationId = conversationId;
    this.#total = total;
    this.#publish = publish;
  }

  add(count: number): void {
    this.#done += count;
  }

  say(): void {
    if (performance.now() < this.#next) return;
    this.#next = performance.now() + 100;
    this.#publish({ type: 'forkProgress', conversationId: this.#conversationId, done: this.#done, total: this.#total });
  }
}
