// Looks at a memory, for which a database that can only be read is enough: its tab, dividers, the ring, what a line of a card rests on, what each
// rung would save (M7, L20, L7, K2).
import type { Agent } from '../../../shared/model/agent';
import type { ContextView } from '../../../shared/model/contextView';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import type { AgentId, ConversationId, MessageId, RecordId } from '../../../shared/model/ids';
import { memoryOnPath } from '../../../shared/model/memoryRecord';
import { emptyMemoryView, type MemoryMarks, type MemoryView, type RungPreview } from '../../../shared/model/memoryView';
import type { ModelInfo } from '../../../shared/model/provider';
import type { ToolDefinition } from '../../../shared/model/request';
import { fixedTokens } from '../../context/requestSize';
import { suitsReader } from '../../context/suits';
import { wordingVersion } from '../../context/wording';
import { requireConversation } from '../../store/conversations';
import { depthOf, pathHolds } from '../../store/messages';
import { hasSteps } from '../../store/transcriptSteps';
import { type AnsweringDeps, type Standpoint, standpointFor } from '../answering';
import { modelOfRole } from '../askModel';
import type { ModelAccess } from '../modelAccess';
import { stateOf } from '../rememberedFiles';
import { cardSources } from './cardSources';
import type { Ladder } from './ladder';
import { memoryViewOf } from './memoryViewOf';
import { previewRungs } from './planView';
import { contextOf, marksOf } from './shortLooks';
import type { Reading } from './worker/readForMemory';

/** The measure of the ladder that runs here, or of none. */
type Gauge = Pick<Ladder, 'numbersFor' | 'weightOf' | 'running'>;
export type LooksDeps = AnsweringDeps & {
  models: Pick<ModelAccess, 'agent' | 'modelInfo' | 'roles'>;
  gauge: Gauge;
  /** Of the files of the workspace. */
  reading: Reading;
  toolsOf(agent: Agent): readonly ToolDefinition[];
};
/** The agent that answers next when null. */
export type Where = { conversationId: ConversationId; agentId: AgentId | null };

/** Messages that are read at once for the ring. */
const shortPath = 200;
export const everyRung = ['elide', 'images', 'snapshot', 'summary'] as const;

export class MemoryLooks {
  readonly #deps: LooksDeps;

  constructor(deps: LooksDeps) {
    this.#deps = deps;
  }

  async view(where: Where): Promise<MemoryView> {
    const stand = await this.stand(where);
    if (stand) return this.viewOf(stand);
    const agent = this.agentOf(where);
    return emptyMemoryView({ conversationId: where.conversationId, agentId: agent.id, agentName: agent.name });
  }

  async viewOf(stand: Standpoint): Promise<MemoryView> {
    const { db, gauge, reading } = this.#deps;
    const files = stand.context.layout.memory?.body?.files ?? [];
    const states = await Promise.all(files.map((file) => stateOf(file, reading)));
    const { agent, model } = stand;
    return memoryViewOf(db, stand, {
      numbers: gauge.numbersFor(agent, model),
      weight: gauge.weightOf(stand),
      running: gauge.running(stand),
      changed: states.map((state) => state !== 'same'),
    });
  }

  /** Reads no message: a conversation that was just opened asks for it. */
  marks(where: Where): MemoryMarks {
    const agent = this.agentOf(where);
    const { db, transcripts, gauge } = this.#deps;
    const { conversationId } = where;
    const { tipId } = requireConversation(db, conversationId);
    const place = { conversationId, agentId: agent.id };
    const records = tipId === null || !hasSteps(db, place) ? [] : [...transcripts.open(place).standing.records.values()];
    const anchors = new Set(records.map(({ anchorId }) => anchorId));
    const held = [...anchors].filter((messageId) => tipId !== null && pathHolds(db, { conversationId, tipId, messageId }));
    const depths = new Map(held.map((id) => [id, depthOf(db, id) ?? 0]));
    const inOrder = held.sort((a, b) => (depths.get(a) ?? 0) - (depths.get(b) ?? 0));
    const path = memoryOnPath(new Set(inOrder), records, wordingVersion, suitsReader(this.#modelOf(agent)));
    return { ...place, agentName: agent.name, marks: marksOf(path), running: gauge.running(place) };
  }

  /** The ladder's measure, where it costs little: a short path, one that is built, or one that a memory shortens; null elsewhere. */
  async measure(where: Where): Promise<ContextView | null> {
    const { db, paths, gauge } = this.#deps;
    const agent = this.agentOf(where);
    const { conversationId } = where;
    const { tipId } = requireConversation(db, conversationId);
    if (tipId === null || !hasSteps(db, { conversationId, agentId: agent.id })) return null;
    const isBuilt = paths?.get(conversationId, agent.id) !== undefined;
    if (!isBuilt && (depthOf(db, tipId) ?? 0) >= shortPath && this.marks(where).marks.length === 0) return null;
    const stand = await this.stand(where);
    return stand && contextOf(stand, gauge.numbersFor(agent, stand.model), gauge.weightOf(stand));
  }

  /** What the window's measure needs where nothing is built: the lines, and what tools cost. */
  frame(agent: Agent, model: ModelInfo): { lines: ContextView['lines']; tools: number } {
    const { threshold, requestThreshold } = this.#deps.gauge.numbersFor(agent, model);
    const tools = [...this.#deps.toolsOf(agent)];
    return { lines: { threshold, requestThreshold }, tools: tools.length === 0 ? 0 : fixedTokens({ system: '', tools }) };
  }

  async sources(where: Where, recordId: RecordId, line: string): Promise<MessageId[]> {
    const stand = await this.stand(where);
    if (!stand) throw new FailureError(makeFailure('notFound', 'Nothing was said here yet.'));
    return cardSources(this.#deps, stand, recordId, line);
  }

  async preview(where: Where): Promise<RungPreview[]> {
    const stand = await this.stand(where);
    return stand ? this.previewOf(stand) : everyRung.map((rung) => ({ rung, tokensAfter: 0, saves: 0, cost: 0, why: 'nothing' }));
  }

  previewOf(stand: Standpoint): RungPreview[] {
    const { models, gauge } = this.#deps;
    const summarizer = models.modelInfo(modelOfRole(models, 'compaction', stand.agent.model) ?? '');
    const prices = { input: summarizer?.inputPrice, output: summarizer?.outputPrice };
    return previewRungs(stand, gauge.numbersFor(stand.agent, stand.model), gauge.weightOf(stand), prices);
  }

  agentOf({ conversationId, agentId }: Where): Agent {
    const conversation = requireConversation(this.#deps.db, conversationId);
    const agent = this.#deps.models.agent(agentId ?? conversation.agentId);
    if (!agent) throw new FailureError(makeFailure('agentUnknown', 'This agent is not known here.'));
    return agent;
  }

  #modelOf({ model }: Agent): ModelInfo {
    return this.#deps.models.modelInfo(model ?? '') ?? { id: model ?? '' };
  }

  /** At the tip; null where nothing was said yet. */
  async stand(where: Where): Promise<Standpoint | null> {
    const { db, toolsOf } = this.#deps;
    const agent = this.agentOf(where);
    const { tipId } = requireConversation(db, where.conversationId);
    const model = this.#modelOf(agent);
    return tipId === null ? null : standpointFor(this.#deps, { parentId: tipId, agent, model, tools: toolsOf(agent) });
  }
}
