// A memory as its tab shows it, from the place it is asked for: card, receipts, and what would be sent next (M7, L17). Reads only.
import type { NumbersInForce } from '../../../shared/model/compaction';
import { foldedBy } from '../../../shared/model/memoryRecord';
import type { MemoryView, PassReceipt, RunningPass } from '../../../shared/model/memoryView';
import type { Weight } from '../../context/ladder/weigh';
import { checkpointsOnPath } from '../../store/checkpointRows';
import type { ReadableDb } from '../../store/database';
import { passReceiptsOf } from '../../store/passReceipts';
import type { Standpoint } from '../answering';
import { pauseOf } from './pauses';
import { planBlocks } from './planView';
import { receiptOf } from './receipts';

const shownReceipts = 200;

export function memoryViewOf(
  db: ReadableDb,
  stand: Standpoint,
  { numbers, weight, running, changed }: { numbers: NumbersInForce; weight: Weight; running: RunningPass | null; changed: boolean[] },
): MemoryView {
  const { conversationId, agentId, agent, context, parentId } = stand;
  const { memory, path } = context.layout;
  return {
    conversationId,
    agentId,
    agentName: agent.name,
    memory: memory?.body
      ? {
          recordId: memory.id,
          kind: memory.kind,
          body: memory.body,
          receipt: memory.receipt,
          folded: foldedBy(memory, [...(stand.records ?? [])]).size,
          changed,
        }
      : null,
    checkpoints: checkpointsOnPath(db, { conversationId, tipId: parentId }),
    receipts: receiptsAt(db, stand),
    plan: planBlocks(stand, numbers),
    tokens: weight.tokens,
    bytes: weight.bytes,
    reported: weight.reported !== null && weight.reported >= weight.tokens,
    window: numbers.window,
    lines: { threshold: numbers.threshold, requestThreshold: numbers.requestThreshold },
    cardTokens: numbers.cardTokens,
    pause: pauseOf(db, stand, numbers),
    running,
    unread: path.unread.length,
    unsuited: path.unsuited.length,
  };
}

/** Of the records on this path, and of passes that failed on it; those of a fork or an import have no row and are told by their records. */
function receiptsAt(db: ReadableDb, { conversationId, agentId, built, context }: Standpoint): PassReceipt[] {
  const { holding, undone } = context.layout.path;
  const rows = passReceiptsOf(db, { conversationId, agentId, count: shownReceipts });
  const byRecord = new Map(rows.flatMap((row) => (row.recordId ? [[row.recordId, row]] : [])));
  const ofRecords = [...holding, ...undone].map((record) => {
    const { trigger, createdAt } = record.receipt;
    const row = byRecord.get(record.id) ?? { id: record.id, agentId, trigger, createdAt, detail: { failures: [] } };
    return receiptOf(row, record, undone);
  });
  const path = new Set(built.map(({ id }) => id));
  const failed = rows.filter(({ outcome, headId }) => outcome === 'failed' && path.has(headId)).map((row) => receiptOf(row, null, []));
  return [...ofRecords, ...failed].sort((a, b) => b.createdAt - a.createdAt).slice(0, shownReceipts);
}
