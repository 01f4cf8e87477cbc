// N6: the navigator's tree, beside the bare reading of its skeleton; and what one more message costs it.
import { change, connectionOf, type WritableDb } from '../../../main/store/database';
import { appendMessage } from '../../../main/store/messages';
import { readOutline } from '../../../main/store/outline';
import { outlineIndexOf } from '../../../main/store/outlineIndex';
import type { MessageId } from '../../../shared/model/ids';
import { outlineRows } from '../../../shared/tree/outlineRows';
import type { Measurement } from '../goals';
import { contest, type Effort, type Work } from '../measure';
import { conversationNamed, type Target } from './targets';

const skeleton = (db: WritableDb, { conversationId }: Target): Work => {
  const read = connectionOf(db).prepare<[string], { id: string }>(
    'SELECT seq, id, parent_id, role, turn_id FROM messages WHERE conversation_id = ? ORDER BY seq',
  );
  return () => {
    if (read.all(conversationId).length === 0) throw new Error('There is no skeleton.');
  };
};

/** From nothing: what was kept is of another conversation each time. */
function whole(db: WritableDb, { conversationId }: Target): { ours: Work; between: () => void } {
  const other = conversationNamed(db, 'cnv_bench_short0');
  const choice = { open: new Set<string>(), extra: new Map(), filter: 'all' as const, hits: null };
  return {
    between: () => void outlineIndexOf(db, other.conversationId),
    ours: () => {
      if (outlineRows(readOutline(db, { conversationId }), choice).length === 0) throw new Error('There are no rows.');
    },
  };
}

/** The kept tree takes in a message that was added. */
function oneMore(db: WritableDb, target: Target): { ours: Work; between: () => void } {
  let parentId = target.tipId;
  let made = 0;
  const { conversationId } = target;
  return {
    between: () => {
      const id = `msg_bench_outline${++made}` as MessageId;
      const parts = [{ type: 'text' as const, text: 'More.' }];
      appendMessage(db, { message: { id, conversationId, parentId, role: 'user', status: 'complete', parts, createdAt: 1 }, tip: 'stay' });
      parentId = id;
    },
    ours: () => void outlineIndexOf(db, conversationId),
  };
}

export function measureOutline(db: WritableDb, effort: Effort): Measurement[] {
  const long = conversationNamed(db, 'cnv_bench_long0');
  const floor = skeleton(db, long);
  const size =
    connectionOf(db)
      .prepare<[string], number>('SELECT count(*) FROM messages WHERE conversation_id = ?')
      .pluck()
      .get(long.conversationId) ?? 0;
  const shown = size.toLocaleString('en');
  const first = contest({ ...whole(db, long), floor }, effort);
  const added = contest({ ...oneMore(db, long), floor }, effort);
  const { length } = connectionOf(db)
    .prepare<[string], string>('SELECT id FROM messages WHERE id GLOB ?')
    .pluck()
    .all('msg_bench_outline*');
  if (length === 0) throw new Error('No message was added.');
  change(db, `DELETE FROM messages WHERE id GLOB 'msg_bench_outline*'`).run();
  return [
    {
      id: 'N6',
      operation: `navigator, ${shown} messages: all rows, floor: the skeleton`,
      unit: 'ms',
      ...first,
      goal: { kind: 'absolute', max: 50, floorThen: 13 },
    },
    { id: 'N6', operation: 'the same when one message was added', unit: 'ms', ...added, goal: { kind: 'absolute', max: 1 } },
  ];
}
