// The commit of pages: their files as blobs first, then the record that names them (L11). Bytes are encoded and named once, when the pages are found.
import type { BlobHash } from '../../../shared/model/ids';
import type { MemoryPage, MemoryRecord } from '../../../shared/model/memoryRecord';
import type { MadePage } from '../../context/snapshot/makePages';
import { transaction } from '../../store/database';
import { loosenHash } from '../../store/emptyTrash';
import { settle } from '../../store/looseBlobs';
import { hashOf } from '../../transcript/blobs';
import { stillStands, type TextHashes } from './commitRecord';
import type { LadderDeps, PassResult } from './ladderDeps';
import { commit, factsNow, type Run } from './passRun';

type Content = { hash: BlobHash; bytes: Uint8Array; mime: string };
/** The two files of one page. */
export type PageFiles = Pick<MemoryPage, 'width' | 'height' | 'characters'> & { picture: Content; text: Content };
/** `hashes`: of what was folded, word for word. */
export type FoundPages = { record: MemoryRecord; files: readonly PageFiles[]; hashes: TextHashes };

export function filesOf({ png, text, width, height }: MadePage): PageFiles {
  const content = (bytes: Uint8Array, mime: string): Content => ({ hash: hashOf(bytes), bytes, mime });
  const [picture, words] = [content(png, 'image/png'), content(new TextEncoder().encode(text), 'text/plain')];
  return { picture, text: words, width, height, characters: text.length };
}

export function pageOf({ picture, text, width, height, characters }: PageFiles): MemoryPage {
  return { hash: picture.hash, width, height, size: picture.bytes.length, textHash: text.hash, characters };
}

/** Every file waits for the disk: eighty pages and their texts, one after the other, would take longer than to make them. */
const atOnce = 16;

/** Where no record comes to name them, they go when the trash is emptied. Throws what the disk says, once none is on its way. */
async function writeLoose({ db, blobs }: LadderDeps, contents: readonly Content[]): Promise<void> {
  const ends = await Promise.allSettled(contents.map(({ bytes, mime }) => blobs.write(bytes, mime)));
  transaction(db, () => {
    for (const end of ends) if (end.status === 'fulfilled') loosenHash(db, end.value);
  });
  for (const end of ends) if (end.status === 'rejected') throw end.reason;
}

/** Pictures first, then the record that names them. Throws what the disk says. */
export async function commitPages(run: Run, { record, files, hashes }: FoundPages): Promise<PassResult> {
  const { deps, stand, signal } = run;
  if (!stillStands(deps, stand, hashes)) return { type: 'discarded' };
  const contents = files.flatMap(({ picture, text }) => [picture, text]);
  for (let at = 0; at < contents.length; at += atOnce) {
    if (signal.aborted) return { type: 'stopped' };
    await writeLoose(deps, contents.slice(at, at + atOnce));
  }
  if (signal.aborted) return { type: 'stopped' };
  if (!stillStands(deps, stand, hashes)) return { type: 'discarded' };
  // From here on nothing comes between: what an emptied trash took meanwhile is written again, and what a record names is loose no longer.
  const written = contents.map(({ hash, bytes, mime }) => (deps.blobs.has(hash) ? hash : deps.blobs.writeNow(bytes, mime)));
  const result = commit(run, record, factsNow(run).now, false);
  if (result.type === 'committed') keepFromNow(deps, written);
  return result;
}

/** The record stands whatever comes of this: who empties the trash later finds it, too. */
function keepFromNow({ db, logger }: LadderDeps, hashes: readonly BlobHash[]): void {
  try {
    settle(db, hashes);
  } catch (cause) {
    logger.log('warn', 'pictures of pages are still listed as loose', { cause });
  }
}
