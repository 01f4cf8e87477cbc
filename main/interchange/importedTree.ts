// The one shape that every format of another program is brought into: a tree by parents, in Bough's own parts, with what was left out beside it.
import type { Failure } from '../../shared/model/failure';
import type { ImportFormatId } from '../../shared/model/importReport';
import type { RawPart, ReasoningPart, TextPart, ToolCallPart, Usage } from '../../shared/model/message';

/** Where the bytes of an attachment are: a file beside the one being read, in the file itself, or nowhere. */
export type AttachmentBytes =
  | { from: 'file'; file: string }
  | { from: 'base64'; data: string }
  | { from: 'text'; text: string }
  | { from: 'nowhere' };
/** A picture or file of a message; `json` is what the source said of it, kept when its bytes are missing. */
export type ImportedAttachment = { type: 'attachment'; name: string; mime?: string | undefined; bytes: AttachmentBytes; json: string };
export type ImportedPart = TextPart | ReasoningPart | ToolCallPart | RawPart | ImportedAttachment;

/** What a tool gave back, in a record of its own: joined to its call when the tree is grown. */
export type ToolResultPart = {
  type: 'toolResult';
  callId?: string | undefined;
  name?: string | undefined;
  text: string;
  isError?: boolean | undefined;
};
export type SourcePart = ImportedPart | ToolResultPart;

type Facts = {
  role: 'user' | 'assistant';
  status?: 'complete' | 'interrupted' | undefined;
  model?: string | undefined;
  usage?: Usage | undefined;
  finish?: 'length' | 'filtered' | undefined;
  failure?: Failure | undefined;
};

/**
 * A record of the source that has a place in its tree. `message`: has something to show. `foldDown`: belongs to the answer that comes below it
 * (thoughts, calls and results before the words). `foldUp`: belongs to the message above it (results). `hidden`: only holds the tree together;
 * `what` says what it is.
 */
export type SourceNode = Facts & {
  id: string;
  /** Another name of it, by which other records may mean it where no record has that name as its id. */
  alias?: string | undefined;
  parentId: string | null;
  kind: 'message' | 'foldDown' | 'foldUp' | 'hidden';
  /** A folded record that becomes a message when no answer comes below it. */
  standsAlone?: boolean | undefined;
  what?: string | undefined;
  parts: SourcePart[];
  /** Unix time in milliseconds; null when the source does not say. */
  time: number | null;
};

export type SourceTree = {
  /** In the order of the file. */
  nodes: SourceNode[];
  /** The record the conversation stood at; it may name nothing. */
  pointer: string | null;
  /** Without a pointer: the newest leaf, or at each level the newest sibling. */
  fallback: 'leaf' | 'sibling';
  /** Siblings stand in order of time, or of the file where times say nothing about it. */
  order: 'time' | 'file';
};

export type SourceConversation = {
  /** The source's own id; conversations without one get the hash of their content. */
  id: string | null;
  title: string | null;
  /** Shown where there is no title. */
  otherTitle?: string | undefined;
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
  pinned?: boolean | undefined;
  archived?: boolean | undefined;
  tree: SourceTree;
  labels?: { nodeId: string; label: string }[] | undefined;
  /** Records that are no nodes. */
  leftOut?: Map<string, number> | undefined;
};

export type ImportedMessage = Facts & {
  sourceId: string;
  parentId: string | null;
  /** Its parent is missing or in a ring: `parentId` names what is not there, or itself (T7). */
  recovered: boolean;
  parts: ImportedPart[];
  /** Unix time in milliseconds; null when neither it nor anything above it has one. */
  createdAt: number | null;
};

export type GrownTree = {
  /** In order of creation: a message comes after its parent. */
  messages: ImportedMessage[];
  tipId: string | null;
  pathBy: 'pointer' | 'fallback:leaf' | 'fallback:sibling';
  folded: number;
  hidden: number;
  leftOut: Map<string, number>;
};

/** Plain data: it goes from one thread to the other as JSON. */
export type ImportedConversation = Omit<SourceConversation, 'tree' | 'id' | 'leftOut' | 'labels'> &
  Omit<GrownTree, 'leftOut'> & {
    leftOut: [what: string, count: number][];
    format: ImportFormatId;
    sourceId: string;
    labels: { messageId: string; label: string }[];
    /** It was read from the part of a file before the place where the file ends too early. */
    cut: boolean;
  };

export function count(into: Map<string, number>, what: string, by = 1): void {
  into.set(what, (into.get(what) ?? 0) + by);
}
