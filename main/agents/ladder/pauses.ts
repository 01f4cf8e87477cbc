// Why automatic passes rest for an agent in a conversation (L12, L13, L19): read from the receipts, so it holds over a restart.
import type { NumbersInForce } from '../../../shared/model/compaction';
import type { BigPart, Pause } from '../../../shared/model/memoryView';
import { isStillThrashing, restingUndo } from '../../context/ladder/due';
import { partsOf } from '../../context/ladder/guard';
import type { ReadableDb } from '../../store/database';
import { failuresInARow, lastThrash, passReceiptsOf } from '../../store/passReceipts';
import type { Standpoint } from '../answering';

/** Rows looked at: more failures than that in a row are as many as that. */
const newest = 50;

export function pauseOf(db: ReadableDb, stand: Standpoint, numbers: NumbersInForce): Pause | null {
  const undone = restingUndo(stand.context, stand.built);
  if (undone) return { why: 'undone', recordId: undone.id };
  const { conversationId, agentId, agent } = stand;
  const rows = passReceiptsOf(db, { conversationId, agentId, count: newest });
  const model = agent.model ?? '';
  const failures = failuresInARow(rows, model);
  if (failures >= numbers.failuresToPause) return { why: 'failures', count: failures };
  const thrash = lastThrash(rows, model);
  if (!thrash || !isStillThrashing(stand.built, thrash.headId)) return null;
  return { why: 'thrash', parts: thrash.detail.parts ?? [] };
}

/** The largest parts of a request in what fired, for the one notice that says what is too big (L13). */
export function biggestParts(stand: Standpoint, scale: number, measure: 'tokens' | 'bytes'): BigPart[] {
  const parts = partsOf(stand.context, scale).sort((a, b) => b[measure] - a[measure]);
  return parts.slice(0, 3).map(({ name, tokens, bytes }) => ({ name, tokens, ...(measure === 'bytes' ? { bytes } : {}) }));
}
