// What tools give back (A2), and what a call needs a person's word for (A4): plain data, kept in transcripts and live rows.
import * as z from 'zod/mini';
import { type BlobHash, blobHash } from './ids';
import { type CallOutcome, callOutcomes, type ImagePart, imagePartSchema } from './message';

/** The tools there are (A2); an agent has some of them. */
export const toolNames = [
  'read_file',
  'list_files',
  'search_files',
  'write_file',
  'edit_file',
  'run_command',
  'view_image',
  'fetch_url',
  'checkpoint',
  'rewind',
  'recall',
  'tasks',
] as const;
export type ToolName = (typeof toolNames)[number];

/** `summary` is one line that says what was done and always stays; `content` may be left out of a request later (L2). */
export type ToolResult = {
  summary: string;
  content?: string | undefined;
  images?: ImagePart[] | undefined;
  isError?: boolean | undefined;
  /** Such a result is an error, too; left out where the tool ended by itself. */
  outcome?: CallOutcome | undefined;
  /** The tool found nothing anybody would read again: its content may be left out at any age (L2). Never of an error. */
  useless?: boolean | undefined;
  /** The whole output, where `content` holds only its ends. `size` in bytes, `lines` a count. */
  stored?: { hash: BlobHash; size: number; lines: number } | undefined;
  /** The file that was read or written, as it was then; `sha256` is empty where it held more than the agent had seen. Never sent to a model. */
  file?: { path: string; sha256: string } | undefined;
};

/**
 * One thing that a call does. Paths are absolute and real (links followed).
 * `outside`: not in the workspace folder; `guarded`: what it holds is run by other programs (`.git`).
 */
export type ToolNeed =
  | { kind: 'read'; path: string; outside: boolean }
  | { kind: 'edit'; path: string; outside: boolean; guarded: boolean }
  | { kind: 'command'; line: string; folder: string }
  /** `host` with its port where it is not the scheme's own; `isPrivate`: an address of this machine or its network. */
  | { kind: 'host'; host: string; isPrivate: boolean; addresses: string[] };

const text = z.string();
export const toolNeedSchema: z.ZodMiniType<ToolNeed> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('read'), path: text, outside: z.boolean() }),
  z.object({ kind: z.literal('edit'), path: text, outside: z.boolean(), guarded: z.boolean() }),
  z.object({ kind: z.literal('command'), line: text, folder: text }),
  z.object({ kind: z.literal('host'), host: text, isPrivate: z.boolean(), addresses: z.array(text) }),
]);

export const toolResultSchema = z.object({
  summary: text,
  content: z.optional(text),
  images: z.optional(z.array(imagePartSchema)),
  isError: z.optional(z.boolean()),
  outcome: z.optional(z.enum(callOutcomes)),
  useless: z.optional(z.boolean()),
  stored: z.optional(z.object({ hash: blobHash, size: z.int(), lines: z.int() })),
  file: z.optional(z.object({ path: text, sha256: text })),
});
