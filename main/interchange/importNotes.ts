// The report of an import, as it grows: what was written, what was left and why, file by file (I4).
import type { Failure } from '../../shared/model/failure';
import type { ConversationId } from '../../shared/model/ids';
import { emptyCounts, type ImportCounts, type ImportFileReport, type ImportReport } from '../../shared/model/importReport';
import type { ImportedConversation } from './importedTree';
import type { ReadEvent } from './importReader';

/** `outcome` `known` and `tooLarge`: nothing was written. */
export type WriteResult = {
  outcome: 'created' | 'updated' | 'known' | 'tooLarge';
  conversationId: ConversationId;
  counts: ImportCounts;
  /** Found while it was written. */
  leftOut?: [what: string, count: number][] | undefined;
};

const skippedTold = 1000;

export function stopped(report: ImportReport, failure: Failure): void {
  report.ended = 'failed';
  report.failure ??= failure;
}

export function currentFile(report: ImportReport): ImportFileReport {
  const last = report.files.at(-1);
  if (last !== undefined) return last;
  const file: ImportFileReport = { name: '', format: null, counts: emptyCounts(), skipped: [], skippedInAll: 0, leftOut: [] };
  report.files.push(file);
  return file;
}

export function noteEvent(report: ImportReport, event: Exclude<ReadEvent, { type: 'conversation' | 'own' }>): void {
  switch (event.type) {
    case 'file':
      report.files.push({ name: event.name, format: null, counts: emptyCounts(), skipped: [], skippedInAll: 0, leftOut: [] });
      break;
    case 'format':
      currentFile(report).format = event.format;
      break;
    case 'skipped':
      skip(currentFile(report), event.title, event.reason);
      break;
    case 'problem':
      Object.assign(currentFile(report), { problem: event.problem, ...(event.detail === undefined ? {} : { detail: event.detail }) });
      break;
    case 'otherFiles':
      report.otherFiles += event.count;
      break;
    case 'progress':
      break;
  }
}

export function skip(file: ImportFileReport, title: string | null, reason: ImportFileReport['skipped'][number]['reason']): void {
  file.skippedInAll += 1;
  if (file.skipped.length < skippedTold) file.skipped.push({ title, reason });
}

type Noted = Pick<ImportedConversation, 'title' | 'leftOut'>;

export function note(report: ImportReport, file: ImportFileReport, conversation: Noted, result: WriteResult | undefined): void {
  if (result === undefined) throw new Error('a conversation was written without a result');
  if (result.outcome === 'tooLarge') {
    skip(file, conversation.title, 'tooLarge');
    return;
  }
  if (result.outcome === 'known') {
    if (report.total.conversations + report.total.updated === 0) report.first ??= result.conversationId;
    skip(file, conversation.title, 'known');
    return;
  }
  if (report.total.conversations + report.total.updated === 0) report.first = result.conversationId;
  addCounts(file.counts, result.counts);
  addCounts(report.total, result.counts);
  for (const [what, count] of conversation.leftOut) {
    const known = file.leftOut.find((one) => one.what === what);
    if (known) known.count += count;
    else file.leftOut.push({ what, count });
  }
}

function addCounts(to: ImportCounts, more: ImportCounts): void {
  to.conversations += more.conversations;
  to.updated += more.updated;
  to.messages += more.messages;
  to.branches += more.branches;
  to.attachmentsFound += more.attachmentsFound;
  to.attachmentsMissing += more.attachmentsMissing;
  to.notUnderstood += more.notUnderstood;
  to.recovered += more.recovered;
}
