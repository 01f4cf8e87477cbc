// Opens an archive of a stranger: its table of contents is read and judged before anything is unpacked, and nothing is ever written to disk.
import { stat } from 'node:fs/promises';
import yauzl from 'yauzl';
import type { SourceFile } from './sourceFile';
import { SourceProblem } from './sourceProblem';

export type ZipLimits = {
  entries: number;
  /** Bytes of all entries, unpacked. */
  total: number;
  /** An entry, or all of them together, may not unpack to more than so many times its size, where it is large. */
  ratio: number;
  large: number;
};
export const zipLimits: ZipLimits = { entries: 200_000, total: 32 * 2 ** 30, ratio: 250, large: 64 * 2 ** 20 };

export type OpenZip = { files: SourceFile[]; close(): Promise<void> };

/** `from`: a path, or all its bytes. Throws `SourceProblem`. The library checks on the way that an entry unpacks to no more than its stated size. */
export async function openZip(from: string | Buffer, limits = zipLimits): Promise<OpenZip> {
  const size = typeof from === 'string' ? (await stat(from)).size : from.length;
  let zip: yauzl.ZipFile | undefined;
  try {
    const options = { lazyEntries: true, autoClose: false, strictFileNames: false };
    const opened = await (typeof from === 'string' ? yauzl.openPromise(from, options) : yauzl.fromBufferPromise(from, options));
    zip = opened;
    const entries = await entriesOf(opened, limits);
    check(entries, size, limits);
    const files = entries.map((entry) => fileOf(opened, entry));
    return { files, close: async () => opened.close() };
  } catch (error) {
    zip?.close();
    throw asProblem(error);
  }
}

async function entriesOf(zip: yauzl.ZipFile, limits: ZipLimits): Promise<yauzl.Entry[]> {
  const entries: yauzl.Entry[] = [];
  let total = 0;
  for await (const entry of zip.eachEntry()) {
    if (entry.fileName.endsWith('/')) continue;
    total += entry.uncompressedSize;
    if (entries.push(entry) > limits.entries) throw new SourceProblem('zipTooLarge', `more than ${limits.entries} files`);
    if (total > limits.total) throw new SourceProblem('zipTooLarge', `unpacks to more than ${limits.total} bytes`);
    if (entry.isEncrypted()) throw new SourceProblem('zipEncrypted', entry.fileName);
  }
  return entries;
}

function check(entries: readonly yauzl.Entry[], size: number, limits: ZipLimits): void {
  const isBomb = (unpacked: number, packed: number) => unpacked > limits.large && unpacked > packed * limits.ratio;
  const bomb = entries.find((entry) => isBomb(entry.uncompressedSize, entry.compressedSize));
  if (bomb) throw new SourceProblem('zipTooLarge', `${bomb.fileName}: ${bomb.compressedSize} bytes unpack to ${bomb.uncompressedSize}`);
  // Entries may share their bytes: together they say more than the archive is long.
  const total = entries.reduce((sum, entry) => sum + entry.uncompressedSize, 0);
  if (isBomb(total, size)) throw new SourceProblem('zipTooLarge', `${size} bytes unpack to ${total}`);
}

function fileOf(zip: yauzl.ZipFile, entry: yauzl.Entry): SourceFile {
  return {
    path: entry.fileName,
    size: entry.uncompressedSize,
    async *stream() {
      try {
        const bytes = await zip.openReadStreamPromise(entry);
        for await (const chunk of bytes) yield Buffer.from(chunk);
      } catch (error) {
        throw asProblem(error);
      }
    },
  };
}

/** The library's errors are plain ones with a sentence each. */
function asProblem(error: unknown): unknown {
  if (error instanceof SourceProblem || !(error instanceof Error)) return error;
  const isName = /^(absolute path|invalid relative path|invalid characters in fileName)/.test(error.message);
  return new SourceProblem(isName ? 'zipUnsafePath' : 'zipDamaged', error.message, { cause: error });
}
