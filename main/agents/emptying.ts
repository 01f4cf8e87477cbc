// Deletes for good (T8): transcripts, then rows, then blobs that nothing refers to any more. In slices beside everything else, with progress and stop
// (R4); after a crash or a stop it is gone on with, since each part can be done again.
import type { BlobHash, TrashId } from '../../shared/model/ids';
import type { EmptyProgress } from '../../shared/model/trash';
import type { Logger } from '../lib/logger';
import { inSlices } from '../lib/slices';
import { transaction, type WritableDb } from '../store/database';
import { beginEmptying, type Doomed, doomedOf, endEmptying, halfEmptied, loosenHash, removeMessages } from '../store/emptyTrash';
import { agentsWithTranscripts } from '../store/forks';
import { forgetBlob, isLoose, keepNamed, keepOfMessages, keepOfRest, looseHashes, settle } from '../store/looseBlobs';
import { type TrashRow, trashRows } from '../store/trashRows';
import type { BlobStore } from '../transcript/blobs';
import type { Transcripts } from '../transcript/transcripts';
import type { EventHub } from './eventHub';
import { failed } from './failed';

export type EmptyingDeps = {
  db: WritableDb;
  transcripts: Pick<Transcripts, 'strip' | 'remove' | 'readAll'>;
  blobs: Pick<BlobStore, 'remove'>;
  hub: EventHub;
  logger: Logger;
  /** Runs alone among deletions and restores. */
  alone<T>(job: () => Promise<T>): Promise<T>;
};

export class Emptying {
  readonly #deps: EmptyingDeps;
  #running: { controller: AbortController; ended: Promise<void> } | null = null;

  constructor(deps: EmptyingDeps) {
    this.#deps = deps;
  }

  /** One deletion, or all (null). Answers when it is done; stopped, it answers, too. Throws `conflict` while it runs already. */
  empty(trashId: TrashId | null): Promise<void> {
    return this.#begin(() => (trashId === null ? trashRows(this.#deps.db).map(({ id }) => id) : [trashId]));
  }

  /** `wanted`: what is to be marked; what is marked already is gone on with in any case. */
  async #begin(wanted: () => TrashId[]): Promise<void> {
    if (this.#running) throw failed('conflict', 'The trash is being emptied already.');
    const controller = new AbortController();
    const ended = this.#run(wanted, controller.signal);
    this.#running = { controller, ended: ended.catch(() => undefined) };
    try {
      await ended;
    } catch (error) {
      if (!controller.signal.aborted) throw error;
    } finally {
      this.#running = null;
      this.#publish(null);
      this.#deps.hub.publish({ type: 'trashChanged' });
    }
  }

  /** What is done stays done; the rest can be gone on with. */
  async stop(): Promise<void> {
    this.#running?.controller.abort();
    await this.#running?.ended;
  }

  /** What an earlier process has left half done. */
  async resume(): Promise<void> {
    const { db, logger } = this.#deps;
    if (this.#running || (halfEmptied(db).length === 0 && looseHashes(db).size === 0)) return;
    await this.#begin(() => []).catch((cause: unknown) => logger.log('warn', 'emptying the trash could not go on', { cause }));
  }

  async #run(wanted: () => TrashId[], signal: AbortSignal): Promise<void> {
    const { db, alone } = this.#deps;
    const rows = await alone(async () => {
      for (const id of wanted()) if (trashRows(db).some((row) => row.id === id && !row.emptying)) beginEmptying(db, id);
      return halfEmptied(db);
    });
    // A whole conversation last: what was deleted inside it before goes first.
    const ordered = [...rows].sort((a, b) => Number(a.messageId === null) - Number(b.messageId === null));
    for (const row of ordered) await this.#emptyOne(row, signal);
    await this.#sweep(signal);
  }

  async #emptyOne(row: TrashRow, signal: AbortSignal): Promise<void> {
    const { db, transcripts } = this.#deps;
    await this.#strip(row, await inSlices(doomedOf(db, row), { signal }), signal);
    let done = 0;
    const count = (more: number) => {
      done += more;
      this.#publish({ what: 'messages', done, total: row.messages });
    };
    await inSlices(removeMessages(db, row, count), { signal, around: (run) => transaction(db, run) });
    if (row.messageId === null) await transcripts.remove(row.conversationId);
    endEmptying(db, row);
  }

  async #strip(row: TrashRow, doomed: Doomed, signal: AbortSignal): Promise<void> {
    const { db, transcripts } = this.#deps;
    const { conversationId } = row;
    const agents = agentsWithTranscripts(db, conversationId);
    const loosened = (hashes: readonly string[]) =>
      transaction(db, () => {
        for (const hash of hashes) loosenHash(db, hash);
      });
    let done = 0;
    for (const agentId of agents) {
      this.#publish({ what: 'transcripts', done: done++, total: agents.length });
      const steps = doomed.steps.get(agentId) ?? new Set();
      await transcripts.strip({ conversationId, agentId }, { steps, messages: doomed.messages, loosened, signal });
    }
  }

  async #sweep(signal: AbortSignal): Promise<void> {
    const { db, transcripts, blobs } = this.#deps;
    const candidates = looseHashes(db);
    if (candidates.size === 0) return;
    const loose = new Set(candidates);
    const seen = await inSlices(
      keepOfMessages(db, loose, (done, total) => this.#publish({ what: 'blobs', done, total })),
      { signal },
    );
    await transcripts.readAll((text) => keepNamed(loose, text), signal);
    keepOfRest(db, loose, seen);
    settle(
      db,
      [...candidates].filter((hash) => !loose.has(hash)),
    );
    for (const hash of loose) {
      signal.throwIfAborted();
      const still = new Set([hash]);
      keepOfRest(db, still, seen);
      if (!isLoose(db, hash)) continue;
      if (still.size === 0) settle(db, [hash]);
      else {
        blobs.remove(hash as BlobHash);
        forgetBlob(db, hash as BlobHash);
      }
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  #last = 0;

  /** At most ten times a second. */
  #publish(progress: EmptyProgress | null): void {
    const now = performance.now();
    if (progress !== null && now - this.#last < 100) return;
    this.#last = progress === null ? 0 : now;
    this.#deps.hub.publish({ type: 'emptyProgress', progress });
  }
}
