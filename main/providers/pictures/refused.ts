// Which pictures may be to blame when a provider refuses one without saying which: those that this model has not taken before (P7).
import type { BlobHash } from '../../../shared/model/ids';

const maxReaders = 64;
const maxHashes = 5000;

/** Remembers, per server and model, what was accepted in this run of the program. */
export class AcceptedPictures {
  readonly #taken = new Map<string, Set<BlobHash>>();

  keep(reader: string, hashes: readonly BlobHash[]): void {
    if (hashes.length === 0) return;
    const taken = this.#taken.get(reader) ?? new Set();
    this.#taken.delete(reader);
    this.#taken.set(reader, taken);
    for (const hash of hashes) taken.add(hash);
    // Forgetting costs no more than a wider suspicion.
    if (taken.size > maxHashes) taken.clear();
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > maxReaders && oldest !== undefined) this.#taken.delete(oldest);
  }

  /** All of them where each was taken before: then it is their number, or the server has changed. */
  suspects(reader: string, hashes: readonly BlobHash[]): BlobHash[] {
    const all = [...new Set(hashes)];
    const taken = this.#taken.get(reader);
    const fresh = all.filter((hash) => !taken?.has(hash));
    return fresh.length > 0 ? fresh : all;
  }
}
