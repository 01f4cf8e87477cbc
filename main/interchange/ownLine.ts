// What Bough's own exports say, line by line, after it was checked: plain data on its way from the reader to the workspace (I2).
import type { Agent } from '../../shared/model/agent';
import type { Conversation } from '../../shared/model/conversation';
import type { AgentId, BlobHash, MessageId } from '../../shared/model/ids';
import type { MemoryRecord } from '../../shared/model/memoryRecord';
import type { Message } from '../../shared/model/message';
import type { Step, TranscriptFailure } from '../../shared/model/transcript';
import type { Bundle } from './export/bundle';

/** A message as the file has it: its ids are those of the file. */
export type OwnMessage = Omit<Message, 'conversationId'>;
export type OwnConversation = Pick<Conversation, 'title' | 'titleSource' | 'tipId' | 'agentId' | 'pinned' | 'archived'> & {
  createdAt?: number | undefined;
  updatedAt?: number | undefined;
};

/** Every conversation is a `begin`, facts in the order of the file, and an `end`. */
export type OwnLine =
  | { type: 'begin'; sourceId: string; scope: Bundle['scope']; conversation: OwnConversation }
  | { type: 'agent'; agent: Agent }
  | { type: 'message'; message: OwnMessage }
  | { type: 'label'; messageId: MessageId; label: string }
  | { type: 'pin'; messageId: MessageId }
  | { type: 'checkpoint'; messageId: MessageId; label: string; by: 'agent' | 'user'; createdAt: number }
  | ({ type: 'branchTip' } & Bundle['branchTips'][number])
  | { type: 'step'; agentId: AgentId; step: Step }
  | { type: 'record'; agentId: AgentId; record: MemoryRecord }
  | { type: 'failed'; agentId: AgentId; failure: TranscriptFailure }
  /** Its bytes have this hash. */
  | { type: 'blob'; hash: BlobHash; mime: string; base64: string }
  /** `leftOut`: what of it nobody understood, by name. */
  | { type: 'end'; leftOut: [what: string, count: number][] };

/** Of a part that this version does not know and keeps as it is. */
export const unknownPart = 'bough/part';
