// What keeps the files of a transcript as they are for now: work in the background, by name (X5).
export class Holds {
  readonly #held = new Map<string, Map<symbol, string>>();

  add(key: string, what: string): () => void {
    const id = Symbol(what);
    const all = this.#held.get(key) ?? new Map<symbol, string>();
    this.#held.set(key, all.set(id, what));
    return () => {
      all.delete(id);
      if (all.size === 0 && this.#held.get(key) === all) this.#held.delete(key);
    };
  }

  /** The names of all that hold it; undefined when nothing does. */
  of(key: string): string | undefined {
    const all = this.#held.get(key);
    return all && all.size > 0 ? [...new Set(all.values())].join(', ') : undefined;
  }
}
