// What marks a turn in the navigator: label, pin, checkpoint, and whether it runs, failed or broke off.
import type { ConversationId, MessageId } from '../../shared/model/ids';
import type { OutlineTurn } from '../../shared/model/outline';
import type { OutlineIndex, Run } from '../../shared/tree/outline';
import { type ReadableDb, select } from './database';

type Mark = Pick<OutlineTurn, 'label' | 'labelOn' | 'checkpoint' | 'pinned' | 'state'>;
/** By run, and there by the place of the turn. */
export type TurnMarks = ReadonlyMap<Run, ReadonlyMap<number, Mark>>;

type Named = { message_id: string; label: string };
type Hung = { parent_id: string };

export function marksOf(db: ReadableDb, conversationId: ConversationId, index: OutlineIndex, interrupted: ReadonlySet<string>): TurnMarks {
  const marks = new Map<Run, Map<number, Mark>>();
  const mark = (id: string, add: Mark) => {
    const spot = index.spot(id);
    if (!spot) return;
    const turns = marks.get(spot.run) ?? new Map<number, Mark>();
    marks.set(spot.run, turns);
    turns.set(spot.at, { ...turns.get(spot.at), ...add });
  };
  const all = <Row>(sql: string) => select<Row>(db, sql).all(conversationId);
  for (const row of all<Named>('SELECT message_id, label FROM checkpoints WHERE conversation_id = +? ORDER BY seq'))
    mark(row.message_id, { checkpoint: row.label });
  for (const row of all<Named>('SELECT message_id, label FROM labels WHERE conversation_id = +?'))
    mark(row.message_id, { label: row.label, labelOn: row.message_id as MessageId });
  for (const row of all<{ message_id: string }>('SELECT message_id FROM pins WHERE conversation_id = +?'))
    mark(row.message_id, { pinned: true });
  for (const id of interrupted) if (endsTurn(index, id)) mark(id, { state: 'interrupted' });
  for (const row of all<Hung>('SELECT parent_id FROM failed_turns WHERE conversation_id = +?')) mark(row.parent_id, { state: 'failed' });
  for (const row of all<Hung>('SELECT parent_id FROM live_steps WHERE conversation_id = +?')) mark(row.parent_id, { state: 'running' });
  return marks;
}

/** One that was continued did not break off for good. */
function endsTurn(index: OutlineIndex, id: string): boolean {
  const spot = index.spot(id);
  const next = spot && index.next(index.placeOf(id));
  return next === undefined || index.spotAt(next)?.at !== spot?.at;
}
