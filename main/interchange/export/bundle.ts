// What an export is made from: one conversation, or a part of its tree, with everything that hangs on its messages (I1). Read before, written as a stream.
import type { Agent } from '../../../shared/model/agent';
import type { Checkpoint } from '../../../shared/model/checkpoint';
import type { Conversation } from '../../../shared/model/conversation';
import type { ExportCount, ExportInclude } from '../../../shared/model/export';
import type { AgentId, BlobHash, MessageId, TurnId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { Message, Part } from '../../../shared/model/message';
import type { Step, StepPart, TranscriptFailure } from '../../../shared/model/transcript';

export type Include = ExportInclude;

export type ExportedTranscript = { agentId: AgentId; steps: Step[]; records: MemoryRecord[]; failed: TranscriptFailure[] };

export type Bundle = {
  conversation: Conversation;
  scope: 'path' | 'subtree' | 'tree';
  /** In order of creation: a parent that goes along stands before its children. */
  messages: readonly Message[];
  /** Where the export goes on from, of the messages in it. */
  tipId: MessageId | null;
  labels: readonly { messageId: MessageId; label: string }[];
  pins: readonly MessageId[];
  checkpoints: readonly Checkpoint[];
  /** Of branches that were left, in the order of leaving (T6). */
  branchTips: readonly { childId: MessageId; tipId: MessageId; turnId?: TurnId | undefined }[];
  agents: readonly Agent[];
  transcripts: readonly ExportedTranscript[];
};

/** Unix time in milliseconds; the text around a blob that is lost is the format's own. */
export type ExportContext = {
  exportedAt: number;
  /** Null when the content is no longer in the workspace. */
  readBlob(hash: BlobHash): Promise<Uint8Array | null>;
};

/** The bundle with only what was asked for. Steps without their calls would not be what was exchanged: they stay out with them. */
export function limitBundle(bundle: Bundle, include: Include): Bundle {
  const kept = (part: Part | StepPart) => (include.toolCalls || part.type !== 'toolCall') && (include.reasoning || !tellsReasoning(part));
  return {
    ...bundle,
    messages: bundle.messages.map((message) => ({ ...message, parts: message.parts.filter(kept) })),
    transcripts: include.toolCalls
      ? bundle.transcripts.map((one) => ({
          ...one,
          steps: one.steps.map((step) => ({ ...step, content: step.content.filter(kept) })),
          records: include.memory ? one.records : [],
        }))
      : [],
  };
}

/** Opaque items are reasoning that only its provider can read. */
function tellsReasoning(part: Part | StepPart): boolean {
  return part.type === 'reasoning' || part.type === 'vendor';
}

type NamesBlobs = { messages: readonly Pick<Message, 'parts'>[]; transcripts: readonly Pick<ExportedTranscript, 'steps' | 'records'>[] };

/** Every blob that the bundle names, each once, with its kind where that is known. */
export function blobsOf({ messages, transcripts }: NamesBlobs): Map<BlobHash, string> {
  const found = new Map<BlobHash, string>();
  const note = (hash: BlobHash, mime: string) => {
    if (!found.has(hash)) found.set(hash, mime);
  };
  const look = (part: Part | StepPart) => {
    if (part.type === 'image' || part.type === 'file') note(part.hash, part.mime);
    if (part.type === 'file' && part.textHash) note(part.textHash, 'text/plain');
  };
  for (const { parts } of messages) parts.forEach(look);
  for (const { steps, records } of transcripts) {
    for (const { content, results } of steps) {
      content.forEach(look);
      for (const { images, stored } of results) {
        images?.forEach(look);
        if (stored) note(stored.hash, 'text/plain');
      }
    }
    for (const { hash, textHash } of records.flatMap(({ body }) => body?.pages ?? [])) {
      note(hash, 'image/png');
      if (textHash) note(textHash, 'text/plain');
    }
  }
  return found;
}

/** What the dialog counts of a message. */
export type Counted = { id: MessageId; parentId: MessageId | null; attachments: number; toolCalls: number };

export function countedOf({ id, parentId, parts }: Message): Counted {
  const attachments = parts.filter(({ type }) => type === 'image' || type === 'file').length;
  return { id, parentId, attachments, toolCalls: parts.filter(({ type }) => type === 'toolCall').length };
}

/** What the dialog says before anything is written (I1). */
export function countAll(messages: readonly Counted[]): ExportCount {
  const parents = new Set(messages.map(({ parentId }) => parentId));
  return {
    messages: messages.length,
    branches: messages.filter(({ id }) => !parents.has(id)).length,
    attachments: messages.reduce((sum, one) => sum + one.attachments, 0),
    toolCalls: messages.reduce((sum, one) => sum + one.toolCalls, 0),
  };
}
