// Writes transcript files as a whole, where nobody looks into the folder yet: sealed ones line by line, and the live one with what stands (X5).
import { entriesOf, type Standing, type TranscriptHead } from '../../shared/model/transcript';
import { type Disk, writeAll } from '../lib/disk';
import { closing, fileText, headText } from './transcriptFile';

/** Bytes gathered before they are written. */
const gathered = 256 * 1024;

/** Under its name at once, and flushed. */
export async function writeLive(disk: Disk, path: string, head: TranscriptHead, standing: Standing): Promise<void> {
  const { version, conversationId, agentId, segment } = head;
  const lines = entriesOf(standing).map((entry) => JSON.stringify(entry));
  const file = disk.open(path, 'wx');
  try {
    writeAll(disk, file, Buffer.from(fileText({ version, conversationId, agentId, segment }, lines)), 0);
    await disk.flushLater(file);
  } finally {
    disk.close(file);
  }
}

/** Writes whole lines behind a head; a file without a line is not made. */
export class LineWriter {
  readonly #disk: Disk;
  readonly #path: string;
  readonly #head: TranscriptHead;
  readonly #buffer = Buffer.allocUnsafe(gathered);
  #used = 0;
  #handle: number | undefined;
  #position = 0;

  constructor(disk: Disk, path: string, head: TranscriptHead) {
    this.#disk = disk;
    this.#path = path;
    const { version, conversationId, agentId, segment } = head;
    this.#head = { version, conversationId, agentId, segment };
  }

  /** Bytes so far. */
  get size(): number {
    return this.#position + this.#used;
  }

  add(line: Buffer): void {
    if (this.#handle === undefined) {
      this.#handle = this.#disk.open(this.#path, 'wx');
      this.#put(Buffer.from(`${headText(this.#head)}\n`));
    } else this.#put(between);
    this.#put(line);
  }

  #put(bytes: Buffer): void {
    if (this.#used + bytes.length > gathered) this.#write();
    if (bytes.length > gathered) {
      this.#writeNow(bytes);
      return;
    }
    this.#used += bytes.copy(this.#buffer, this.#used);
  }

  #write(): void {
    this.#writeNow(this.#buffer.subarray(0, this.#used));
    this.#used = 0;
  }

  #writeNow(bytes: Buffer): void {
    if (this.#handle === undefined || bytes.length === 0) return;
    writeAll(this.#disk, this.#handle, bytes, this.#position);
    this.#position += bytes.length;
  }

  async end(): Promise<void> {
    if (this.#handle === undefined) return;
    this.#put(Buffer.from(closing));
    this.#write();
    await this.#disk.flushLater(this.#handle);
  }

  close(): void {
    if (this.#handle !== undefined) this.#disk.close(this.#handle);
  }
}

const between = Buffer.from(',\n');
