// Archives that lie inside a folder or another archive: some programs give their exports so. What they hold stands beside the other files.
import type { SourceFile } from './sourceFile';
import { SourceProblem } from './sourceProblem';
import { type OpenZip, openZip, zipLimits } from './zipFile';

export type InnerProblem = { name: string; problem: SourceProblem };
export type WithInner = { files: SourceFile[]; problems: InnerProblem[]; close(): Promise<void> };

/** An archive inside an archive is held in memory: its table of contents stands at its end. */
const mostHeld = 512 * 1024 * 1024;
/** A folder may hold an archive of archives; nothing goes deeper. */
const mostLevels = 2;
/** Each holds a file open. */
const mostArchives = 200;
const archive = /\.zip$/i;
/** Names under which exports keep what a person attached: not looked into. */
const attached = /(?:^|\/)(?:file[-_]|[0-9a-f]{8}-[0-9a-f]{4}-)[^/]*$/i;

export async function withInnerArchives(files: readonly SourceFile[], most = mostArchives): Promise<WithInner> {
  const found: WithInner = { files: [], problems: [], close: async () => undefined };
  const opened: OpenZip[] = [];
  const room = { left: mostHeld, archives: most };
  found.close = async () => {
    for (const zip of opened.splice(0)) await zip.close();
  };
  const add = async (file: SourceFile, level: number): Promise<void> => {
    const isArchive = archive.test(file.path) && !attached.test(file.path) && level < (file.onDisk === undefined ? 1 : mostLevels);
    const zip = isArchive ? await open(file, room, found.problems) : null;
    if (zip === null) {
      found.files.push(file);
      return;
    }
    opened.push(zip);
    if (found.files.length + zip.files.length > zipLimits.entries)
      throw new SourceProblem('zipTooLarge', `more than ${zipLimits.entries} files`);
    for (const inner of zip.files) await add({ ...inner, path: `${file.path}/${inner.path}` }, level + 1);
  };
  try {
    for (const file of files) await add(file, 0);
  } catch (error) {
    await found.close();
    throw error;
  }
  return found;
}

async function open(file: SourceFile, room: { left: number; archives: number }, problems: InnerProblem[]): Promise<OpenZip | null> {
  try {
    room.archives -= 1;
    if (room.archives < 0) throw new SourceProblem('zipTooLarge', 'too many archives in one place');
    if (file.onDisk !== undefined) return await openZip(file.onDisk);
    if (file.size > room.left) throw new SourceProblem('zipTooLarge', `${file.path}: ${file.size} bytes inside an archive`);
    room.left -= file.size;
    const chunks: Buffer[] = [];
    for await (const chunk of file.stream()) chunks.push(chunk);
    return await openZip(Buffer.concat(chunks));
  } catch (error) {
    if (!(error instanceof SourceProblem)) throw error;
    problems.push({ name: file.path, problem: error });
    return null;
  }
}
