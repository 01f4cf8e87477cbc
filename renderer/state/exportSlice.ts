// Exporting (I1, R4): what is asked, what is chosen, how far it is, and how it ended. The pages are made by who shows the dialog.
import { create } from 'zustand';
import type { ExportChoice, ExportCounts, ExportNews, ExportRequest, ExportRows } from '../../shared/model/export';
import type { Failure } from '../../shared/model/failure';
import type { ConversationId, MessageId } from '../../shared/model/ids';
import { failureOf } from '../bridge';
import { appState, showFailure } from './appSlice';
import { client } from './client';

/** `messageId` null: the tip. */
export type ExportTarget = { conversationId: ConversationId; messageId: MessageId | null };
export type ExportProgress = Omit<Extract<ExportNews, { type: 'progress' }>, 'type'>;
/** HTML of one slice of a page. */
export type MakePage = (rows: ExportRows, request: ExportRequest) => Promise<string>;

type ExportState = {
  asking: ExportTarget | null;
  choice: ExportChoice;
  counts: ExportCounts | null;
  running: AbortController | null;
  progress: ExportProgress | null;
  failure: Failure | null;
  /** The file that was written. */
  path: string | null;
};
const usual: ExportChoice = {
  scope: 'path',
  format: 'html',
  include: { toolCalls: true, reasoning: true, attachments: true, memory: true },
};
const idle = { counts: null, running: null, progress: null, failure: null, path: null };
const useExportState = create<ExportState>(() => ({ ...idle, asking: null, choice: usual }));

export const useExportQuestion = () => useExportState((state) => state.asking);
export const useExportChoice = () => useExportState((state) => state.choice);
export const useExportCounts = () => useExportState((state) => state.counts);
export const useExportRunning = () => useExportState((state) => state.running !== null);
export const useExportProgress = () => useExportState((state) => state.progress);
export const useExportFailure = () => useExportState((state) => state.failure);
export const useExportPath = () => useExportState((state) => state.path);

let remembered: ExportChoice | null = null;

export function resetExport(): void {
  useExportState.getState().running?.abort();
  remembered = null;
  useExportState.setState({ ...idle, asking: null, choice: usual });
}

/** Opens the dialog with what was chosen last, or with what a command names, and counts while it is read. */
export function askToExport(target: ExportTarget, named: Partial<Pick<ExportChoice, 'scope' | 'format'>> = {}): void {
  if (useExportState.getState().running) return;
  const last = remembered ?? appState().settings?.workspace.interface.exportChoice ?? usual;
  useExportState.setState({ ...idle, asking: target, choice: { ...last, ...named } });
  client()
    .export.count(target)
    .then((counts) => ofQuestion(target, { counts }))
    .catch((error: unknown) => ofQuestion(target, { failure: failureOf(error) }));
}

function ofQuestion(asking: ExportTarget, change: Partial<ExportState>): void {
  if (useExportState.getState().asking === asking) useExportState.setState(change);
}

export function chooseExport(change: Partial<ExportChoice>): void {
  useExportState.setState(({ choice }) => ({ choice: { ...choice, ...change }, path: null, failure: null }));
}

/** Stops what runs; else closes the dialog. */
export function cancelExport(): void {
  const { running } = useExportState.getState();
  running?.abort();
  useExportState.setState(running ? { running: null, progress: null } : { ...idle, asking: null });
}

export async function confirmExport(makePage: MakePage): Promise<void> {
  const { asking, choice, running } = useExportState.getState();
  if (!asking || running) return;
  const stop = new AbortController();
  useExportState.setState({ running: stop, progress: null, failure: null, path: null });
  const ofRun = (change: Partial<ExportState>) => {
    if (useExportState.getState().running === stop) useExportState.setState(change);
  };
  try {
    const request: ExportRequest = { ...asking, ...choice, exportId: crypto.randomUUID() };
    for await (const news of await client().export.save(request, { signal: stop.signal })) {
      if (stop.signal.aborted) break;
      if (news.type === 'done') keepChoice(choice);
      const change = await answerTo(news, request, makePage);
      if (change) ofRun(change);
    }
  } catch (error) {
    if (!stop.signal.aborted) ofRun({ failure: failureOf(error) });
  } finally {
    stop.abort();
    ofRun({ running: null, progress: null });
  }
}

async function answerTo(news: ExportNews, request: ExportRequest, makePage: MakePage): Promise<Partial<ExportState> | null> {
  if (news.type === 'progress') return { progress: { what: news.what, done: news.done, total: news.total } };
  // It is over with this word, before the stream has ended: what is done then closes the dialog and stops nothing.
  if (news.type === 'done') return { path: news.path, running: null, progress: null };
  if (news.type === 'failed') return { failure: news.failure, running: null, progress: null };
  if (news.type === 'rows') await client().export.write({ exportId: request.exportId, html: await makePage(news.rows, request) });
  return null;
}

function keepChoice(choice: ExportChoice): void {
  remembered = choice;
  void client().workspace.saveInterface({ exportChoice: choice }).catch(showFailure);
}

export function showExported(path: string): void {
  void client().export.reveal({ path }).catch(showFailure);
}
