// The imports of one open workspace: one at a time, told to its windows, ended with it (I3, I4, R4).
import { randomUUID } from 'node:crypto';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import {
  emptyCounts,
  type ImportProgress,
  type ImportReport,
  type ImportRequest,
  type ImportState,
} from '../../../shared/model/importReport';
import type { EventHub } from '../../agents/eventHub';
import type { ReadPdf } from '../../attachments/intake';
import type { ImportReader } from '../../interchange/importReader';
import { runImport } from '../../interchange/importRun';
import type { Logger } from '../../lib/logger';
import { createImportSink, type SinkDeps } from './sink';

export type ReadImport = (paths: readonly string[]) => ImportReader;
export type ImportsDeps = Pick<SinkDeps, 'db' | 'blobs' | 'transcripts' | 'newId' | 'now'> & { hub: EventHub; logger: Logger };
/** What the program has for all workspaces. */
type Means = { readImport: ReadImport; readPdf: ReadPdf };
type Running = { importId: string; controller: AbortController; progress: ImportProgress | null; ended: Promise<void> };

/** Milliseconds between two words on how far it is. */
const between = 100;

export class Imports {
  readonly #deps: ImportsDeps;
  #running: Running | null = null;
  #last: ImportReport | null = null;
  #closed = false;

  constructor(deps: ImportsDeps) {
    this.#deps = deps;
  }

  /** Answers at once. Throws `conflict` while another one runs. */
  start(request: ImportRequest, means: Means): { importId: string } {
    if (this.#running || this.#closed) throw new FailureError(makeFailure('conflict', 'Another import is still running here.'));
    const running: Running = { importId: randomUUID(), controller: new AbortController(), progress: null, ended: Promise.resolve() };
    this.#running = running;
    this.#last = null;
    running.ended = this.#run(running, request, means).then((report) => {
      this.#running = null;
      this.#last = report;
      this.#deps.hub.publish({ type: 'importEnded', importId: running.importId });
    });
    return { importId: running.importId };
  }

  state(): ImportState {
    const { importId, progress } = this.#running ?? {};
    return { running: importId === undefined ? null : { importId, progress: progress ?? null }, last: this.#last };
  }

  /** What is written stays. Answers when it has ended; one that has ended already is left alone. */
  async cancel(importId: string): Promise<void> {
    if (this.#running?.importId !== importId) return;
    this.#running.controller.abort();
    await this.#running.ended;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#running?.controller.abort();
    await this.#running?.ended;
  }

  async #run(running: Running, { paths, mode }: ImportRequest, { readImport, readPdf }: Means): Promise<ImportReport> {
    const { hub, logger, ...rest } = this.#deps;
    const { signal } = running.controller;
    let next = 0;
    try {
      return await runImport({
        reader: readImport(paths),
        // No agent has answered in what comes from elsewhere: who is asked next is the person's choice.
        sink: createImportSink({ ...rest, readPdf, agentId: null, mode, signal }),
        signal,
        onProgress: (progress) => {
          running.progress = progress;
          const time = performance.now();
          if (time < next) return;
          next = time + between;
          hub.publish({ type: 'importProgress', importId: running.importId, progress });
        },
      });
    } catch (cause) {
      logger.log('error', 'an import broke', { cause });
      const failure = makeFailure('internal', cause instanceof Error ? cause.message : String(cause));
      return { files: [], total: running.progress?.counts ?? emptyCounts(), otherFiles: 0, ended: 'failed', failure };
    }
  }
}
