// What leaves a workspace, and what comes into it.
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { type ExportCounts, type ExportNews, exportId, exportRequest } from '../model/export';
import { conversationId, messageId } from '../model/ids';
import { type ImportState, importId, importRequest } from '../model/importReport';
import { longText, nothing, out } from './parts';

export const transferContract = {
  export: {
    /** What each scope holds; `messageId` null: the tip. Throws `notFound`. */
    count: oc.input(z.object({ conversationId, messageId: z.nullable(messageId) })).output(out<ExportCounts>()),
    /** Asks for a file and writes it; aborting the call leaves nothing behind, and what was in the file before (R4). */
    save: oc.input(exportRequest).output(eventIterator(out<ExportNews>())),
    /** The page that a running export asked for with `rows`. */
    write: oc.input(z.object({ exportId, html: longText })).output(nothing),
    /** Shows a file that was exported in this window in the file manager. */
    reveal: oc.input(z.object({ path: z.string().check(z.maxLength(4096)) })).output(nothing),
  },
  imports: {
    /** Asks for files, or for a folder; empty when the person cancels. */
    choose: oc.input(z.object({ folder: z.boolean() })).output(out<string[]>()),
    /** One at a time in a workspace, else `conflict`. Throws `invalidInput` for a path that was neither chosen nor dropped here. */
    start: oc.input(importRequest).output(out<{ importId: string }>()),
    /** What is written stays. Answers once the import has ended. */
    cancel: oc.input(z.object({ importId })).output(nothing),
    report: oc.output(out<ImportState>()),
  },
};
