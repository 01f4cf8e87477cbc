// What the user chose to import: a file, a folder, or an archive, each as a set of files that can be read as streams.
import { createReadStream } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { basename, join, relative, sep } from 'node:path';
import { systemCode } from '../lib/systemError';
import { type InnerProblem, type WithInner, withInnerArchives } from './innerArchives';
import type { SourceFile } from './sourceFile';
import { SourceProblem } from './sourceProblem';
import { type OpenZip, openZip } from './zipFile';

export type Source = {
  /** Its name as the user sees it. */
  name: string;
  files: SourceFile[];
  /** A folder or an archive: files beside each other may belong together, and not all of them are to be imported. */
  holdsMany: boolean;
  /** Archives inside it that cannot be opened. */
  problems: InnerProblem[];
  close(): Promise<void>;
};

const mostFiles = 200_000;
const mostFolders = 16;

export async function openSource(path: string): Promise<Source> {
  const name = basename(path);
  try {
    const found = await stat(path);
    if (found.isDirectory()) return { name, holdsMany: true, ...(await withInnerArchives(await filesIn(path))) };
    if (!found.isFile()) throw new SourceProblem('unreadable', 'neither a file nor a folder');
    if (await isZip(path)) return { name, holdsMany: true, ...(await filesOf(await openZip(path))) };
    return { name, files: [fileAt(path, name, found.size)], holdsMany: false, problems: [], close: async () => undefined };
  } catch (error) {
    throw problemOf(error);
  }
}

async function filesOf(zip: OpenZip): Promise<WithInner> {
  try {
    const { close, ...found } = await withInnerArchives(zip.files);
    const closeAll = async () => {
      await close();
      await zip.close();
    };
    return { ...found, close: closeAll };
  } catch (error) {
    await zip.close();
    throw error;
  }
}

export function problemOf(error: unknown): unknown {
  if (error instanceof SourceProblem) return error;
  const code = systemCode(error);
  if (code === 'ENOENT' || code === 'ENOTDIR') return new SourceProblem('gone', code, { cause: error });
  return code === undefined || code.startsWith('ERR_') ? error : new SourceProblem('unreadable', code, { cause: error });
}

function fileAt(path: string, name: string, size: number): SourceFile {
  return { path: name, size, onDisk: path, stream: () => createReadStream(path, { highWaterMark: 256 * 1024 }) };
}

async function isZip(path: string): Promise<boolean> {
  const file = await open(path, 'r');
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(4), 0, 4, 0);
    const mark = buffer.subarray(0, bytesRead).toString('latin1');
    return mark === 'PK\u0003\u0004' || mark === 'PK\u0005\u0006';
  } finally {
    await file.close();
  }
}

/** Links are not followed: what was chosen is this folder. */
async function filesIn(folder: string): Promise<SourceFile[]> {
  const files: SourceFile[] = [];
  const waiting = [{ path: folder, level: 0 }];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next.path, { withFileTypes: true });
    for (const entry of entries.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const path = join(next.path, entry.name);
      if (entry.isDirectory() && next.level < mostFolders) waiting.push({ path, level: next.level + 1 });
      if (!entry.isFile()) continue;
      if (files.length >= mostFiles) throw new SourceProblem('unreadable', `more than ${mostFiles} files`);
      files.push(fileAt(path, relative(folder, path).split(sep).join('/'), (await stat(path)).size));
    }
  }
  return files.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** All bytes of a small file; null when it is larger than `limit`. */
export async function bytesOf(file: SourceFile, limit: number): Promise<Buffer | null> {
  if (file.size > limit) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.stream()) {
    size += chunk.length;
    if (size > limit) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

/** The first bytes of a file, at most `count`. */
export async function firstBytes(file: SourceFile, count: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of file.stream()) {
    chunks.push(chunk);
    size += chunk.length;
    if (size >= count) break;
  }
  return Buffer.concat(chunks).subarray(0, count);
}
