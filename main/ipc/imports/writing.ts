// How what was read becomes rows: small conversations at once, large ones in turns and out of sight until they are whole (I3, R4).
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, NewId } from '../../../shared/model/ids';
import { emptyCounts, type ImportCounts, type ImportMode } from '../../../shared/model/importReport';
import type { Message } from '../../../shared/model/message';
import type { ReadPdf } from '../../attachments/intake';
import type { WriteResult } from '../../interchange/importNotes';
import type { Now } from '../../lib/clock';
import { transaction, type WritableDb } from '../../store/database';
import {
  findImported,
  type ImportedRows,
  removeUnfinishedImports,
  unfinishedImports,
  updateImported,
  writeImported,
} from '../../store/importRows';
import type { BlobStore } from '../../transcript/blobs';
import type { Transcripts } from '../../transcript/transcripts';

export type WriteDeps = {
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
  /** Characters of one of Bough's own exports that are held until its end. */
  mostGathered?: number | undefined;
};

/** So many rows are written at a time, then others have their turn. */
export const rowsAtOnce = 250;
/** Others have their turn. */
export const pause = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Removes what an import left behind that was cut off by the end of the program. */
export async function removeLeftovers({ db, transcripts }: Pick<WriteDeps, 'db' | 'transcripts'>): Promise<void> {
  for (const id of unfinishedImports(db)) await transcripts.remove(id);
  const steps = removeUnfinishedImports(db);
  while (transaction(db, () => steps.next()).done !== true) await pause();
}

export type Prepared = { rows: ImportedRows; counts: ImportCounts; known: ConversationId | null; perMessage: Map<MessageId, ImportCounts> };
/** To be left as it is. */
export type Known = { rows: null; known: ConversationId };
export const knownAs = (conversationId: ConversationId): WriteResult => ({ outcome: 'known', conversationId, counts: emptyCounts() });

export function writeNow(deps: WriteDeps, prepared: Prepared | Known): WriteResult {
  if (prepared.rows === null) return knownAs(prepared.known);
  const taken = takenMeanwhile(deps, prepared);
  if (taken !== null) return knownAs(taken);
  if (prepared.known !== null) return update(deps, prepared);
  for (const _ of writeImported(deps.db, prepared.rows));
  return { outcome: 'created', conversationId: prepared.rows.id, counts: prepared.counts };
}

export async function writeInTurns(deps: WriteDeps, prepared: Prepared | Known): Promise<WriteResult> {
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
    await removeLeftovers(deps).catch(() => undefined);
    throw error;
  }
  return { outcome: 'created', conversationId: prepared.rows.id, counts: prepared.counts };
}

export function goOn({ signal }: WriteDeps): void {
  if (signal?.aborted) throw new FailureError(makeFailure('stopped', 'The import was cancelled.'));
}

/** The same conversation may stand twice in what is imported: the second time it is known. */
const takenMeanwhile = ({ db, mode }: WriteDeps, { rows, known: before }: Prepared): ConversationId | null =>
  mode !== 'copy' && before === null ? findImported(db, rows.source) : null;

function update({ db }: WriteDeps, { rows, perMessage }: Prepared): WriteResult {
  const added = updateImported(db, rows);
  if (added.length === 0) return knownAs(rows.id);
  const counts = { ...emptyCounts(), updated: 1, branches: leavesOf(added) };
  for (const { id } of added) addCounts(counts, perMessage.get(id) ?? emptyCounts());
  return { outcome: 'updated', conversationId: rows.id, counts };
}

/** Ends of branches. */
export function leavesOf(messages: readonly Message[]): number {
  const parents = new Set(messages.map(({ parentId }) => parentId));
  return messages.filter(({ id }) => !parents.has(id)).length;
}

export function addCounts(
  to: ImportCounts,
  { messages, attachmentsFound, attachmentsMissing, notUnderstood, recovered }: ImportCounts,
): void {
  to.messages += messages;
  to.attachmentsFound += attachmentsFound;
  to.attachmentsMissing += attachmentsMissing;
  to.notUnderstood += notUnderstood;
  to.recovered += recovered;
}
