// A card by one call to a model (M5, simple mode): asked, checked, asked once more with the reasons, and else put together without it (M3).
import type { AgentId, MessageId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';
import type { TouchedFile } from '../../../shared/model/touchedFile';
import type { Step } from '../../../shared/model/transcript';
import { estimateTokens } from '../../../shared/text/estimateTokens';
import { deterministicCard } from '../../context/card/deterministicCard';
import { requestsOf } from '../../context/card/directives';
import type { CardFault } from '../../context/card/faults';
import { cardPrompt, repairPrompt } from '../../context/card/prompts';
import type { Card } from '../../context/card/sections';
import { byNeed, cardRoom, shrinkCard } from '../../context/card/shrinkCard';
import { stayingLines } from '../../context/card/staying';
import { validateCard } from '../../context/card/validateCard';
import { boundedDigest } from '../../context/digest/boundedDigest';
import type { Task } from '../../context/tasks';
import type { WorkspacePlace } from '../../context/touchedFiles';
import { askModel, modelOfRole, type Question, type Reply } from '../askModel';
import type { ModelAccess } from '../modelAccess';
import { keptCard } from './keptCard';
import { type Spent, spentOf } from './spent';

export type SummarizeDeps = { models: Pick<ModelAccess, 'reach' | 'roles' | 'modelInfo'> };
export type SummarizeArgs = {
  /** The agent's own model, for when no role names one (M4). */
  own: string | null;
  /** Folded since the previous card, oldest first, with the agent's own steps. */
  messages: readonly Message[];
  steps: ReadonlyMap<MessageId, Step>;
  agentNames?: ReadonlyMap<AgentId, string> | undefined;
  previous: Card | null;
  /** What the person asked and is not folded, oldest first. */
  staying?: readonly Message[] | undefined;
  focus?: string | null | undefined;
  tasks: readonly Task[] | undefined;
  /** The last touched first. */
  files: readonly TouchedFile[];
  place: WorkspacePlace;
  /** In force for the window of the agent (L21). */
  cardTokens: number;
  /** Milliseconds for each try; that of `askModel` when left out. */
  timeLimit?: number | undefined;
  /** Two when left out: the second mends the first. */
  tries?: 1 | 2 | undefined;
};

/** `refused`: codes of failures and of what was wrong with answers, in their order. */
export type SimpleSummary =
  | ({ type: 'card'; text: string; card: Card; method: 'simple'; model: string; refused: string[] } & Spent)
  | ({ type: 'deterministic'; text: string; card: Card; method: 'deterministic'; refused: string[] } & Spent)
  | { type: 'stopped' };

/** Never rejects for what a model or a provider does. */
export async function summarizeSimple(deps: SummarizeDeps, args: SummarizeArgs, signal: AbortSignal): Promise<SimpleSummary> {
  const model = modelOfRole(deps.models, 'compaction', args.own);
  if (signal.aborted) return { type: 'stopped' };
  if (model === null) return withoutModel(args, ['noModel'], {});
  const info = deps.models.modelInfo(model);
  const replies: Reply[] = [];
  const refused: string[] = [];
  let question = firstQuestion(args, info?.contextWindow ?? smallestWindow);
  for (let attempt = 0; attempt < (args.tries ?? 2) && question !== null; attempt++) {
    const reply = await askModel(deps.models, model, { ...question, most: mostAnswer(args), timeLimit: args.timeLimit, signal });
    if (signal.aborted) return { type: 'stopped' };
    replies.push(reply);
    const checked = checkedCard(args, reply);
    if (checked.ok) return { type: 'card', ...checked.found, method: 'simple', model, ...spentOf(usagesOf(replies), info), refused };
    refused.push(...checked.reasons);
    question = attempt === 0 ? secondQuestion(args, info?.contextWindow ?? smallestWindow, question, reply, checked.faults) : null;
  }
  return withoutModel(args, replies.length === 0 ? ['overflowTokens'] : refused, spentOf(usagesOf(replies), info));
}

function withoutModel(args: SummarizeArgs, refused: string[], spent: Spent): SimpleSummary {
  return { type: 'deterministic', method: 'deterministic', ...deterministicCard(args), ...spent, refused };
}

/** Tokens of a window that is not known, so that the smallest readers can read it. */
export const smallestWindow = 8_192;
/** A digest of fewer tokens tells nothing. */
const leastDigest = 500;
/** Estimates are estimates. */
const margin = 0.95;

/** What is up to this long may still be shrunk by rule; the rest is not read. */
function mostAnswer({ cardTokens }: SummarizeArgs): number {
  return 2 * cardRoom(cardTokens).tokens;
}

/** Of the answer, as it is asked for: no more than a quarter of the window of the model that writes it. */
export function askedTokens({ cardTokens }: Pick<SummarizeArgs, 'cardTokens'>, window: number): number {
  return Math.min(cardRoom(cardTokens).tokens, Math.floor(window / 4));
}

/** Null where the model has not even room for the little it must be told. */
function firstQuestion(args: SummarizeArgs, window: number): Question | null {
  const { messages, steps, agentNames, place } = args;
  const cardTokens = askedTokens(args, window);
  for (const previous of previousFor(args.previous, window)) {
    const asked = { ...args, cardTokens, previous, staying: stayingLines(requestsOf(args.staying ?? []), window) };
    const { system, user } = cardPrompt({ ...asked, digest: '' });
    const room = Math.floor(window * margin) - cardTokens - estimateTokens(system) - estimateTokens(user);
    if (room < leastDigest) continue;
    // A digest takes half of the window it is given.
    const digest = boundedDigest({ messages, steps, agentNames, mode: 'simple', window: Math.min(window, room * 2), place });
    const prompt = cardPrompt({ ...asked, digest: digest.text });
    return { system: prompt.system, text: prompt.user };
  }
  return null;
}

/** Whole, else as much as a small window has room for. */
export function previousFor(previous: Card | null, window: number): (Card | null)[] {
  return previous === null ? [null] : [previous, shrinkCard(previous, cardRoom(Math.floor(window / 6)), byNeed)];
}

/** After a bad answer the same with the reasons; after too large a request half of it; after what may pass the same again; else none. */
function secondQuestion(args: SummarizeArgs, window: number, first: Question, reply: Reply, faults: readonly CardFault[]): Question | null {
  if (reply.type === 'failed') {
    const { code, retryable } = reply.failure;
    if (code === 'overflowTokens' || code === 'overflowBytes') return firstQuestion(args, Math.floor(window / 2));
    return retryable && code !== 'timeout' ? first : null;
  }
  const text = 'text' in reply ? reply.text : '';
  const asked = askedTokens(args, window);
  const used = estimateTokens(first.system) + estimateTokens(first.text) + asked;
  const room = Math.min(asked, Math.floor(window * margin) - used - repairWords);
  return { system: first.system, text: `${first.text}\n\n${repairPrompt(text, faults, Math.max(0, room))}` };
}

const repairWords = 150;

type Checked = { ok: true; found: { card: Card; text: string } } | { ok: false; reasons: string[]; faults: CardFault[] };

function checkedCard(args: SummarizeArgs, reply: Reply): Checked {
  const bad = (...faults: CardFault[]): Checked => ({ ok: false, reasons: faults, faults });
  if (reply.type === 'failed') return { ok: false, reasons: [reply.failure.code], faults: [] };
  if (reply.type === 'empty') return bad('emptyAnswer');
  if (reply.type === 'oversized') return bad('oversized');
  if (reply.type === 'cut') return bad(reply.finish === 'filtered' ? 'refused' : 'cut');
  const checked = validateCard(reply.text, args);
  if (!checked.ok) return bad(...checked.reasons);
  return { ok: true, found: keptCard(args, checked.card) };
}

function usagesOf(replies: readonly Reply[]) {
  return replies.flatMap(({ usage }) => usage ?? []);
}
