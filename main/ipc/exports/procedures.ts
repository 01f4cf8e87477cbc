// Exports as a window asks for them (I1, R4).
import type { ExportNews } from '../../../shared/model/export';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import { base } from '../base';
import type { WindowContext } from '../context';
import { type NewsBox, newsBox } from './newsBox';
import { bringPage } from './pageDesk';
import { countScopes } from './readTree';
import { saveExport } from './saveExport';

/** Files that were exported in a window: the only ones it may show in the file manager. */
const saved = new WeakMap<WindowContext['desktop'], Set<string>>();

function noteSaved({ desktop }: WindowContext, path: string): void {
  const paths = saved.get(desktop) ?? new Set();
  saved.set(desktop, paths.add(path));
}

export const exporting = {
  count: base.export.count.handler(({ input, context, signal }) => countScopes(context.workspace().read().db, input, { signal })),
  save: base.export.save.handler(async function* ({ input, context, signal }) {
    const news = newsBox<ExportNews>();
    const stop = new AbortController();
    const abort = () => stop.abort();
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    const { desktop, now } = context;
    const deps = { ...context.workspace().read(), now, chooseSaveFile: desktop.chooseSaveFile, printPage: desktop.printPage };
    const work = saveExport(deps, input, { signal: stop.signal, tell: news.put }).then((path) => {
      if (path !== null) noteSaved(context, path);
      news.put(path === null ? { type: 'cancelled' } : { type: 'done', path });
    });
    void work.then(() => news.end()).catch((error: unknown) => endWith(news, error));
    try {
      yield* news.read();
    } finally {
      signal?.removeEventListener('abort', abort);
      abort();
    }
  }),
  write: base.export.write.handler(({ input }) => {
    if (!bringPage(input.exportId, input.html)) throw new FailureError(makeFailure('notFound', 'No export waits for this.'));
  }),
  reveal: base.export.reveal.handler(({ input: { path }, context }) => {
    if (saved.get(context.desktop)?.has(path)) context.desktop.reveal(path);
  }),
};

/** Failures are news; anything else is a bug, which the gate logs. */
function endWith(news: NewsBox<ExportNews>, error: unknown): void {
  if (error instanceof FailureError) news.put({ type: 'failed', failure: error.failure });
  news.end(error instanceof FailureError ? undefined : error);
}
