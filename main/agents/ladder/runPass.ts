// One pass: the rungs in order of cost until the request is small enough, the check, and the commit in one write (L1, L11). Nothing is written before
// the result is found good; whatever goes wrong leaves the transcript as it was.

import type { NumbersInForce } from '../../../shared/model/compaction';
import type { MessageId } from '../../../shared/model/ids';
import type { MemoryBody, MemoryRecord } from '../../../shared/model/memoryRecord';
import type { Rung, RungFailure, RunningPass } from '../../../shared/model/memoryView';
import { planDropImages } from '../../context/ladder/dropImages';
import { planElide } from '../../context/ladder/elide';
import { type FoldPlan, planFold } from '../../context/ladder/fold';
import { guardRequest, leastOutput } from '../../context/ladder/guard';
import { withinRebuilt } from '../../context/ladder/rebuilt';
import { memoryRecord, noOmissions, type Omissions, omissionRecord, type RecordFacts, weighed } from '../../context/ladder/records';
import { memoryTokens, type Weight, weigh } from '../../context/ladder/weigh';
import { builtTokens, fixedTokens } from '../../context/requestSize';
import { type Standpoint, standpointOf } from '../answering';
import { commitRecord, foldedContent, modelNow, stillStands, textHashes } from './commitRecord';
import { identifiersKept } from './identifiersKept';
import type { LadderDeps, PassOrder, PassResult } from './ladderDeps';
import { timeOn } from './timeOn';

export type PassArgs = {
  stand: Standpoint;
  numbers: NumbersInForce;
  /** Estimates are raised by what a refusal said (L16). */
  raised: number;
  order: PassOrder;
  signal: AbortSignal;
  /** Told which rung it is at. */
  onRung(rung: Rung, worker?: RunningPass['worker']): void;
};

type Run = PassArgs & { deps: LadderDeps; facts: RecordFacts; before: Weight; failures: RungFailure[]; model: ReturnType<typeof modelNow> };
/** What the free rungs left out so far. */
type Draft = { omissions: Omissions; stand: Standpoint; record: MemoryRecord | null; weight: Weight };

export async function runPass(deps: LadderDeps, args: PassArgs): Promise<PassResult> {
  const { stand, order, raised } = args;
  if (stand.records === null) return { type: 'failed', failures: [{ rung: order.rungs[0] ?? 'elide', reason: 'transcriptUnusable' }] };
  const before = weigh({ context: stand.context, raised });
  const startedAt = timeOn(stand, deps.now());
  const facts: RecordFacts = { id: deps.newId('rec'), trigger: order.trigger, turnId: stand.turnId, before, startedAt, now: startedAt };
  const run: Run = { ...args, deps, facts, before, failures: [], model: modelNow(deps, stand) };
  const draft = freeRungs(run);
  if (isEnough(run, draft.weight) && !order.isThorough) return draft.record ? commitFree(run, draft) : nothing(run);
  if (order.rungs.includes('snapshot') && order.measure === 'tokens') fail(run, 'snapshot', 'notYet');
  const folded = order.rungs.includes('summary') ? await foldRung(run, draft) : null;
  if (folded) return folded;
  if (args.signal.aborted) return { type: 'stopped' };
  if (draft.record) return commitFree(run, draft);
  return run.failures.some(({ reason }) => reason !== 'notYet') ? { type: 'failed', failures: run.failures } : nothing(run);
}

function isEnough({ order, numbers }: Run, weight: Weight): boolean {
  return order.line !== null && weight[order.measure] <= order.line * numbers.recoveryShare;
}

function nothing({ stand, failures }: Run): PassResult {
  return { type: 'nothing', why: stand.context.layout.memory ? 'already' : 'nothing', failures };
}

function fail({ deps, failures, stand }: Run, rung: Rung, reason: string): void {
  failures.push({ rung, reason });
  if (reason !== 'notYet')
    deps.publish({ type: 'context.compaction_failed', conversationId: stand.conversationId, agentId: stand.agentId, rung, reason });
}

/** The rungs that cost nothing; each only as far as it is needed. */
function freeRungs(run: Run): Draft {
  const { stand, order, numbers, before } = run;
  let draft: Draft = { omissions: noOmissions, stand, record: null, weight: before };
  if (order.rungs.includes('elide')) {
    run.onRung('elide');
    const occasion = order.trigger === 'hand' ? 'hand' : 'pass';
    const plan = planElide({
      sent: stand.context.sent,
      before: stand.context.layout.path.elided,
      pins: stand.pins,
      numbers,
      scale: before.scale,
      occasion,
    });
    if (plan) draft = withOmissions(run, { ...draft.omissions, elided: plan.elided });
  }
  if (!order.rungs.includes('images') || isEnough(run, draft.weight)) return draft;
  run.onRung('images');
  // Distance in tokens says little about bytes: where those press, any but the newest go.
  const protections = order.measure === 'bytes' ? [numbers.protectTokens, 0] : [numbers.protectTokens];
  for (const protectTokens of protections) draft = withoutImages(run, draft, protectTokens);
  return draft;
}

function withoutImages(run: Run, from: Draft, protectTokens: number): Draft {
  const { stand, numbers, before } = run;
  const { droppedImages } = from.stand.context.layout.path;
  const { sent } = from.stand.context;
  const plan = planDropImages({
    sent,
    before: droppedImages,
    pins: stand.pins,
    numbers: { ...numbers, protectTokens },
    scale: before.scale,
  });
  let draft = from;
  for (const source of ['tool', 'user'] as const) {
    if (plan[source].length === 0 || isEnough(run, draft.weight)) continue;
    draft = withOmissions(run, { ...draft.omissions, droppedImages: [...draft.omissions.droppedImages, ...plan[source]] });
  }
  return draft;
}

function withOmissions(run: Run, omissions: Omissions): Draft {
  const path = run.stand.built.map(({ id }) => id);
  const record = omissionRecord(path, { ...run.facts, now: timeOn(run.stand, run.deps.now()) }, omissions);
  const stand = withRecord(run.stand, record);
  return { omissions, stand, record, weight: weigh({ context: stand.context, raised: Math.max(run.raised, run.before.scale) }) };
}

function withRecord(stand: Standpoint, record: MemoryRecord): Standpoint {
  return standpointOf({ ...stand, records: [...(stand.records ?? []), record] });
}

function commitFree(run: Run, { record, weight }: Draft): PassResult {
  if (!record) return nothing(run);
  return commit(run, weighed(record, weight), record.receipt.createdAt, false);
}

/** The last rung: what is older than the tail becomes a card. Null where there is nothing to fold; the result of the free rungs is left then. */
async function foldRung(run: Run, draft: Draft): Promise<PassResult | null> {
  const { deps, stand, numbers, order, signal } = run;
  const plan = planFold({ sent: draft.stand.context.sent, pins: stand.pins, scale: run.before.scale, ...roomOf(run, draft) });
  if (!plan || !isWorthACard(run, draft, plan.folded)) return null;
  run.onRung('summary');
  const hopeless = refusedAnyway(run, plan);
  if (hopeless) {
    fail(run, 'summary', hopeless);
    return null;
  }
  const content = await foldedContent(deps, stand, plan.folded);
  if (!content) return { type: 'discarded' };
  const hashes = textHashes(content.messages);
  const previous = stand.context.layout.memory;
  const summary = await deps.summarize(
    {
      stand,
      numbers,
      folded: content.messages,
      steps: content.steps,
      previous,
      focus: order.focus,
      mode: order.mode,
      onWorker: (worker) => run.onRung('summary', worker),
    },
    signal,
  );
  if (summary.type === 'stopped' || signal.aborted) return { type: 'stopped' };
  const facts = { ...run.facts, now: timeOn(stand, deps.now()) };
  const kept = [...plan.kept, ...plan.tail];
  const path = stand.built.map(({ id }) => id);
  const whole = memoryRecord(path, facts, { kind: 'card', folded: plan.folded, kept, body: summary.body, previous });
  const bare = withinRebuilt({ record: whole, context: withRecord(stand, whole).context, pins: stand.pins, numbers, goal: goalOf(run) });
  const after = withRecord(stand, bare);
  const weight = weigh({ context: after.context, raised: Math.max(run.raised, run.before.scale) });
  const why = refusal(run, after, weight);
  if (why) {
    fail(run, 'summary', why);
    return null;
  }
  if (!stillStands(deps, stand, hashes)) return { type: 'discarded' };
  const { method, model, spent, cost, refused } = summary;
  const record = weighed(bare, weight, {
    method,
    ...(model === undefined ? {} : { model }),
    ...(spent ? { spent } : {}),
    ...(cost === undefined ? {} : { cost }),
    ...(refused.length > 0 ? { refused } : {}),
    ...(order.focus === null ? {} : { focus: order.focus }),
    identifiers: identifiersKept(content, after.context, summary.body.text, previous?.body?.text ?? ''),
  });
  return commit(run, record, facts.now, method === 'deterministic' && order.mode !== 'none');
}

/** What the estimate of a request must not be above: where the pass would end above its line, or leave no less than there was (L11, L13). */
function goalOf({ order, numbers, before }: Run): number | null {
  if (order.measure === 'bytes') return null;
  return (order.line === null ? before.tokens - 1 : order.line * numbers.recoveryShare) / before.scale;
}

/** What is hardly more than a card could not become smaller by one. */
function isWorthACard({ numbers }: Run, { stand: { context } }: Draft, folded: readonly MessageId[]): boolean {
  const ids = new Set(folded);
  const tokens = context.sent.reduce((sum, one) => sum + (ids.has(one.id) ? builtTokens(one, true) : 0), 0);
  return tokens >= numbers.cardTokens / 4;
}

/** Why no card could be committed, however short: then nobody is asked for one. */
function refusedAnyway(run: Run, { folded }: Pick<FoldPlan, 'folded'>): string | null {
  const { stand, facts, raised, before } = run;
  const body: MemoryBody = { text: '', pages: [], files: [], references: [] };
  const path = stand.built.map(({ id }) => id);
  const bare = memoryRecord(path, facts, { kind: 'card', folded, kept: [], body, previous: stand.context.layout.memory });
  const after = withRecord(stand, bare);
  return refusal(run, after, weigh({ context: after.context, raised: Math.max(raised, before.scale) }));
}

/** What the tail may take: the share of the line it must end under, less what is always sent and the card. */
function roomOf(
  { stand, numbers, order, before }: Run,
  { stand: { context } }: Draft,
): Pick<Parameters<typeof planFold>[0], 'numbers' | 'room' | 'limit'> {
  const { window } = numbers;
  if (order.measure === 'bytes' && order.line !== null) {
    const most = Math.floor((order.line * numbers.recoveryShare) / 2);
    return { numbers: { ...numbers, retainedBytes: Math.min(numbers.retainedBytes, most) }, room: window === null ? null : window / 2 };
  }
  const isLine = order.measure === 'tokens' && order.line !== null;
  const goal = isLine ? (order.line ?? 0) * numbers.recoveryShare : window === null ? null : window / 2;
  if (goal === null) return { numbers, room: null };
  const movable = context.layout.tail.filter(({ id, role }) => !stand.pins.has(id) && role !== 'user');
  const always =
    weigh({ context }).estimate -
    movable.reduce((sum, one) => sum + builtTokens(one, true), memoryTokens(context.layout.memory, context.price));
  const room = Math.max(0, Math.floor(goal - (always + numbers.cardTokens) * before.scale));
  const most = (tokens: number) => Math.min(tokens, room);
  const limit = window === null ? null : window - leastOutput(window) - (fixedTokens(context.request) + numbers.cardTokens) * before.scale;
  return {
    numbers: { ...numbers, retainedTokens: most(numbers.retainedTokens), retainedEnough: most(numbers.retainedEnough) },
    room,
    limit,
  };
}

/** Why it may not be committed (L11): it must be smaller in the measure that fired, and fit. */
function refusal({ before, order }: Run, stand: Standpoint, weight: Weight): string | null {
  if (weight[order.measure] >= before[order.measure]) return 'notSmaller';
  const verdict = guardRequest({ context: stand.context, weight, agent: stand.agent, model: stand.model });
  return verdict.type === 'fits' ? null : 'doesNotFit';
}

function commit({ deps, stand, failures, model }: Run, record: MemoryRecord, now: number, standIn: boolean): PassResult {
  const stored = { ...record, receipt: { ...record.receipt, createdAt: now } };
  if (!commitRecord(deps, stand, stored, model)) return { type: 'discarded' };
  return { type: 'committed', stand: withRecord(stand, stored), record: stored, failures, standIn };
}
