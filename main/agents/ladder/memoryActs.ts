// What a person does with a memory: looks at it, runs a pass by hand, undoes and redoes, changes a card, lets passes go on (M7, L19, K2, K3).
import type { Agent } from '../../../shared/model/agent';
import { cardLimits } from '../../../shared/model/compaction';
import type { ContextView } from '../../../shared/model/contextView';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../../shared/model/ids';
import type { MemoryRecord } from '../../../shared/model/memoryRecord';
import { foldedBy, memoryOnPath } from '../../../shared/model/memoryRecord';
import {
  emptyMemoryView,
  type MemoryMarks,
  type MemoryView,
  type PassEnd,
  type Rung,
  type RungPreview,
} from '../../../shared/model/memoryView';
import type { ModelInfo } from '../../../shared/model/provider';
import type { ToolDefinition } from '../../../shared/model/request';
import { estimateTokens } from '../../context/estimateTokens';
import { fixedTokens } from '../../context/requestSize';
import { wordingVersion } from '../../context/wording';
import { checkpointsOnPath } from '../../store/checkpointRows';
import { requireConversation } from '../../store/conversations';
import { depthOf, pathHolds } from '../../store/messages';
import { addPassReceipt, passReceiptsOf } from '../../store/passReceipts';
import { hasSteps } from '../../store/transcriptSteps';
import type { Standpoint } from '../answering';
import { modelOfRole } from '../askModel';
import { cardSources } from './cardSources';
import type { Ladder } from './ladder';
import type { LadderDeps, PassOrder, PassResult } from './ladderDeps';
import { contextOf, marksOf } from './memoryLooks';
import { pauseOf } from './pauses';
import { planBlocks, previewRungs } from './planView';
import { receiptOf } from './receipts';
import { timeOn } from './timeOn';

export type ActsDeps = LadderDeps & { ladder: Ladder; toolsOf(agent: Agent): readonly ToolDefinition[] };
type Where = { conversationId: ConversationId; agentId: AgentId | null };
export type Hand = { rung: Rung | null; focus: string | null };

const shownReceipts = 200;
/** Messages that are read at once for the ring. */
const shortPath = 200;
const everyRung = ['elide', 'images', 'snapshot', 'summary'] as const;

export class MemoryActs {
  readonly #deps: ActsDeps;

  constructor(deps: ActsDeps) {
    this.#deps = deps;
  }

  async view(where: Where): Promise<MemoryView> {
    const { conversationId, agent, stand } = await this.#stand(where);
    return stand ? this.#viewOf(stand) : emptyMemoryView({ conversationId, agentId: agent.id, agentName: agent.name });
  }

  /** Reads no message: a conversation that was just opened asks for it. */
  marks(where: Where): MemoryMarks {
    const agent = this.#agentOf(where);
    const { db, transcripts } = this.#deps;
    const { conversationId } = where;
    const { tipId } = requireConversation(db, conversationId);
    const place = { conversationId, agentId: agent.id };
    const records = tipId === null || !hasSteps(db, place) ? [] : [...transcripts.open(place).standing.records.values()];
    const anchors = new Set(records.map(({ anchorId }) => anchorId));
    const held = [...anchors].filter((messageId) => tipId !== null && pathHolds(db, { conversationId, tipId, messageId }));
    const depths = new Map(held.map((id) => [id, depthOf(db, id) ?? 0]));
    const inOrder = held.sort((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0));
    const path = memoryOnPath(new Set(inOrder), records, wordingVersion);
    return { ...place, agentName: agent.name, marks: marksOf(path), running: this.#deps.ladder.running(place) };
  }

  /** The ladder's measure, where it costs little: a short path, one that is built, or one that a memory shortens; null elsewhere. */
  async measure(where: Where): Promise<ContextView | null> {
    const { db, paths, ladder } = this.#deps;
    const agent = this.#agentOf(where);
    const { conversationId } = where;
    const { tipId } = requireConversation(db, conversationId);
    if (tipId === null || !hasSteps(db, { conversationId, agentId: agent.id })) return null;
    const isBuilt = paths?.get(conversationId, agent.id) !== undefined;
    if (!isBuilt && (depthOf(db, tipId) ?? 0) >= shortPath && this.marks(where).marks.length === 0) return null;
    const { stand } = await this.#stand(where);
    return stand && contextOf(stand, ladder.numbersFor(agent, stand.model), ladder.weightOf(stand));
  }

  /** What the window's measure needs where nothing is built: the lines, and what tools cost. */
  frame(agent: Agent, model: ModelInfo): { lines: ContextView['lines']; tools: number } {
    const { threshold, requestThreshold } = this.#deps.ladder.numbersFor(agent, model);
    const tools = [...this.#deps.toolsOf(agent)];
    return { lines: { threshold, requestThreshold }, tools: tools.length === 0 ? 0 : fixedTokens({ system: '', tools }) };
  }

  async sources(where: Where, recordId: RecordId, line: string): Promise<MessageId[]> {
    return cardSources(await this.#standAt(where), recordId, line);
  }

  async preview(where: Where): Promise<RungPreview[]> {
    const { stand } = await this.#stand(where);
    if (!stand) return everyRung.map((rung) => ({ rung, tokensAfter: 0, saves: 0, cost: 0, why: 'nothing' }));
    const { models, ladder } = this.#deps;
    const summarizer = models.modelInfo(modelOfRole(models, 'compaction', stand.agent.model) ?? '');
    const prices = { input: summarizer?.inputPrice, output: summarizer?.outputPrice };
    return previewRungs(stand, ladder.numbersFor(stand.agent, stand.model), ladder.weightOf(stand), prices);
  }

  /** Focus words make it a summary: no other rung has an ear for them (K1). */
  async compact(where: Where, { rung, focus }: Hand, signal: AbortSignal): Promise<PassEnd> {
    const { stand } = await this.#stand(where);
    if (!stand) return { type: 'nothing' };
    const rungs = rung ? [rung] : focus ? (['summary'] as const) : everyRung;
    return this.#byHand(stand, { rungs, isThorough: rungs.includes('summary'), focus }, signal);
  }

  async shake(where: Where, what: 'results' | 'images' | null, signal: AbortSignal): Promise<PassEnd> {
    const { stand } = await this.#stand(where);
    if (!stand) return { type: 'nothing' };
    const rungs = what === null ? (['elide', 'images'] as const) : ([what === 'results' ? 'elide' : 'images'] as const);
    return this.#byHand(stand, { rungs, isThorough: false, focus: null }, signal);
  }

  async stop(where: Where): Promise<void> {
    const agentId = this.#agentOf(where).id;
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

  /** Over the memory that holds; its files and references stay. */
  async edit(where: Where, recordId: RecordId, text: string): Promise<MemoryView> {
    const stand = await this.#standAt(where);
    const { memory } = stand.context.layout;
    if (memory?.id !== recordId) throw new FailureError(makeFailure('conflict', 'What the agent remembers has changed meanwhile.'));
    if (text.trim() === '')
      throw new FailureError(makeFailure('invalidInput', 'A card cannot be empty. Undo the pass to have the full text back.'));
    const bytes = Buffer.byteLength(text);
    if (bytes > cardLimits.mostBytes || estimateTokens(text) > cardLimits.most)
      throw new FailureError(
        makeFailure('invalidInput', 'A card is at most 8 KiB and about 3,000 tokens long.', {
          detail: { size: bytes, limit: cardLimits.mostBytes },
        }),
      );
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
    return this.#viewOf(stand);
  }

  #edited(stand: Standpoint, memory: MemoryRecord, text: string): MemoryRecord {
    const { receipt, anchorId, body } = memory;
    const now = timeOn(stand, this.#deps.now());
    const added = estimateTokens(text) - estimateTokens(body?.text ?? '');
    return {
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
        tokensBefore: receipt.tokensAfter,
        tokensAfter: Math.max(0, receipt.tokensAfter + added),
        bytesBefore: receipt.bytesAfter,
        bytesAfter: receipt.bytesAfter,
        kept: receipt.kept,
        durationMs: 0,
        createdAt: now,
        ...(stand.turnId === undefined ? {} : { turnId: stand.turnId }),
      },
    };
  }

  async #append(stand: Standpoint, entry: Parameters<LadderDeps['transcripts']['append']>[1]): Promise<MemoryView> {
    const { conversationId, agentId } = stand;
    this.#deps.transcripts.append({ conversationId, agentId }, entry);
    this.#deps.publish({ type: 'memoryChanged', conversationId, agentId });
    this.#deps.publish({ type: 'talkChanged', conversationId });
    return this.view({ conversationId, agentId });
  }

  async #byHand(stand: Standpoint, how: Pick<PassOrder, 'rungs' | 'isThorough' | 'focus'>, signal: AbortSignal): Promise<PassEnd> {
    const order: PassOrder = { trigger: 'hand', measure: 'tokens', line: null, mode: 'auto', ...how };
    return this.#endOf(await this.#deps.ladder.byHand(stand, order, signal));
  }

  #endOf(result: PassResult): PassEnd {
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
      case 'nothing':
        return { type: result.why };
      case 'failed':
        return { type: 'failed', failures: result.failures };
      case 'discarded':
        return { type: 'failed', failures: [{ rung: 'summary', reason: 'discarded' }] };
      case 'stopped':
        return { type: 'stopped' };
    }
  }

  #agentOf({ conversationId, agentId }: Where): Agent {
    const conversation = requireConversation(this.#deps.db, conversationId);
    const agent = this.#deps.models.agent(agentId ?? conversation.agentId);
    if (!agent) throw new FailureError(makeFailure('agentUnknown', 'This agent is not known here.'));
    return agent;
  }

  async #stand(where: Where): Promise<{ conversationId: ConversationId; agent: Agent; stand: Standpoint | null }> {
    const { db, models, ladder, toolsOf } = this.#deps;
    const agent = this.#agentOf(where);
    const { tipId } = requireConversation(db, where.conversationId);
    const model = models.modelInfo(agent.model ?? '') ?? { id: agent.model ?? '' };
    const stand = tipId === null ? null : await ladder.stand({ parentId: tipId, agent, model, tools: toolsOf(agent) });
    return { conversationId: where.conversationId, agent, stand };
  }

  async #standAt(where: Where): Promise<Standpoint> {
    const { stand } = await this.#stand(where);
    if (!stand) throw new FailureError(makeFailure('notFound', 'There is nothing to undo here.'));
    return stand;
  }

  #viewOf(stand: Standpoint): MemoryView {
    const { db, ladder } = this.#deps;
    const { conversationId, agentId, agent, context, parentId } = stand;
    const numbers = ladder.numbersFor(agent, stand.model);
    const weight = ladder.weightOf(stand);
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
          }
        : null,
      checkpoints: checkpointsOnPath(db, { conversationId, tipId: parentId }),
      receipts: this.#receipts(stand),
      plan: planBlocks(stand, numbers),
      tokens: weight.tokens,
      bytes: weight.bytes,
      reported: weight.reported !== null && weight.reported >= weight.tokens,
      window: numbers.window,
      lines: { threshold: numbers.threshold, requestThreshold: numbers.requestThreshold },
      pause: pauseOf(db, stand, numbers),
      running: ladder.running({ conversationId, agentId }),
      unread: path.unread.length,
    };
  }

  /** Of the records on this path, and of passes that failed on it; those of a fork or an import have no row and are told by their records. */
  #receipts(stand: Standpoint) {
    const { conversationId, agentId, built, context } = stand;
    const { holding, undone } = context.layout.path;
    const rows = passReceiptsOf(this.#deps.db, { conversationId, agentId, count: shownReceipts });
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
}
