// A run of an agent for the benchmarks of N8 and N9: its messages in a store of its own, its steps in a transcript.
import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { createConversation } from '../../../main/store/conversations';
import { transaction, type WritableDb } from '../../../main/store/database';
import { appendMessage } from '../../../main/store/messages';
import { openStore } from '../../../main/store/open';
import { addTranscriptStep } from '../../../main/store/transcriptSteps';
import { type BlobStore, createBlobStore } from '../../../main/transcript/blobs';
import { createTranscripts, type Transcripts } from '../../../main/transcript/transcripts';
import type { ConversationId, MessageId, StepId, TurnId } from '../../../shared/model/ids';
import type { Message, Part } from '../../../shared/model/message';
import type { Step } from '../../../shared/model/transcript';
import { benchAgent, benchModel } from '../data/grow';

export const place = { conversationId: 'cnv_run' as ConversationId, agentId: benchAgent };

export type Run = {
  db: WritableDb;
  folder: string;
  file: string;
  blobs: BlobStore;
  /** New ones over the same files, as after a start. */
  open(): Transcripts;
  transcriptFile: string;
  close(): void;
};

/** In a folder of its own inside `cache`. Files are never sealed, so that one may grow to any size. */
export function makeRun(cache: string): Run {
  const folder = mkdtempSync(join(cache, 'bough-run-'));
  const file = join(folder, 'bough.db');
  const store = openStore({ file, mode: 'write', now: Date.now });
  const blobs = createBlobStore({ folder: join(folder, 'blobs'), record: null });
  createConversation(store.db, { id: place.conversationId, now: 1, agentId: benchAgent });
  return {
    db: store.db,
    folder,
    file,
    blobs,
    open: () => createTranscripts({ folder: join(folder, 'transcripts'), blobs, sealAbove: Number.POSITIVE_INFINITY }),
    transcriptFile: join(folder, 'transcripts', place.conversationId, `${benchAgent}.json`),
    close() {
      store.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Steps between one request of the user and the next. */
const turnLength = 20;
let made = 0;

/** A step of about `bytes`, nearly all of them what its tool gave: a file with quotes and line ends, every fifth with words that are no English. */
export function makeStep(parentId: MessageId, bytes: number): Step {
  const ulid = String(made++).padStart(26, '0');
  const callId = `call_${ulid}`;
  const line = made % 5 === 0 ? '  // читает файл и проверяет\n' : '  const value = read("path/to/file"); // and checks it\n';
  return {
    id: `stp_${ulid}` as StepId,
    messageId: `msg_${ulid}` as MessageId,
    parentId,
    turnId: `trn_${Math.floor(made / turnLength)}` as TurnId,
    model: benchModel,
    content: [
      { type: 'text', text: 'I look at the next file, and then at what calls it, before I change anything.' },
      { type: 'toolCall', callId, name: 'read_file', arguments: '{"path":"src/some/folder/file.ts"}' },
    ],
    results: [
      {
        callId,
        summary: 'Read src/some/folder/file.ts',
        content: line.repeat(Math.ceil(bytes / line.length)).slice(0, bytes),
        durationMs: 12,
      },
    ],
    usage: { input: 90_000, output: 200, cachedInput: 80_000 },
    durationMs: 4000,
    createdAt: 1_790_000_000_000,
  };
}

export function messageOf(step: Step): Message {
  const { messageId: id, parentId, turnId, model, usage, durationMs, createdAt, results } = step;
  const parts = step.content.flatMap((part): Part[] => {
    if (part.type === 'vendor') return [];
    const result = part.type === 'toolCall' ? results.find(({ callId }) => callId === part.callId) : undefined;
    return [part.type === 'toolCall' && result ? { ...part, summary: result.summary, durationMs: result.durationMs } : part];
  });
  const facts = { ...place, parentId, turnId, model, usage, durationMs, createdAt };
  return { id, role: 'assistant', status: 'complete', parts, ...facts };
}

/** A step as it was left by its boundary; without a flush of the database for each. */
export function addStep(run: Run, transcripts: Transcripts, parentId: MessageId, bytes: number): MessageId {
  const step = makeStep(parentId, bytes);
  const { file } = transcripts.append(place, { type: 'step', step });
  appendMessage(run.db, { message: messageOf(step), tip: 'follow' });
  addTranscriptStep(run.db, { stepId: step.id, messageId: step.messageId, ...place, file });
  return step.messageId;
}

/** A path of `count` steps, with the user's words now and then; gives its last message. */
export function grow(run: Run, count: number, bytes: number): MessageId {
  const transcripts = run.open();
  return transaction(run.db, () => {
    let last: MessageId | null = null;
    for (let at = 0; at < count; at++) {
      if (last === null || at % turnLength === 0) last = ask(run, last);
      last = addStep(run, transcripts, last, bytes);
    }
    if (last === null) throw new Error('a run has steps');
    return last;
  });
}

export function ask(run: Run, parentId: MessageId | null): MessageId {
  const id = `msg_U${String(made++).padStart(25, '0')}` as MessageId;
  const parts: Part[] = [{ type: 'text', text: 'Now the next part, please: look at what it does first.' }];
  const message: Message = { id, conversationId: place.conversationId, parentId, role: 'user', status: 'complete', parts, createdAt: 1 };
  appendMessage(run.db, { message, tip: 'follow' });
  return id;
}
