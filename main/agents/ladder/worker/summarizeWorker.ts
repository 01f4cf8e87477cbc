// A card by a worker (M5): its own, or its last one, however it ended; else one try without tools, else put together without a model.
import type { NumbersInForce } from '../../../../shared/model/compaction';
import type { Failure } from '../../../../shared/model/failure';
import type { RunningPass } from '../../../../shared/model/memoryView';
import { estimateTokens } from '../../../../shared/text/estimateTokens';
import { deterministicCard } from '../../../context/card/deterministicCard';
import { requestsOf } from '../../../context/card/directives';
import { cardPrompt } from '../../../context/card/prompts';
import { stayingLines } from '../../../context/card/staying';
import { boundedDigest } from '../../../context/digest/boundedDigest';
import { modelOfRole } from '../../askModel';
import { keptCard } from '../keptCard';
import { type Chosen, nothingChosen } from '../references';
import { type Spent, spentOf, together } from '../spent';
import {
  askedTokens,
  previousFor,
  type SimpleSummary,
  type SummarizeArgs,
  type SummarizeDeps,
  smallestWindow,
  summarizeSimple,
} from '../summarize';
import { type WorkerBudget, workerBudget } from './budget';
import { runWorker, type WorkerEnd } from './runWorker';
import type { WorkerPlace } from './runWorkerCall';
import { WorkerDesk } from './workerDesk';

export type WorkerArgs = SummarizeArgs & {
  numbers: Pick<NumbersInForce, 'workerSteps' | 'workerTokens' | 'workerWarning' | 'workerReserve' | 'autoReadTokens'>;
  tools: WorkerPlace;
  onWorker(worker: RunningPass['worker']): void;
};
type Written = { type: 'card'; text: string; method: 'worker'; model: string; refused: string[] } & Spent;
export type WorkerSummary = ((Written | Exclude<SimpleSummary, { type: 'stopped' }>) & { chosen: Chosen }) | { type: 'stopped' };

/** Milliseconds for each answer. */
const usualLimit = 120_000;
/** A digest of fewer tokens tells nothing. */
const leastDigest = 500;
/** What the definitions of its tools take. */
const toolTokens = 600;

/** Never rejects for what a model or a provider does. */
export async function summarizeWorker(deps: SummarizeDeps, args: WorkerArgs, signal: AbortSignal): Promise<WorkerSummary> {
  const model = modelOfRole(deps.models, 'compaction', args.own);
  const info = model === null ? null : deps.models.modelInfo(model);
  const window = info?.contextWindow ?? smallestWindow;
  const budget = workerBudget(args.numbers, window, askedTokens(args, window));
  const prompt = info?.tools === false ? null : promptOf(args, window, budget);
  if (model === null || prompt === null) return withChoice(await summarizeSimple(deps, args, signal), nothingChosen, [], {});
  const desk = new WorkerDesk({ cardTokens: args.cardTokens, autoReadTokens: args.numbers.autoReadTokens });
  const { models } = deps;
  const { tools: place, onWorker, timeLimit = usualLimit } = args;
  const end = await runWorker({ models, place, model, prompt, budget, desk, hasFiles: args.files.length > 0, timeLimit, onWorker }, signal);
  if (signal.aborted) return { type: 'stopped' };
  const spent = spentOf(end.usages, info);
  const chosen: Chosen = { files: [...desk.files], references: desk.references };
  if (desk.card) {
    const { text } = keptCard(args, desk.card, [...end.read, ...desk.files.map((file) => file.text)]);
    return { type: 'card', text, method: 'worker', model, chosen, refused: end.refused, ...spent };
  }
  return withChoice(await lastTry(deps, args, end, signal), chosen, end.refused, spent);
}

/** Once more without tools, where that may help (M3). */
async function lastTry(deps: SummarizeDeps, args: WorkerArgs, { failure }: WorkerEnd, signal: AbortSignal): Promise<SimpleSummary> {
  if (failure === null || mayHelp(failure)) return summarizeSimple(deps, { ...args, tries: 1 }, signal);
  return { type: 'deterministic', method: 'deterministic', ...deterministicCard(args), refused: [] };
}

const other = new Set(['toolsRefused', 'overflowTokens', 'overflowBytes', 'refused', 'badRequest']);

/** After a time-out or a refused key it would cost minutes or change nothing. */
function mayHelp({ code, retryable }: Failure): boolean {
  return other.has(code) || (retryable && code !== 'timeout');
}

function withChoice(made: SimpleSummary, chosen: Chosen, refused: readonly string[], before: Spent): WorkerSummary {
  if (made.type === 'stopped') return made;
  return { ...made, chosen, refused: [...refused, ...made.refused], cost: undefined, ...together(before, made) };
}

/** Null where its model has no room for a digest and the work. */
function promptOf(args: WorkerArgs, window: number, budget: WorkerBudget): { system: string; user: string } | null {
  const { messages, steps, agentNames, place, numbers } = args;
  const worker = { tokens: budget.tokens, autoReadTokens: numbers.autoReadTokens };
  for (const previous of previousFor(args.previous, window)) {
    const staying = stayingLines(requestsOf(args.staying ?? []), window);
    const asked = { ...args, cardTokens: askedTokens(args, window), previous, staying, worker };
    const bare = cardPrompt({ ...asked, digest: '' });
    const room = budget.tokens - budget.warning - toolTokens - estimateTokens(bare.system) - estimateTokens(bare.user);
    if (room < leastDigest * 2) continue;
    // A digest takes half of the window it is given: the other half is for the work.
    const digest = boundedDigest({ messages, steps, agentNames, mode: 'worker', window: Math.min(window, room), place });
    return cardPrompt({ ...asked, digest: digest.text });
  }
  return null;
}
