// Keeps the beginning and the end of a flood of bytes, in bounded memory, and counts what was between.

export type Captured = { bytes: Buffer; total: number; lost: number };

export class Capture {
  #head: Buffer[] = [];
  #headSize = 0;
  #tail: Buffer[] = [];
  #tailSize = 0;
  #total = 0;
  readonly #half: number;

  /** `limit` in bytes, half of it for each end. */
  constructor(limit: number) {
    this.#half = Math.max(1, Math.floor(limit / 2));
  }

  get total(): number {
    return this.#total;
  }

  add(chunk: Buffer): void {
    this.#total += chunk.length;
    const room = this.#half - this.#headSize;
    if (room > 0) {
      this.#head.push(chunk.subarray(0, room));
      this.#headSize += Math.min(room, chunk.length);
    }
    if (chunk.length <= room) return;
    const rest = chunk.subarray(Math.max(0, room));
    this.#tail.push(rest);
    this.#tailSize += rest.length;
    while (this.#tailSize - (this.#tail[0]?.length ?? 0) >= this.#half) this.#tailSize -= this.#tail.shift()?.length ?? 0;
  }

  end(): Captured {
    const tail = Buffer.concat(this.#tail);
    const kept = tail.subarray(Math.max(0, tail.length - this.#half));
    const lost = this.#total - this.#headSize - kept.length;
    const gap = lost > 0 ? [Buffer.from(`\n[${lost} bytes are lost here: the output was too large to keep]\n`)] : [];
    return { bytes: Buffer.concat([...this.#head, ...gap, kept]), total: this.#total, lost };
  }
}
