// What main tells a window: facts that happened, in order, batched at most once a frame.
import type { WindowCommandId } from '../windowCommands';
import type { Conversation } from './conversation';
import type { AgentId, ConversationId, MessageId, StepId } from './ids';
import type { ImportProgress } from './importReport';
import type { LiveCall, LiveStep } from './live';
import type { PassReceipt, Rung, RunningPass } from './memoryView';
import type { Part } from './message';
import type { SettingsView } from './settings';
import type { EmptyProgress } from './trash';
import type { WorkspaceState } from './workspace';

/** A passing notice; `code` is an i18n key under `notice.`, `values` fill it. */
export type Notice = { code: string; values?: Record<string, string | number> | undefined; tone: 'info' | 'warning' | 'error' };

export type WindowEvent =
  | { type: 'conversationChanged'; conversation: Conversation }
  | { type: 'conversationRemoved'; conversationId: ConversationId }
  /** Something was deleted, put back or deleted for good. */
  | { type: 'trashChanged' }
  /** Of what is being deleted for good; null when that has ended. */
  | { type: 'emptyProgress'; progress: EmptyProgress | null }
  /** The path, the ending or a sibling count of this conversation changed: fetch its view anew. */
  | { type: 'talkChanged'; conversationId: ConversationId }
  /** A fork of this conversation takes a while: `done` of `total` messages are copied (R4). */
  | { type: 'forkProgress'; conversationId: ConversationId; done: number; total: number }
  /** A pass began, went to another rung, or (null) ended (L11). */
  | { type: 'passChanged'; conversationId: ConversationId; agentId: AgentId; pass: RunningPass | null }
  /** L12, L17. */
  | { type: 'context.compacted'; conversationId: ConversationId; agentId: AgentId; receipt: PassReceipt }
  | { type: 'context.compaction_failed'; conversationId: ConversationId; agentId: AgentId; rung: Rung; reason: string }
  /** What an agent remembers here is another than before: ask for it anew. */
  | { type: 'memoryChanged'; conversationId: ConversationId; agentId: AgentId }
  | { type: 'importProgress'; importId: string; progress: ImportProgress }
  /** Its report is there to be asked for, and the list of conversations is another one. */
  | { type: 'importEnded'; importId: string }
  | { type: 'stepStarted'; step: LiveStep }
  | {
      type: 'stepPhase';
      stepId: StepId;
      conversationId: ConversationId;
      phase: LiveStep['phase'];
      retry?: LiveStep['retry'];
      local?: LiveStep['local'];
    }
  /** Text for part `index`, which starts at character `offset` of that part: applying it twice changes nothing. */
  /** Part `index` as it now is, whole: a tool call whose arguments are complete, for one. */
  | { type: 'stepPart'; stepId: StepId; conversationId: ConversationId; index: number; part: Part }
  /** A call of a running step changed: it waits for a word, runs, or has its result. */
  | { type: 'callChanged'; stepId: StepId; conversationId: ConversationId; call: LiveCall }
  | {
      type: 'stepDelta';
      stepId: StepId;
      conversationId: ConversationId;
      index: number;
      /** `toolCall`: text of the arguments of a call that is being written. */
      kind: 'text' | 'reasoning' | 'toolCall';
      /** Of reasoning. */
      source?: string | undefined;
      /** Of a tool call: its id for now, and the tool's name. */
      call?: { callId: string; name: string } | undefined;
      offset: number;
      text: string;
    }
  /** The step is over: it became a message, or (null) a failed turn. `goesOn`: another step of the turn follows. A `talkChanged` follows in the same batch. */
  | { type: 'stepEnded'; stepId: StepId; conversationId: ConversationId; messageId: MessageId | null; goesOn?: true | undefined }
  | { type: 'settingsChanged'; settings: SettingsView }
  | { type: 'workspaceChanged'; workspace: WorkspaceState }
  | { type: 'notice'; notice: Notice }
  /** What the native menu asks of one window. */
  | { type: 'command'; command: WindowCommandId; window: number };

/** `epoch` changes when main restarts its streams; `seq` counts batches from 1 without a gap. */
export type EventBatch = { epoch: string; seq: number; events: WindowEvent[] };
