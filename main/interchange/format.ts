// What a format of another program is to the rest: how it is recognised by content, and how its records become conversations.
import type { FileProblem, ImportFormatId, SkipReason } from '../../shared/model/importReport';
import type { SourceConversation } from './importedTree';
import type { OwnLine } from './ownLine';

/** What a format may ask about the surroundings of the file it reads. */
export type ImportContext = {
  /** The file's name without its folder. */
  fileName: string;
  /** A file beside it that holds an attachment: by the id its name begins with, or by its whole name. */
  findFile(idOrName: string): string | undefined;
  /** The name that a person gave a file which the export renamed. */
  givenName?: ((file: string) => string | undefined) | undefined;
};

/** `own`: a fact of one of Bough's own exports, which has no other shape to be brought into. `problem`: of the file as a whole. */
export type Found =
  | { conversation: SourceConversation }
  | { skipped: { title: string | null; reason: SkipReason } }
  | { own: OwnLine }
  | { problem: FileProblem };

/** Conversations as values of their own: a list of them, or a file that is one. */
export type ValueFormat = {
  id: ImportFormatId;
  kind: 'values';
  claims(value: unknown): boolean;
  read(value: unknown, context: ImportContext): Found[];
};

/** Lines of JSON; a conversation is spread over many of them. `null` stands for a line that could not be read, in `claims` undefined. */
export type LineFormat = {
  id: ImportFormatId;
  kind: 'lines';
  claims(first: readonly unknown[]): boolean;
  start(context: ImportContext): { line(value: unknown): Found[]; end(): Found[] };
};

/** One large object whose members are conversations and what they have in common. */
export type MemberFormat = {
  id: ImportFormatId;
  kind: 'members';
  claims(key: string, value: unknown): boolean;
  start(context: ImportContext): { member(key: string, value: unknown): Found[]; end(): Found[] };
};

export type ImportFormat = ValueFormat | LineFormat | MemberFormat;
