// Writes imported conversations into a workspace: attachments into blobs first, then each tree whole (I3, T1).
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, NewId } from '../../../shared/model/ids';
import { emptyCounts, type ImportCounts, type ImportMode } from '../../../shared/model/importReport';
import type { Message } from '../../../shared/model/message';
import { addBytes, type ReadPdf } from '../../attachments/intake';
import type { ImportedAttachment, ImportedConversation, ImportedMessage, ImportedPart } from '../../interchange/importedTree';
import type { ImportSink, ReadAttachment, WriteResult } from '../../interchange/importRun';
import { plainTitle } from '../../interchange/plainTitle';
import type { Now } from '../../lib/clock';
import { transaction, type WritableDb } from '../../store/database';
import {
  findImported,
  type ImportedRows,
  importedMessageId,
  isImported,
  removeUnfinishedImports,
  updateImported,
  withRoom,
  writeImported,
} from '../../store/importRows';
import type { BlobStore } from '../../transcript/blobs';
import type { Transcripts } from '../../transcript/transcripts';

export type SinkDeps = {
  db: WritableDb;
  blobs: BlobStore;
  /** Bough's own exports bring what agents exchanged with their models. */
  transcripts: Transcripts;
  readPdf: ReadPdf;
  newId: NewId;
  now: Now;
  /** Answers the next message of what is imported. */
  agentId: AgentId | null;
  mode: ImportMode;
  /** Aborted: a large conversation is given up half way and leaves nothing. */
  signal?: AbortSignal | undefined;
};

/** So many rows are written at a time, then others have their turn. */
const rowsAtOnce = 250;
const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** One at a time in a workspace: what another one is still writing would be taken for left behind. */
export function createImportSink(deps: SinkDeps): ImportSink {
  const end = withRoom(deps.db);
  let cleared: Promise<void> | undefined;
  return {
    end,
    async write(conversations, attachment) {
      cleared ??= removeLeftovers(deps.db);
      await cleared;
      const prepared: (Prepared | Known)[] = [];
      for (const conversation of conversations) prepared.push(await prepare(deps, conversation, attachment));
      const rows = prepared.reduce((sum, one) => sum + (one.rows?.messages.length ?? 0), 0);
      if (rows <= rowsAtOnce * 2) return transaction(deps.db, () => prepared.map((one) => writeNow(deps, one)));
      const results: WriteResult[] = [];
      for (const one of prepared) results.push(await writeInTurns(deps, one));
      return results;
    },
  };
}

/** Removes what an import left behind that was cut off by the end of the program. */
export async function removeLeftovers(db: WritableDb): Promise<void> {
  const steps = removeUnfinishedImports(db);
  while (transaction(db, () => steps.next()).done !== true) await pause();
}

type Prepared = { rows: ImportedRows; counts: ImportCounts; known: ConversationId | null; perMessage: Map<MessageId, ImportCounts> };
/** To be left as it is. */
type Known = { rows: null; known: ConversationId };
const knownAs = (conversationId: ConversationId): WriteResult => ({ outcome: 'known', conversationId, counts: emptyCounts() });

function writeNow(deps: SinkDeps, prepared: Prepared | Known): WriteResult {
  if (prepared.rows === null) return knownAs(prepared.known);
  const taken = takenMeanwhile(deps, prepared);
  if (taken !== null) return knownAs(taken);
  if (prepared.known !== null) return update(deps, prepared);
  for (const _ of writeImported(deps.db, prepared.rows));
  return { outcome: 'created', conversationId: prepared.rows.id, counts: prepared.counts };
}

async function writeInTurns(deps: SinkDeps, prepared: Prepared | Known): Promise<WriteResult> {
  if (prepared.rows === null || prepared.known !== null || prepared.rows.messages.length <= rowsAtOnce)
    return transaction(deps.db, () => writeNow(deps, prepared));
  const taken = takenMeanwhile(deps, prepared);
  if (taken !== null) return knownAs(taken);
  const steps = writeImported(deps.db, prepared.rows);
  const someSteps = () => {
    for (let row = 0; row < rowsAtOnce; row++) if (steps.next().done === true) return true;
    return false;
  };
  try {
    while (!transaction(deps.db, someSteps)) {
      await pause();
      goOn(deps);
    }
  } catch (error) {
    // On a full disk this fails too: then the next import or start does it.
    await removeLeftovers(deps.db).catch(() => undefined);
    throw error;
  }
  return { outcome: 'created', conversationId: prepared.rows.id, counts: prepared.counts };
}

function goOn({ signal }: SinkDeps): void {
  if (signal?.aborted) throw new FailureError(makeFailure('stopped', 'The import was cancelled.'));
}

/** The same conversation may stand twice in what is imported: the second time it is known. */
const takenMeanwhile = ({ db, mode }: SinkDeps, { rows, known: before }: Prepared): ConversationId | null =>
  mode !== 'copy' && before === null ? findImported(db, rows.source) : null;

function update({ db }: SinkDeps, { rows, perMessage }: Prepared): WriteResult {
  const added = updateImported(db, rows);
  if (added.length === 0) return knownAs(rows.id);
  const counts = { ...emptyCounts(), updated: 1, branches: leavesOf(added) };
  for (const { id } of added) add(counts, perMessage.get(id) ?? emptyCounts());
  return { outcome: 'updated', conversationId: rows.id, counts };
}

/** Of what is known and to be left as it is, the attachments are not even read. */
async function prepare(deps: SinkDeps, conversation: ImportedConversation, attachment: ReadAttachment): Promise<Prepared | Known> {
  const { db, newId, now, mode, agentId } = deps;
  const source = { format: conversation.format, sourceId: conversation.sourceId };
  const before = mode === 'copy' ? null : findImported(db, source);
  if (before !== null && mode === 'skip') return { rows: null, known: before };
  const id = before ?? newId('cnv');
  const start = conversation.createdAt ?? conversation.messages.find(({ createdAt }) => createdAt !== null)?.createdAt ?? now();
  const sourceIds = new Set(conversation.messages.map(({ sourceId }) => sourceId));
  const messages: Message[] = [];
  const perMessage = new Map<MessageId, ImportCounts>();
  for (const message of conversation.messages) {
    goOn(deps);
    const messageId = importedMessageId(id, message.sourceId);
    const counts = { ...emptyCounts(), messages: 1, recovered: message.recovered ? 1 : 0 };
    // What is there already stays as it is, and is not read again.
    const isThere = before !== null && isImported(db, messageId);
    const parts = isThere ? [] : await partsOf(deps, { message, conversation, attachment, counts });
    const parentId = parentOf(message, sourceIds);
    messages.push(toMessage({ id, messageId, parentId, message, parts, start }));
    perMessage.set(messageId, counts);
  }
  const counts = { ...emptyCounts(), conversations: 1, branches: leavesOf(messages) };
  for (const one of perMessage.values()) add(counts, one);
  const lastTime = messages.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0);
  const rows: ImportedRows = {
    id,
    ...titleOf(conversation),
    agentId,
    tipId: conversation.tipId === null ? null : importedMessageId(id, conversation.tipId),
    pinned: conversation.pinned === true,
    archived: conversation.archived === true,
    createdAt: start,
    updatedAt: Math.min(now(), conversation.updatedAt ?? lastTime),
    now: now(),
    source,
    messages,
    labels: conversation.labels.map(({ messageId, label }) => ({ messageId: importedMessageId(id, messageId), label: plainTitle(label) })),
  };
  return { rows, counts, known: before, perMessage };
}

function titleOf({ title, otherTitle, messages }: ImportedConversation): Pick<ImportedRows, 'title' | 'titleSource'> {
  const given = plainTitle(title ?? '');
  if (given !== '') return { title: given, titleSource: 'user' };
  const first = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))[0];
  return { title: plainTitle(otherTitle ?? '') || plainTitle((first ?? '').slice(0, 80)), titleSource: 'auto' };
}

/** A ring's root names what is not there, so that nothing closes; an orphan names its parent, which a later import may bring (T7). */
function parentOf({ parentId, recovered }: ImportedMessage, sourceIds: ReadonlySet<string>): string | null {
  return recovered && parentId !== null && sourceIds.has(parentId) ? `missing:${parentId}` : parentId;
}

type ToMessage = {
  id: ConversationId;
  messageId: MessageId;
  parentId: string | null;
  message: ImportedMessage;
  parts: Message['parts'];
  start: number;
};

function toMessage({ id, messageId, parentId, message, parts, start }: ToMessage): Message {
  const { role, status, model, usage, finish, failure, createdAt } = message;
  return {
    id: messageId,
    conversationId: id,
    parentId: parentId === null ? null : importedMessageId(id, parentId),
    role,
    status: status ?? 'complete',
    parts,
    model: model?.slice(0, 200),
    usage,
    finish,
    failure,
    createdAt: createdAt ?? start,
  };
}

type PartsOf = { message: ImportedMessage; conversation: ImportedConversation; attachment: ReadAttachment; counts: ImportCounts };

async function partsOf(deps: SinkDeps, { message, conversation, attachment, counts }: PartsOf): Promise<Message['parts']> {
  const parts: Message['parts'] = [];
  for (const part of message.parts) {
    if (part.type !== 'attachment') {
      if (isNotUnderstood(part)) counts.notUnderstood += 1;
      parts.push(part);
      continue;
    }
    const bytes = await bytesOf(part, attachment);
    if (bytes === null || bytes.length === 0) counts.attachmentsMissing += 1;
    else counts.attachmentsFound += 1;
    if (bytes === null || bytes.length === 0)
      parts.push({ type: 'raw', source: `${conversation.format}/missingAttachment`, json: part.json });
    else parts.push(await keep(deps, part, bytes));
  }
  return parts;
}

/** What a tool gave back is understood: it stands beside its call because a call holds one line of it. */
const isNotUnderstood = (part: ImportedPart): boolean => part.type === 'raw' && !part.source.endsWith('/toolResult');

async function bytesOf({ bytes }: ImportedAttachment, attachment: ReadAttachment): Promise<Uint8Array | null> {
  switch (bytes.from) {
    case 'file':
      return attachment(bytes.file);
    case 'base64':
      return Buffer.from(bytes.data, 'base64');
    case 'text':
      return Buffer.from(bytes.text, 'utf8');
    case 'nowhere':
      return null;
  }
}

const refusals = new Set(['fileTooLarge', 'fileUnsupported', 'fileEmpty', 'imageUnreadable', 'pdfUnreadable']);

/** As if it had been attached here; what no model could read is kept as a file all the same. */
async function keep(
  { blobs, readPdf }: SinkDeps,
  { name, mime }: ImportedAttachment,
  bytes: Uint8Array,
): Promise<Message['parts'][number]> {
  const plainName = plainTitle(name.split(/[/\\]/).at(-1) ?? '') || 'file';
  try {
    return await addBytes({ blobs, readPdf }, { name: plainName, bytes });
  } catch (error) {
    if (!(error instanceof FailureError) || !refusals.has(error.failure.code)) throw error;
    const kind = mime?.slice(0, 100) ?? 'application/octet-stream';
    return { type: 'file', hash: await blobs.write(bytes, kind), mime: kind, name: plainName, size: bytes.length };
  }
}

/** Ends of branches. */
function leavesOf(messages: readonly Message[]): number {
  const parents = new Set(messages.map(({ parentId }) => parentId));
  return messages.filter(({ id }) => !parents.has(id)).length;
}

function add(to: ImportCounts, { messages, attachmentsFound, attachmentsMissing, notUnderstood, recovered }: ImportCounts): void {
  to.messages += messages;
  to.attachmentsFound += attachmentsFound;
  to.attachmentsMissing += attachmentsMissing;
  to.notUnderstood += notUnderstood;
  to.recovered += recovered;
}
