// What leaves a workspace.
import { eventIterator, oc } from '@orpc/contract';
import * as z from 'zod/mini';
import { type ExportCounts, type ExportNews, exportId, exportRequest } from '../model/export';
import { conversationId, messageId } from '../model/ids';
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
};
