// Reads a file line by line through one buffer of a fixed size: a long transcript is never in memory as a whole, and its pages are touched once.

export type ByteSource = {
  /** Bytes. */
  size: number;
  /** Fills `into` with the bytes from `position` on; gives how many, 0 at the end. */
  read(into: Buffer, position: number): number;
};

/** `start` is the place of its first byte. `bytes` hold until the next line is asked for. */
export type Line = { bytes: Buffer; start: number };

const newline = 0x0a;
const usualChunk = 256 * 1024;

export function* linesOf(source: ByteSource, chunkSize = usualChunk): Generator<Line, void> {
  let chunk: Buffer = Buffer.allocUnsafe(Math.max(1, Math.min(chunkSize, source.size)));
  /** Of the first byte of the chunk in the file, of the first byte of the line in the chunk, and where no line end has been looked for. */
  let base = 0;
  let from = 0;
  let looked = 0;
  let filled = 0;
  for (;;) {
    const at = chunk.indexOf(newline, looked);
    // Behind what is filled is what was there before.
    if (at >= 0 && at < filled) {
      yield { bytes: chunk.subarray(from, at), start: base + from };
      from = at + 1;
      looked = from;
      continue;
    }
    chunk = makeRoom(chunk, from, filled);
    base += from;
    filled -= from;
    looked = filled;
    from = 0;
    const count = source.read(chunk.subarray(filled), base + filled);
    if (count === 0) {
      if (filled > 0) yield { bytes: chunk.subarray(0, filled), start: base };
      return;
    }
    filled += count;
  }
}

/** The rest of the chunk at its front, with room behind it: a line may be longer than a chunk. */
function makeRoom(chunk: Buffer, from: number, filled: number): Buffer {
  const rest = filled - from;
  if (rest < chunk.length) {
    chunk.copyWithin(0, from, filled);
    return chunk;
  }
  const larger = Buffer.allocUnsafe(chunk.length * 2);
  chunk.copy(larger, 0, from, filled);
  return larger;
}

/** All bytes from a place to the end. */
export function restOf(source: ByteSource, start: number): Buffer {
  const bytes = Buffer.alloc(Math.max(0, source.size - start));
  let filled = 0;
  while (filled < bytes.length) {
    const count = source.read(bytes.subarray(filled), start + filled);
    if (count === 0) break;
    filled += count;
  }
  return bytes.subarray(0, filled);
}

export function sourceOf(bytes: Buffer): ByteSource {
  return { size: bytes.length, read: (into, position) => bytes.copy(into, 0, position) };
}
