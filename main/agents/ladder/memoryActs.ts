// What a person does with a memory: runs a pass by hand, undoes and redoes, changes a card, lets passes go on (M7, L19, K2, K3).
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { RecordId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import type { MemoryView, PassEnd, Rung } from '../../../shared/model/memoryView';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { type CardRoom, cardRoom } from '../../context/card/shrinkCard';
import { weighed } from '../../context/ladder/records';
import { wordingVersion } from '../../context/wording';
import { addPassReceipt } from '../../store/passReceipts';
import type { Standpoint } from '../answering';
import type { Ladder } from './ladder';
import type { LadderDeps, PassOrder, PassResult } from './ladderDeps';
import { everyRung, type MemoryLooks, type Where } from './memoryLooks';
import { withRecord } from './passRun';
import { receiptOf } from './receipts';
import { timeOn } from './timeOn';

export type ActsDeps = LadderDeps & { ladder: Ladder; looks: MemoryLooks };
export type Hand = { rung: Rung | null; focus: string | null };

export class MemoryActs {
  readonly #deps: ActsDeps;

  constructor(deps: ActsDeps) {
    this.#deps = deps;
  }

  /** Focus words make it a summary: no other rung has an ear for them (K1). */
  async compact(where: Where, { rung, focus }: Hand, signal: AbortSignal): Promise<PassEnd> {
    const stand = await this.#deps.looks.stand(where);
    if (!stand) return { type: 'nothing', failures: [] };
    const rungs = rung ? [rung] : focus ? (['summary'] as const) : everyRung;
    return this.#byHand(stand, rung, { rungs, isThorough: rungs.includes('summary'), focus }, signal);
  }

  async shake(where: Where, what: 'results' | 'images' | null, signal: AbortSignal): Promise<PassEnd> {
    const stand = await this.#deps.looks.stand(where);
    if (!stand) return { type: 'nothing', failures: [] };
    const rungs = what === null ? (['elide', 'images'] as const) : ([what === 'results' ? 'elide' : 'images'] as const);
    return this.#byHand(stand, what && rungs[0], { rungs, isThorough: false, focus: null }, signal);
  }

  async stop(where: Where): Promise<void> {
    const agentId = this.#deps.looks.agentOf(where).id;
    await this.#deps.ladder.stop({ conversationId: where.conversationId, agentId });
  }

  async undo(where: Where, recordId: RecordId | null): Promise<MemoryView> {
    const stand = await this.#standAt(where);
    const { holding } = stand.context.layout.path;
    const record = recordId === null ? holding.at(-1) : stand.records?.find(({ id, undone }) => id === recordId && undone !== true);
    if (!record) throw new FailureError(makeFailure('notFound', 'There is nothing to undo here.'));
    return this.#append(stand, { type: 'undo', recordId: record.id, createdAt: timeOn(stand, this.#deps.now()) });
  }

  async redo(where: Where, recordId: RecordId): Promise<MemoryView> {
    const stand = await this.#standAt(where);
    const record = stand.records?.find(({ id, undone }) => id === recordId && undone === true);
    if (!record) throw new FailureError(makeFailure('notFound', 'There is nothing to redo here.'));
    return this.#append(stand, { type: 'redo', recordId, createdAt: timeOn(stand, this.#deps.now()) });
  }

  /** Over the card that holds; its files and references stay. */
  async edit(where: Where, recordId: RecordId, text: string): Promise<MemoryView> {
    const stand = await this.#standAt(where);
    const { memory } = stand.context.layout;
    if (memory?.id !== recordId) throw new FailureError(makeFailure('conflict', 'What the agent remembers has changed meanwhile.'));
    if (memory.kind === 'pages')
      throw new FailureError(makeFailure('invalidInput', 'Pages cannot be changed by hand. Undo them to have the full text back.'));
    if (text.trim() === '')
      throw new FailureError(makeFailure('invalidInput', 'A card cannot be empty. Undo the pass to have the full text back.'));
    requireRoom(text, cardRoom(this.#deps.ladder.numbersFor(stand.agent, stand.model).cardTokens));
    return this.#append(stand, { type: 'record', record: this.#edited(stand, memory, text) });
  }

  async resume(where: Where): Promise<MemoryView> {
    const stand = await this.#standAt(where);
    const { conversationId, agentId, parentId, agent } = stand;
    addPassReceipt(this.#deps.db, {
      id: this.#deps.newId('rec'),
      conversationId,
      agentId,
      headId: parentId,
      recordId: null,
      outcome: 'resumed',
      trigger: 'hand',
      model: agent.model ?? '',
      detail: { failures: [] },
      createdAt: this.#deps.now(),
    });
    this.#deps.publish({ type: 'memoryChanged', conversationId, agentId });
    return this.#deps.looks.viewOf(stand);
  }

  #edited(stand: Standpoint, memory: MemoryRecord, text: string): MemoryRecord {
    const { receipt, anchorId, body } = memory;
    const now = timeOn(stand, this.#deps.now());
    const before = this.#deps.ladder.weightOf(stand);
    const edited: MemoryRecord = {
      id: this.#deps.newId('rec'),
      kind: 'edit',
      anchorId,
      previousId: memory.id,
      folded: [],
      elided: [],
      droppedImages: [],
      body: { files: [], references: [], ...body, pages: [], text: text.trim() },
      wordingVersion,
      receipt: {
        trigger: 'hand',
        method: 'hand',
        tokensBefore: before.tokens,
        tokensAfter: 0,
        bytesBefore: before.bytes,
        bytesAfter: 0,
        ...(before.scale === 1 ? {} : { scale: before.scale }),
        kept: receipt.kept,
        durationMs: 0,
        createdAt: now,
        ...(stand.turnId === undefined ? {} : { turnId: stand.turnId }),
      },
    };
    return weighed(edited, this.#deps.ladder.weightOf(withRecord(stand, edited)));
  }

  async #append(stand: Standpoint, entry: Parameters<LadderDeps['transcripts']['append']>[1]): Promise<MemoryView> {
    const { conversationId, agentId } = stand;
    this.#deps.transcripts.append({ conversationId, agentId }, entry);
    this.#deps.publish({ type: 'memoryChanged', conversationId, agentId });
    this.#deps.publish({ type: 'talkChanged', conversationId });
    return this.#deps.looks.view({ conversationId, agentId });
  }

  /** `named`: the one rung that was asked for. */
  async #byHand(
    stand: Standpoint,
    named: Rung | null,
    how: Pick<PassOrder, 'rungs' | 'isThorough' | 'focus'>,
    signal: AbortSignal,
  ): Promise<PassEnd> {
    const order: PassOrder = { trigger: 'hand', measure: 'tokens', line: null, mode: 'auto', ...how };
    const result = await this.#deps.ladder.byHand(stand, order, signal);
    return result.type === 'nothing' ? this.#nothing(stand, named, result) : this.#endOf(result);
  }

  #nothing(stand: Standpoint, named: Rung | null, { why, failures }: Extract<PassResult, { type: 'nothing' }>): PassEnd {
    const isSaid = named === null || failures.some(({ rung }) => rung === named);
    const reason = isSaid ? null : this.#deps.looks.previewOf(stand).find(({ rung }) => rung === named)?.why;
    return { type: why, failures: named && reason ? [...failures, { rung: named, reason }] : failures };
  }

  #endOf(result: Exclude<PassResult, { type: 'nothing' }>): PassEnd {
    switch (result.type) {
      case 'committed': {
        const { record, failures } = result;
        const row = {
          id: record.id,
          agentId: result.stand.agentId,
          trigger: record.receipt.trigger,
          createdAt: record.receipt.createdAt,
          detail: { failures },
        };
        return { type: 'done', receipt: receiptOf(row, record, []), failures };
      }
      case 'failed':
        return { type: 'failed', failures: result.failures };
      case 'discarded':
        return { type: 'failed', failures: [{ rung: result.rung ?? 'summary', reason: 'discarded' }] };
      case 'stopped':
        return { type: 'stopped' };
    }
  }

  async #standAt(where: Where): Promise<Standpoint> {
    const stand = await this.#deps.looks.stand(where);
    if (!stand) throw new FailureError(makeFailure('notFound', 'There is nothing to undo here.'));
    return stand;
  }
}

/** Throws `invalidInput` with the limit that was passed (M1, L21). */
function requireRoom(text: string, most: CardRoom): void {
  const size = { tokens: estimateTokens(text), bytes: Buffer.byteLength(text) };
  const over = size.bytes > most.bytes ? 'bytes' : size.tokens > most.tokens ? 'tokens' : null;
  if (over === null) return;
  const message = `A card here has at most ${most.bytes} bytes and about ${most.tokens} tokens; this one has ${size.bytes} and ${size.tokens}.`;
  throw new FailureError(makeFailure('invalidInput', message, { detail: { size: size[over], limit: most[over] } }));
}
