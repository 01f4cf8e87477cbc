// What a pass leaves beside its record: a receipt, the events, and the one notice where automatic passes stop (L12, L13, L17).

import type { NumbersInForce } from '../../../shared/model/compaction';
import type { Notice } from '../../../shared/model/events';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { PassReceipt } from '../../../shared/model/memoryView';
import { guardRequest } from '../../context/ladder/guard';
import type { Weight } from '../../context/ladder/weigh';
import { addPassReceipt, failuresInARow, type PassRow, passReceiptsOf } from '../../store/passReceipts';
import type { Standpoint } from '../answering';
import type { LadderDeps, PassOrder, PassResult } from './ladderDeps';
import { biggestParts } from './pauses';

type Args = { stand: Standpoint; order: PassOrder; result: PassResult; numbers: NumbersInForce; weigh(stand: Standpoint): Weight };

/** Receipts are derived: one that cannot be written costs the pass nothing. */
export function keepReceipt(deps: LadderDeps, args: Args): void {
  const { stand, order, result } = args;
  if (result.type === 'discarded' || result.type === 'stopped') return;
  const { conversationId, agentId } = stand;
  const isByHand = order.trigger === 'hand';
  if (result.type === 'nothing') {
    if (!isByHand) stopForThrash(deps, args, stand);
    return;
  }
  const record = result.type === 'committed' ? result.record : null;
  const standIn = result.type === 'committed' && result.standIn;
  const row = rowOf(deps, args, record ? 'committed' : 'failed', record, {
    failures: result.failures,
    ...(standIn ? { standIn } : {}),
    ...(order.mode === 'none' ? { unasked: true } : {}),
  });
  add(deps, row);
  if (record) {
    deps.publish({ type: 'context.compacted', conversationId, agentId, receipt: receiptOf(row, record, []) });
    deps.publish({ type: 'memoryChanged', conversationId, agentId });
    deps.publish({ type: 'talkChanged', conversationId });
  }
  if (isByHand) return;
  if (!record || standIn) sayWhenPaused(deps, args);
  else if (result.type === 'committed' && order.line !== null && freedTooLittle(args, result.stand))
    stopForThrash(deps, args, result.stand);
}

function freedTooLittle({ order, numbers, weigh }: Args, after: Standpoint): boolean {
  return order.line !== null && weigh(after)[order.measure] > order.line * numbers.recoveryShare;
}

/** One notice for a request of the user, however many steps its turn has (L13). */
function stopForThrash(deps: LadderDeps, args: Args, at: Standpoint): void {
  const parts = biggestParts(at, args.weigh(at).scale, args.order.measure);
  const { conversationId, agentId } = at;
  const [before] = passReceiptsOf(deps.db, { conversationId, agentId, count: 10 }).filter(({ outcome }) => outcome === 'thrash');
  add(deps, rowOf(deps, args, 'thrash', null, { failures: [], parts }));
  const said = before && saidInThisTurn(at, before);
  // One that cannot be sent at all says so itself, in its failure (L14).
  if (said || !isSendable(at, args.weigh(at))) return;
  const { name = '', tokens = 0, bytes } = parts[0] ?? {};
  const what = { agent: at.agent.name, part: name };
  const notice: Notice =
    bytes === undefined
      ? { code: 'contextThrash', values: { ...what, tokens }, tone: 'warning' }
      : { code: 'contextThrashBytes', values: { ...what, bytes }, tone: 'warning' };
  deps.publish({ type: 'notice', notice });
}

function isSendable({ context, agent, model }: Standpoint, weight: Weight): boolean {
  return guardRequest({ context, weight, agent, model, bodyLimit: model.bodyLimit }).type === 'fits';
}

function saidInThisTurn({ built, turnId }: Standpoint, { headId }: PassRow): boolean {
  return turnId !== undefined && built.find(({ id }) => id === headId)?.turnId === turnId;
}

function sayWhenPaused(deps: LadderDeps, { stand, numbers }: Args): void {
  const { conversationId, agentId, agent } = stand;
  const rows = passReceiptsOf(deps.db, { conversationId, agentId, count: numbers.failuresToPause + 1 });
  if (failuresInARow(rows, agent.model ?? '') !== numbers.failuresToPause) return;
  deps.publish({
    type: 'notice',
    notice: { code: 'passesPaused', values: { agent: agent.name, count: numbers.failuresToPause }, tone: 'warning' },
  });
  deps.publish({ type: 'memoryChanged', conversationId, agentId });
}

function rowOf(
  deps: LadderDeps,
  { stand, order }: Args,
  outcome: PassRow['outcome'],
  record: MemoryRecord | null,
  detail: PassRow['detail'],
): PassRow {
  return {
    id: deps.newId('rec'),
    conversationId: stand.conversationId,
    agentId: stand.agentId,
    headId: stand.parentId,
    recordId: record?.id ?? null,
    outcome,
    trigger: order.trigger,
    model: stand.agent.model ?? '',
    detail,
    createdAt: deps.now(),
  };
}

function add({ db, logger }: LadderDeps, row: PassRow): void {
  try {
    addPassReceipt(db, row);
  } catch (error) {
    logger.log('warn', 'a receipt was not kept', { cause: error });
  }
}

/** `undone`: records that were undone since. */
export function receiptOf(
  row: Pick<PassRow, 'id' | 'agentId' | 'trigger' | 'createdAt' | 'detail'>,
  record: MemoryRecord | null,
  undone: readonly MemoryRecord[],
): PassReceipt {
  const { id, agentId, trigger, createdAt, detail } = row;
  if (!record) return { id, agentId, trigger, createdAt, failures: detail.failures, record: null };
  const { kind, anchorId, receipt, folded, elided, droppedImages } = record;
  const shown = {
    id: record.id,
    kind,
    anchorId,
    receipt,
    folded: folded.length,
    elided: elided.length,
    droppedImages: droppedImages.length,
    undone: record.undone === true,
    isOverUndone: undone.some((one) => one.id === record.previousId),
  };
  return { id, agentId, trigger, createdAt, failures: detail.failures, record: shown };
}
