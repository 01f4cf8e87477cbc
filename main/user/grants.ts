// What the user allowed "for this conversation" (A4). It is the user's, kept beside the settings and bound to the workspace folder, so that
// a folder that was copied or came from a stranger carries nothing that is allowed (W2).
import { readFileSync, renameSync } from 'node:fs';
import * as z from 'zod/mini';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { ConversationId } from '../../shared/model/ids';
import { writeAtomic } from '../lib/atomicFile';
import type { Logger } from '../lib/logger';
import { createSequential } from '../lib/sequential';
import { systemCode, throwFileFailure } from '../lib/systemError';

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

export function openGrants(options: { file: string; logger: Logger }): Grants {
  const { file } = options;
  const inOrder = createSequential();
  let loaded: Loaded | undefined;
  const load = () => {
    loaded ??= readGrants(options);
    return loaded;
  };
  const write = () =>
    inOrder.run(async () => {
      const { entries, writable } = load();
      if (!writable) throw new FailureError(makeFailure('settingsInvalid', 'approvals.json is left as it is.', { detail: { path: file } }));
      const conversations = [...entries.values()].slice(-maxConversations);
      try {
        await writeAtomic(file, `${JSON.stringify({ version: 1, conversations }, null, 2)}\n`, { mode: 0o600 });
      } catch (error) {
        throwFileFailure(error, file);
      }
    });

  return {
    inWorkspace: (folder) => ({
      keysOf(conversationId) {
        const { entries } = load();
        const entry = entries.get(nameOf(folder, conversationId));
        if (entry === undefined) return new Set();
        putLast(entries, entry);
        return new Set(entry.keys);
      },
      async add(conversationId, keys) {
        const { entries } = load();
        const known = entries.get(nameOf(folder, conversationId))?.keys ?? [];
        const all = [...new Set([...known, ...keys])].slice(-maxKeys);
        putLast(entries, { folder, conversationId, keys: all });
        await write();
      },
      async forget(conversationId) {
        if (load().entries.delete(nameOf(folder, conversationId))) await write();
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

type Loaded = { entries: Map<string, Entry>; writable: boolean };

/** A broken file is kept aside as `<file>.broken`. One of another version, or that cannot be read or moved, is not written over. */
function readGrants({ file, logger }: { file: string; logger: Logger }): Loaded {
  const empty = (writable: boolean): Loaded => ({ entries: new Map(), writable });
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isOtherVersion(json)) {
      logger.log('warn', 'approvals are of another version', { file });
      return empty(false);
    }
    const { conversations } = z.parse(fileSchema, json);
    return { entries: new Map(conversations.map((entry) => [nameOf(entry.folder, entry.conversationId), entry])), writable: true };
  } catch (error) {
    if (systemCode(error) === 'ENOENT') return empty(true);
    logger.log('warn', 'approvals cannot be read', { cause: error });
    return empty(systemCode(error) === undefined && keptAside(file, logger));
  }
}

function isOtherVersion(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'version' in json && typeof json.version === 'number' && json.version !== 1;
}

function keptAside(file: string, logger: Logger): boolean {
  try {
    renameSync(file, `${file}.broken`);
    return true;
  } catch (cause) {
    logger.log('warn', 'broken approvals cannot be kept aside', { cause });
    return false;
  }
}
