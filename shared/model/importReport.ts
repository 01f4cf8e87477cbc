// What an import of other programs' conversations did, file by file: nothing is dropped silently (I4).
import * as z from 'zod/mini';
import type { Failure } from './failure';
import type { ConversationId } from './ids';

export const importFormats = [
  'chatgpt',
  'claude',
  'librechat',
  'openwebui',
  'chatbox',
  'pi',
  'llamacpp',
  'sillytavern',
  'lmstudio',
  'bough',
] as const;
export type ImportFormatId = (typeof importFormats)[number];

/** What a conversation that was imported before becomes: left as it is, given what is new, or imported once more. */
export const importModes = ['skip', 'update', 'copy'] as const;
export type ImportMode = (typeof importModes)[number];

/** Made by main, one for each import. */
export const importId = z.string().check(z.maxLength(100));
/** Only paths that a person chose or dropped in this window; main knows them. */
export const importRequest = z.object({
  paths: z.array(z.string().check(z.maxLength(4096))).check(z.minLength(1), z.maxLength(1000)),
  mode: z.enum(importModes),
});
export type ImportRequest = z.infer<typeof importRequest>;

export type ImportCounts = {
  /** New ones. */
  conversations: number;
  /** Known ones that got new messages. */
  updated: number;
  messages: number;
  /** Ends of branches in what was written: a conversation without branches has one. */
  branches: number;
  attachmentsFound: number;
  attachmentsMissing: number;
  /** Parts kept as raw JSON because nobody knows what they mean. */
  notUnderstood: number;
  /** Messages whose parent was missing or in a ring: they stand as roots (T7). */
  recovered: number;
};

export const emptyCounts = (): ImportCounts => ({
  conversations: 0,
  updated: 0,
  messages: 0,
  branches: 0,
  attachmentsFound: 0,
  attachmentsMissing: 0,
  notUnderstood: 0,
  recovered: 0,
});

/**
 * `noMessages`: nothing that could be shown. `listedOnly`: named in the file, its content is not there. `unreadable`: no JSON, or of another shape.
 * `tooLarge`: larger than can be read at once. `known`: imported before. `notWritten`: the failure of the file says why.
 */
export const skipReasons = ['noMessages', 'listedOnly', 'unreadable', 'tooLarge', 'known', 'notWritten'] as const;
export type SkipReason = (typeof skipReasons)[number];
export type SkippedConversation = { title: string | null; reason: SkipReason };

/**
 * `cut`: it ends in the middle; what came before was read. `zipTooLarge`: unpacks to more than is taken, or is a bomb. `zipUnsafePath`: names that
 * lead out of the archive. `unreadable`: the system would not give its bytes. `newer`: Bough's own, of a later version of the format.
 */
export const fileProblems = [
  'empty',
  'notJson',
  'notRecognized',
  'cut',
  'zipDamaged',
  'zipTooLarge',
  'zipUnsafePath',
  'zipEncrypted',
  'gone',
  'unreadable',
  'newer',
] as const;
export type FileProblem = (typeof fileProblems)[number];

export type ImportFileReport = {
  /** Its name; inside an archive or a folder with the way to it. */
  name: string;
  format: ImportFormatId | null;
  counts: ImportCounts;
  /** The first thousand; `skippedInAll` counts them all. */
  skipped: SkippedConversation[];
  skippedInAll: number;
  /** Records that are no messages (system prompts, summaries, settings …), by what the source calls them. */
  leftOut: { what: string; count: number }[];
  problem?: FileProblem | undefined;
  /** Facts behind `problem`, for who wants to know. */
  detail?: string | undefined;
};

export type ImportReport = {
  files: ImportFileReport[];
  total: ImportCounts;
  /** Files of an archive or folder in which there was nothing to import. */
  otherFiles: number;
  /** `failed`: what was written until then stays, whole; `failure` says why it went no further. */
  ended: 'done' | 'cancelled' | 'failed';
  failure?: Failure | undefined;
  /** The first that was written, else the first that was known. */
  first?: ConversationId | undefined;
};

/** Bytes of the files that are read, unpacked. */
export type ImportProgress = { file: string; bytesRead: number; bytesInAll: number; counts: ImportCounts };

/** The import of a workspace that runs, and how the last one since it was opened ended. */
export type ImportState = { running: { importId: string; progress: ImportProgress | null } | null; last: ImportReport | null };
