// What the user allowed "for this conversation" (A4). It is the user's, kept beside the settings and bound to the workspace folder, so that
// a folder that was copied or came from a stranger carries nothing that is allowed (W2).
import * as z from 'zod/mini';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId } from '../../shared/model/ids';
import type { Logger } from '../lib/logger';
import { openKeptEntries } from './keptEntries';

/** The ones used last are kept: entries stand in the order of use, since a clock may go backwards. */
const maxConversations = 2000;
const maxKeys = 500;

const entrySchema = z.object({ folder: z.string(), conversationId: z.string(), keys: z.array(z.string()) });
const fileSchema = z.object({ version: z.literal(1), conversations: z.array(entrySchema) });
type Entry = z.infer<typeof entrySchema>;

/** Changes hold at once, for this run also when they cannot be written: then the promise rejects with a `FailureError`. */
export type WorkspaceGrants = {
  /** Scope keys. */
  keysOf(conversationId: ConversationId): ReadonlySet<string>;
  add(conversationId: ConversationId, keys: Iterable<string>): Promise<void>;
  /** For a conversation that is deleted for good. */
  forget(conversationId: ConversationId): Promise<void>;
};

/** `inWorkspace` takes the workspace's folder by its real path. The file is read when it is first asked. */
export type Grants = { inWorkspace(folder: string): WorkspaceGrants };

export function openGrants({ file, logger }: { file: string; logger: Logger }): Grants {
  const kept = openKeptEntries<Entry>({
    file,
    logger,
    what: 'approvals',
    field: 'conversations',
    most: maxConversations,
    parse: (json) => z.parse(fileSchema, json).conversations,
    nameOf: (entry) => nameOf(entry.folder, entry.conversationId),
  });
  const write = async () => {
    if (await kept.write()) return;
    throw new FailureError(makeFailure('settingsInvalid', 'approvals.json is left as it is.', { detail: { path: file } }));
  };

  return {
    inWorkspace: (folder) => ({
      keysOf(conversationId) {
        const entries = kept.all();
        const entry = entries.get(nameOf(folder, conversationId));
        if (entry === undefined) return new Set();
        putLast(entries, entry);
        return new Set(entry.keys);
      },
      async add(conversationId, keys) {
        const entries = kept.all();
        const known = entries.get(nameOf(folder, conversationId))?.keys ?? [];
        const all = [...new Set([...known, ...keys])].slice(-maxKeys);
        putLast(entries, { folder, conversationId, keys: all });
        await write();
      },
      async forget(conversationId) {
        if (kept.all().delete(nameOf(folder, conversationId))) await write();
      },
    }),
  };
}

/** A folder's name may hold whatever would part the two. */
function nameOf(folder: string, conversationId: string): string {
  return JSON.stringify([folder, conversationId]);
}

function putLast(entries: Map<string, Entry>, entry: Entry): void {
  const name = nameOf(entry.folder, entry.conversationId);
  entries.delete(name);
  entries.set(name, entry);
}
