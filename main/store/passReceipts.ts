// Receipts of passes (L17) and what pauses automatic ones (L12, L13): derived from nothing but what passes said of themselves.
import * as z from 'zod/mini';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../shared/model/ids';
import type { Receipt } from '../../shared/model/memoryRecord';
import { rungSchema } from '../../shared/model/memoryView';
import { change, type ReadableDb, select, transaction, type WritableDb } from './database';
import { readJson } from './json';

/** `thrash`: a committed pass that freed too little; `resumed`: the user's word that passes may go on. */
export type PassOutcome = 'committed' | 'failed' | 'thrash' | 'resumed';

const detailSchema = z.object({
  failures: z._default(z.array(z.object({ rung: rungSchema, reason: z.string() })), () => []),
  /** The card was made without a model, because that one failed (L12). */
  standIn: z.optional(z.boolean()),
  /** No model was to be asked: it says nothing of the summarizer (L12, L16). */
  unasked: z.optional(z.boolean()),
  parts: z.optional(z.array(z.object({ name: z.string(), tokens: z.number(), bytes: z.optional(z.number()) }))),
});
export type PassDetail = z.output<typeof detailSchema>;

export type PassRow = {
  id: string;
  conversationId: ConversationId;
  agentId: AgentId;
  /** The message under which the request was about to be sent. */
  headId: MessageId;
  recordId: RecordId | null;
  outcome: PassOutcome;
  trigger: Receipt['trigger'];
  /** `providerId/modelId` of the agent. */
  model: string;
  detail: PassDetail;
  createdAt: number;
};

type Row = {
  id: string;
  conversation_id: string;
  agent_id: string;
  head_id: string;
  record_id: string | null;
  outcome: PassOutcome;
  trigger: Receipt['trigger'];
  model: string;
  detail: string;
  created_at: number;
};

export function addPassReceipt(db: WritableDb, row: PassRow): void {
  transaction(db, () =>
    change(
      db,
      `INSERT INTO pass_receipts (id, conversation_id, agent_id, head_id, record_id, outcome, trigger, model, detail, created_at)
       VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    ).run(
      row.id,
      row.conversationId,
      row.agentId,
      row.headId,
      row.recordId,
      row.outcome,
      row.trigger,
      row.model,
      JSON.stringify(row.detail),
      row.createdAt,
    ),
  );
}

/** Newest first, at most `count`. */
export function passReceiptsOf(db: ReadableDb, args: { conversationId: ConversationId; agentId: AgentId; count: number }): PassRow[] {
  return select<Row>(db, 'SELECT * FROM pass_receipts WHERE conversation_id = ? AND agent_id = ? ORDER BY seq DESC LIMIT ?')
    .all(args.conversationId, args.agentId, args.count)
    .map((row) => ({
      id: row.id,
      conversationId: row.conversation_id as ConversationId,
      agentId: row.agent_id as AgentId,
      headId: row.head_id as MessageId,
      recordId: row.record_id as RecordId | null,
      outcome: row.outcome,
      trigger: row.trigger,
      model: row.model,
      detail: readJson(row.detail, detailSchema) ?? { failures: [] },
      createdAt: row.created_at,
    }));
}

/** Passes in a row, the newest first, that committed nothing or stood in for their summarizer, with the model that is asked now (L12). */
export function failuresInARow(rows: readonly PassRow[], model: string): number {
  let count = 0;
  for (const row of rows) {
    if (row.model !== model || row.outcome === 'resumed') break;
    // A word on a pass is no pass, and one without a model is what goes on while the others rest.
    if (row.outcome === 'thrash' || row.detail.unasked) continue;
    if (row.outcome !== 'failed' && row.detail.standIn !== true) break;
    count++;
  }
  return count;
}

/** The newest word on thrash, where the user said nothing since (L13). */
export function lastThrash(rows: readonly PassRow[], model: string): PassRow | null {
  const [newest] = rows;
  return newest?.outcome === 'thrash' && newest.model === model ? newest : null;
}
