// A turn: steps one after the other until an answer without calls, each stored before the next begins (X2, T12).
import type { Agent } from '../../shared/model/agent';
import { type Failure, makeFailure } from '../../shared/model/failure';
import type { ConversationId, MessageId, NewId, TurnId } from '../../shared/model/ids';
import type { FailedTurn, LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest } from '../../shared/model/request';
import type { Step, StepResult } from '../../shared/model/transcript';
import type { StoredCall } from '../store/liveCalls';
import { type BoundaryDeps, boundaryOf, type Follow, type StepEnd, stepOf } from './boundary';
import { patientWrite } from './patientWrite';
import { beginCalls, type CallsContext, resultsOf, runCalls } from './runCalls';
import { callModel, type ModelEnd, type StepContext } from './runStep';
import { StepContent } from './stepContent';
import { effectsOf, steeredMessages } from './stepFollow';
import { callKey, guardCalls, outcomeOf, type PastCall } from './tools/approvals/loopGuard';

export type TurnDeps = Omit<StepContext, 'buildRequest' | 'recover'> &
  BoundaryDeps & {
    newId: NewId;
    requestFor(step: LiveStep, agent: Agent, model: ModelInfo, signal: AbortSignal): Promise<ModelRequest>;
    /** L16. */
    recover(step: LiveStep, agent: Agent, model: ModelInfo, failure: Failure, signal: AbortSignal): Promise<boolean>;
    /** `held`: what the step holds before its calls go on. */
    callsContext(step: LiveStep, agent: Agent, held: Resumed): CallsContext;
  };

export type TurnRun = {
  conversationId: ConversationId;
  turnId: TurnId;
  /** The step that runs now; its parent is the turn's head. */
  step: LiveStep;
  agent: Agent;
  /** Those that answer after it, in order (A1). */
  others: Agent[];
  signal: AbortSignal;
  /** What the loop guard needs to know of this turn. */
  past: PastCall[];
  refused: number;
};

/** A step that was waiting for the user's word when the program ended (A4). */
export type Resumed = { content: StepContent; calls: StoredCall[] };

/** `waits`: for the user's word, also after the program is started again (A4). */
export type TurnEnd = {
  type: 'answered' | 'failed' | 'stopped' | 'waits';
  head: MessageId;
  /** What the last step became; null for a failed turn. */
  messageId: MessageId | null;
};

/** Why a signal aborts when the program ends rather than the user stops a turn. */
export const closing = 'closing';

export async function runTurn(deps: TurnDeps, run: TurnRun, resumed?: Resumed): Promise<TurnEnd> {
  for (let resume = resumed; ; resume = undefined) {
    const { step } = run;
    const end = resume ? await runTools(deps, run, resume, {}) : await runStep(deps, run);
    if (!end) return { type: 'waits', head: step.parentId, messageId: null };
    const follow = (await patientWrite(deps, boundaryOf(deps, step, end.stored))) ?? {};
    const messageId = end.stored.type === 'step' ? end.stored.step.messageId : null;
    const { next } = follow;
    if (!next) return { type: end.turn, head: messageId ?? step.parentId, messageId };
    deps.publish({ type: 'stepEnded', stepId: step.id, conversationId: step.conversationId, messageId, goesOn: true });
    run.step = next;
    if (end.nextAgent) Object.assign(run, { agent: end.nextAgent, others: run.others.slice(1), past: [], refused: 0 });
    deps.publish({ type: 'stepStarted', step: { ...next } });
    deps.publish({ type: 'talkChanged', conversationId: step.conversationId });
  }
}

type Ended = { stored: StepEnd; turn: TurnEnd['type']; nextAgent?: Agent | undefined };
type Facts = Pick<Step, 'usage' | 'finish' | 'durationMs'>;

async function runStep(deps: TurnDeps, run: TurnRun): Promise<Ended | null> {
  const { step, signal } = run;
  const content = new StepContent();
  const context: StepContext = {
    ...deps,
    buildRequest: (model) => deps.requestFor(step, run.agent, model, signal),
    recover: (failure, model) => deps.recover(step, run.agent, model, failure, signal),
  };
  const end = await callModel(context, step, content, signal);
  const durationMs = Math.max(0, deps.now() - step.startedAt);
  const facts: Facts = { usage: content.usage, finish: cutOf(end), durationMs };
  if (end.type === 'failed') return broken(deps, run, content, facts, end.failure);
  if (content.calls.length === 0) return answered(deps, run, content, facts);
  const calls = await beginCalls(deps, step, content, signal);
  return runTools(deps, run, { content, calls }, facts);
}

async function runTools(deps: TurnDeps, run: TurnRun, { content, calls }: Resumed, facts: Facts): Promise<Ended | null> {
  const { step, signal } = run;
  const guarded = guardCalls(run.past, calls, run.refused);
  await runCalls(deps.callsContext(step, run.agent, { content, calls }), step, calls, guarded.verdicts, signal);
  if (signal.reason === closing && waitsForWord(calls)) return null;
  const done = doneStep(deps, step, content, facts, resultsOf(calls));
  // A call that Stop ended may have a result, of what it had done so far: its step broke off all the same (X9).
  if (signal.aborted || calls.some((call) => call.state !== 'done'))
    return { stored: { type: 'step', step: { ...done, interrupted: true } }, turn: 'stopped' };
  for (const call of calls)
    if (call.result) run.past.push({ name: call.name, key: callKey(call.name, call.arguments), outcome: outcomeOf(call.result) });
  run.refused += guarded.verdicts.filter((verdict) => verdict.type === 'refuse').length;
  const effects = () => effectsOf(deps, step, done);
  if (guarded.endTurn) {
    const turn = failedTurn(deps, run, done.messageId, makeFailure('agentLoop', guarded.endTurn, { retryable: true }));
    return { stored: { type: 'step', step: done, follow: () => ({ ...effects(), failed: turn }) }, turn: 'failed' };
  }
  return { stored: { type: 'step', step: done, follow: (message) => goOn(deps, run, message, effects()) }, turn: 'answered' };
}

/** Nothing runs, and the next thing is the user's word (A4, X9). */
export function waitsForWord(calls: readonly StoredCall[]): boolean {
  const open = calls.find((call) => call.state !== 'done');
  return open?.state === 'waiting' && open.needs !== undefined;
}

/** The final answer of this agent; another may be asked to answer after it. */
function answered(deps: TurnDeps, run: TurnRun, content: StepContent, facts: Facts): Ended {
  const step = doneStep(deps, run.step, content, facts, []);
  const nextAgent = run.signal.aborted ? undefined : run.others[0];
  const follow = nextAgent && ((message: Message): Follow => goOn(deps, { ...run, agent: nextAgent }, message, {}));
  return { stored: { type: 'step', step, follow }, turn: 'answered', nextAgent };
}

/** What came before the failure, or Stop, is kept; where nothing came the turn failed (X8, X9). */
function broken(deps: TurnDeps, run: TurnRun, content: StepContent, facts: Facts, failure: Failure): Ended {
  const { step, signal } = run;
  if (content.isEmpty && !signal.aborted) {
    return { stored: { type: 'failed', turn: failedTurn(deps, run, step.parentId, failure) }, turn: 'failed' };
  }
  const results = resultsOf(content.calls.map((call): StoredCall => ({ ...call, state: 'waiting' })));
  const done = doneStep(deps, step, content, facts, results);
  const why = signal.aborted ? {} : { failure };
  return { stored: { type: 'step', step: { ...done, interrupted: true, ...why } }, turn: signal.aborted ? 'stopped' : 'failed' };
}

/** The next step under this one: under the digest where it asked for a rewind, under what was steered in. */
function goOn(deps: TurnDeps, run: TurnRun, message: Message, effects: Follow): Follow {
  const digest = effects.after ?? [];
  const { messages, sent } = steeredMessages(deps, run.step, digest.at(-1)?.id ?? message.id);
  const after = [...digest, ...messages];
  const next = makeLiveStep(deps, { ...run.step, parentId: after.at(-1)?.id ?? message.id }, run.agent);
  return { ...effects, after, sent, next };
}

export function makeLiveStep(
  { newId, now }: { newId: NewId; now(): number },
  { conversationId, parentId, turnId }: Pick<LiveStep, 'conversationId' | 'parentId' | 'turnId'>,
  agent: Agent,
): LiveStep {
  return {
    id: newId('stp'),
    conversationId,
    parentId,
    turnId,
    agentId: agent.id,
    model: agent.model ?? '',
    parts: [],
    calls: [],
    phase: 'connecting',
    startedAt: now(),
  };
}

function failedTurn({ newId, now }: TurnDeps, { step }: TurnRun, parentId: MessageId, failure: Failure): FailedTurn {
  const { conversationId, turnId, agentId, model } = step;
  return { id: newId('fld'), conversationId, parentId, turnId, agentId, model, failure, createdAt: now() };
}

function doneStep({ now }: TurnDeps, live: LiveStep, content: StepContent, facts: Facts, results: StepResult[]): Step {
  return { ...stepOf(live), content: content.content, results, ...facts, createdAt: now() };
}

function cutOf(end: ModelEnd): 'length' | 'filtered' | undefined {
  return end.type === 'done' && (end.finish === 'length' || end.finish === 'filtered') ? end.finish : undefined;
}
