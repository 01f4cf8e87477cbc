// One export from the question for a file to the file: whole, or not at all (I1, R4).
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { assertNever } from '../../../shared/model/assertNever';
import { type ExportNews, type ExportRequest, exportExtensions } from '../../../shared/model/export';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import { type Bundle, blobsOf, type ExportContext } from '../../interchange/export/bundle';
import { toJson, toJsonLines } from '../../interchange/export/jsonl';
import { toMarkdown } from '../../interchange/export/markdown';
import { toRows } from '../../interchange/export/rows';
import { writePiecesAtomic } from '../../lib/atomicFile';
import { throwFileFailure } from '../../lib/systemError';
import { requireConversation } from '../../store/conversations';
import type { ReadableDb } from '../../store/database';
import type { BlobStore } from '../../transcript/blobs';
import type { Transcripts } from '../../transcript/transcripts';
import { collectBundle } from './collect';
import { fileNameOf } from './fileNameOf';
import { nextPage } from './pageDesk';
import { progressTeller } from './progress';

export type SaveDeps = {
  db: ReadableDb;
  blobs: Pick<BlobStore, 'read'>;
  transcripts: Pick<Transcripts, 'open' | 'steps'>;
  now(): number;
  chooseSaveFile(defaultName: string, extension: string): Promise<string | null>;
  printPage(file: string, signal: AbortSignal): Promise<Uint8Array>;
};
export type Saving = { signal: AbortSignal; tell(news: ExportNews): void };

/** The file; null when the person chose none. Throws failures, `stopped` when the signal aborts. */
export async function saveExport(deps: SaveDeps, request: ExportRequest, saving: Saving): Promise<string | null> {
  const { title } = requireConversation(deps.db, request.conversationId);
  const extension = exportExtensions[request.format];
  const path = await deps.chooseSaveFile(`${fileNameOf(title)}.${extension}`, extension);
  if (path === null) return null;
  try {
    const progress = progressTeller(saving.tell);
    const bundle = await collectBundle(deps, request, {
      signal: saving.signal,
      rested: (done, total) => progress('reading', done, total),
    });
    const context = contextOf(deps);
    // Once: it looks at every message.
    const all = piecesIn(request, bundle);
    const pieces = counted(piecesOf({ request, bundle, context, saving }), {
      signal: saving.signal,
      told: (done) => progress('writing', done, all),
    });
    if (request.format === 'pdf') await writePdf(deps, { path, pieces, saving });
    else await writePiecesAtomic(path, pieces);
    return path;
  } catch (error) {
    if (saving.signal.aborted) throw new FailureError(makeFailure('stopped', 'The export was stopped.'), { cause: error });
    throwFileFailure(error, path);
  }
}

function contextOf({ blobs, now }: SaveDeps): ExportContext {
  return {
    exportedAt: now(),
    async readBlob(hash) {
      try {
        return await blobs.read(hash);
      } catch (error) {
        if (error instanceof FailureError && error.failure.code === 'blobGone') return null;
        throw error;
      }
    },
  };
}

type Telling = { request: ExportRequest; bundle: Bundle; context: ExportContext; saving: Saving };

function piecesOf({ request, bundle, context, saving }: Telling): AsyncGenerator<string> {
  const { format, include } = request;
  switch (format) {
    case 'json':
      return toJson(bundle, include, context);
    case 'jsonl':
      return toJsonLines(bundle, include, context);
    case 'markdown':
      return toMarkdown(bundle, include, context);
    case 'html':
    case 'pdf':
      return pagesOf({ request, bundle, context, saving });
    default:
      return assertNever(format);
  }
}

async function* pagesOf({ request, bundle, context, saving: { signal, tell } }: Telling): AsyncGenerator<string> {
  for await (const rows of toRows(bundle, request.include, context)) {
    const page = nextPage(request.exportId, signal);
    tell({ type: 'rows', rows });
    yield await page;
  }
}

/** About how many pieces there will be. */
function piecesIn({ format }: ExportRequest, bundle: Bundle): number {
  const messages = Math.max(1, bundle.messages.length);
  if (format === 'markdown') return messages;
  if (format === 'html' || format === 'pdf') return Math.ceil(messages / 60);
  return messages + bundle.transcripts.reduce((sum, { steps }) => sum + steps.length, 0) + blobsOf(bundle).size;
}

async function* counted(
  pieces: AsyncGenerator<string>,
  { signal, told }: { signal: AbortSignal; told(done: number): void },
): AsyncGenerator<string> {
  let done = 0;
  for await (const piece of pieces) {
    signal.throwIfAborted();
    yield piece;
    done++;
    told(done);
  }
  signal.throwIfAborted();
}

/** The page is written into a folder of its own that only this user can read, and is gone with it. */
async function writePdf(
  { printPage }: SaveDeps,
  { path, pieces, saving }: { path: string; pieces: AsyncIterable<string>; saving: Saving },
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bough-print-'));
  try {
    const page = join(folder, 'page.html');
    await writePiecesAtomic(page, pieces);
    saving.tell({ type: 'progress', what: 'printing', done: 0, total: 0 });
    const bytes = await printPage(page, saving.signal);
    saving.signal.throwIfAborted();
    await writePiecesAtomic(path, oneOf(bytes));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function* oneOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}
