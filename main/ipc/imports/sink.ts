// Writes imported conversations into a workspace: attachments into blobs first, then each tree whole (I3, T1).
import { FailureError } from '../../../shared/model/failure';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import { emptyCounts, type ImportCounts } from '../../../shared/model/importReport';
import type { Message } from '../../../shared/model/message';
import { plainWords } from '../../../shared/text/plainWords';
import { addBytes } from '../../attachments/intake';
import type { ImportedAttachment, ImportedConversation, ImportedMessage, ImportedPart } from '../../interchange/importedTree';
import type { WriteResult } from '../../interchange/importNotes';
import type { ImportSink, ReadAttachment } from '../../interchange/importRun';
import { plainTitle } from '../../interchange/plainTitle';
import { transaction } from '../../store/database';
import { findImported, type ImportedRows, importedMessageId, isImported, withRoom } from '../../store/importRows';
import { OwnImport } from './ownImport';
import {
  addCounts,
  goOn,
  type Known,
  leavesOf,
  type Prepared,
  pause,
  removeLeftovers,
  rowsAtOnce,
  type WriteDeps,
  writeInTurns,
  writeNow,
} from './writing';

export type SinkDeps = WriteDeps;

/** One at a time in a workspace: what another one is still writing would be taken for left behind. */
export function createImportSink(deps: SinkDeps): ImportSink {
  const endRoom = withRoom(deps.db);
  let cleared: Promise<void> | undefined;
  const clear = () => (cleared ??= removeLeftovers(deps));
  let own: OwnImport | null = null;
  const giveUp = async () => {
    const open = own;
    own = null;
    await open?.giveUp();
  };
  return {
    async end() {
      await giveUp();
      endRoom();
    },
    async write(conversations, attachment) {
      await clear();
      const prepared: (Prepared | Known)[] = [];
      for (const conversation of conversations) prepared.push(await prepare(deps, conversation, attachment));
      await pause();
      const rows = prepared.reduce((sum, one) => sum + (one.rows?.messages.length ?? 0), 0);
      if (rows <= rowsAtOnce * 2) return transaction(deps.db, () => prepared.map((one) => writeNow(deps, one)));
      const results: WriteResult[] = [];
      for (const one of prepared) results.push(await writeInTurns(deps, one));
      return results;
    },
    async takeOwn(line) {
      await clear();
      try {
        if (line.type === 'begin') own = new OwnImport(deps, line);
        else if (line.type !== 'end') await own?.take(line);
        else if (own !== null) {
          const result = await own.finish();
          own = null;
          return result;
        }
        return null;
      } catch (error) {
        await giveUp();
        throw error;
      }
    },
  };
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
  const idOf = messageIds(id);
  for (const message of conversation.messages) {
    goOn(deps);
    const messageId = idOf(message.sourceId);
    const counts = { ...emptyCounts(), messages: 1, recovered: message.recovered ? 1 : 0 };
    // What is there already stays as it is, and is not read again.
    const isThere = before !== null && isImported(db, messageId);
    const parts = isThere ? [] : await partsOf(deps, { message, conversation, attachment, counts });
    const parentId = parentOf(message, sourceIds);
    messages.push(toMessage({ id, messageId, parentId: parentId === null ? null : idOf(parentId), message, parts, start }));
    perMessage.set(messageId, counts);
  }
  const counts = { ...emptyCounts(), conversations: 1, branches: leavesOf(messages) };
  for (const one of perMessage.values()) addCounts(counts, one);
  const lastTime = messages.reduce((latest, { createdAt }) => Math.max(latest, createdAt), 0);
  const rows: ImportedRows = {
    id,
    ...titleOf(conversation),
    agentId,
    tipId: conversation.tipId === null ? null : idOf(conversation.tipId),
    pinned: conversation.pinned === true,
    archived: conversation.archived === true,
    createdAt: start,
    updatedAt: Math.min(now(), conversation.updatedAt ?? lastTime),
    now: now(),
    source,
    messages,
    labels: conversation.labels.map(({ messageId, label }) => ({ messageId: idOf(messageId), label: plainTitle(label) })),
  };
  return { rows, counts, known: before, perMessage };
}

function titleOf({ title, otherTitle, messages }: ImportedConversation): Pick<ImportedRows, 'title' | 'titleSource'> {
  const given = plainTitle(title ?? '');
  if (given !== '') return { title: given, titleSource: 'user' };
  const first = messages.flatMap(({ parts }) => parts.flatMap((part) => (part.type === 'text' ? [part.text] : [])))[0];
  return { title: plainTitle(otherTitle ?? '') || firstWords(first ?? ''), titleSource: 'auto' };
}

/** A text without any words keeps its marks. */
function firstWords(text: string): string {
  const start = text.slice(0, 400);
  return plainTitle((plainWords(start) || start).slice(0, 80));
}

/** Each id is a hash, and named again by what hangs under it. */
function messageIds(id: ConversationId): (sourceId: string) => MessageId {
  const made = new Map<string, MessageId>();
  return (sourceId) => {
    const known = made.get(sourceId) ?? importedMessageId(id, sourceId);
    made.set(sourceId, known);
    return known;
  };
}

/** A ring's root names what is not there, so that nothing closes; an orphan names its parent, which a later import may bring (T7). */
function parentOf({ parentId, recovered }: ImportedMessage, sourceIds: ReadonlySet<string>): string | null {
  return recovered && parentId !== null && sourceIds.has(parentId) ? `missing:${parentId}` : parentId;
}

type ToMessage = {
  id: ConversationId;
  messageId: MessageId;
  parentId: MessageId | null;
  message: ImportedMessage;
  parts: Message['parts'];
  start: number;
};

function toMessage({ id, messageId, parentId, message, parts, start }: ToMessage): Message {
  const { role, status, model, usage, finish, failure, createdAt } = message;
  return {
    id: messageId,
    conversationId: id,
    parentId,
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
