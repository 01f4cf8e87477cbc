// A least-recently-used map with a limit in bytes, so that reopening a conversation is free and memory still has an end.

export type BoundedCache<T> = {
  get: (key: string) => T | undefined;
  set: (key: string, value: T, bytes: number) => void;
  clear: () => void;
  /** Bytes held now, by the callers' own estimates. */
  readonly bytes: number;
};

export function boundedCache<T>(limit: number): BoundedCache<T> {
  const held = new Map<string, { value: T; bytes: number }>();
  let bytes = 0;
  const drop = (key: string) => {
    bytes -= held.get(key)?.bytes ?? 0;
    held.delete(key);
  };
  return {
    get(key) {
      const hit = held.get(key);
      if (!hit) return undefined;
      held.delete(key);
      held.set(key, hit);
      return hit.value;
    },
    set(key, value, size) {
      drop(key);
      // One giant must not empty the cache for everyone else.
      if (size > limit / 4) return;
      held.set(key, { value, bytes: size });
      bytes += size;
      for (const oldest of held.keys()) {
        if (bytes <= limit) break;
        drop(oldest);
      }
    },
    clear() {
      held.clear();
      bytes = 0;
    },
    get bytes() {
      return bytes;
    },
  };
}
