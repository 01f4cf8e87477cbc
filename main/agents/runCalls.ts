// The calls of one step, one after the other: decided, asked about, run, each state in the live row before the next thing happens (X9, A4, A5).
import type { Agent } from '../../shared/model/agent';
import type { LiveStep } from '../../shared/model/live';
import type { ToolResult } from '../../shared/model/tool';
import type { StepResult } from '../../shared/model/transcript';
import type { Now } from '../lib/clock';
import type { WritableDb } from '../store/database';
import { type StoredCall, toLiveCall } from '../store/liveCalls';
import { saveCalls, saveStep } from '../store/liveSteps';
import type { ApprovalDesk } from './approvalDesk';
import { type PatientContext, patientWrite } from './patientWrite';
import type { StepContent } from './stepContent';
import { answerApproval } from './tools/approvals/answers';
import type { Verdict } from './tools/approvals/loopGuard';
import type { Tool, ToolContext } from './tools/common/definition';
import { type Permission, performCall } from './tools/registry';

type RowContext = PatientContext & { db: WritableDb; now: Now };

export type CallsContext = RowContext & {
  desk: ApprovalDesk;
  agent: Agent;
  /** Those the agent has. */
  tools: readonly Tool[];
  /** What the user allowed for the conversation, and one more of it. */
  grants(): ReadonlySet<string>;
  allow(keys: readonly string[]): void;
  toolContext(callId: string, signal: AbortSignal): ToolContext;
};

/** Stands for the result of a call that was open when its step ended (X9). */
export const cancelledResult: ToolResult = { summary: 'Cancelled; it may have run', isError: true, outcome: 'cancelled' };

/** A call about which nothing is asked. */
const unasked = { needs: undefined, preview: undefined };

/** Calls as they begin: none has run. From here on the model is done, and a restart finds what is left (X9). */
export async function beginCalls(context: RowContext, step: LiveStep, content: StepContent, signal: AbortSignal): Promise<StoredCall[]> {
  const calls = content.calls.map(({ callId, name, arguments: args }): StoredCall => ({ callId, name, arguments: args, state: 'waiting' }));
  await patientWrite(context, () => saveStep(context.db, { stepId: step.id, content: content.content, calls, now: context.now() }), signal);
  return calls;
}

/** Runs what is not done. `verdicts` may refuse some. At Stop the rest stays open. */
export async function runCalls(
  context: CallsContext,
  step: LiveStep,
  calls: StoredCall[],
  verdicts: readonly Verdict[],
  signal: AbortSignal,
): Promise<void> {
  step.phase = 'tools';
  // One that waited for a word before a restart asks anew: nobody could answer it yet.
  for (const call of calls) if (call.state !== 'done') Object.assign(call, unasked);
  step.calls = calls.map(toLiveCall);
  for (const call of calls)
    context.publish({ type: 'callChanged', stepId: step.id, conversationId: step.conversationId, call: toLiveCall(call) });
  for (const [index, call] of calls.entries()) {
    if (signal.aborted) return;
    if (call.state === 'done') continue;
    const verdict = verdicts[index];
    const set = (change: Partial<StoredCall>) => setCall(context, { step, calls, index, signal }, change);
    if (verdict?.type === 'refuse') await set({ state: 'done', result: verdict.result, durationMs: 0 });
    else await runCall(context, step, call, set, signal);
  }
}

type SetCall = (change: Partial<StoredCall>) => Promise<boolean>;

async function runCall(context: CallsContext, step: LiveStep, call: StoredCall, set: SetCall, signal: AbortSignal): Promise<void> {
  const { agent, tools, desk } = context;
  const mine = new Set<string>();
  for (;;) {
    const permission: Permission = {
      mode: agent.approval,
      grants: new Set([...context.grants(), ...mine]),
      begin: () => set({ state: 'running', ...unasked, startedAt: context.now() }),
    };
    const end = await performCall(tools, call, permission, context.toolContext(call.callId, signal));
    if (end.type === 'done') {
      await set({ state: 'done', result: end.result, durationMs: end.durationMs });
      return;
    }
    const word = desk.ask(step.id, call.callId, signal);
    await set({ state: 'waiting', needs: end.needs, preview: end.preview, startedAt: undefined });
    const answer = await word;
    if (answer === null) return;
    const answered = answerApproval({ needs: end.needs }, answer);
    if (answered.type === 'denied') {
      await set({ state: 'done', ...unasked, result: answered.result, durationMs: 0 });
      return;
    }
    for (const key of answered.call) mine.add(key);
    if (answered.conversation.length > 0) context.allow(answered.conversation);
    await set({ state: 'approved', ...unasked });
  }
}

type Place = { step: LiveStep; calls: StoredCall[]; index: number; signal: AbortSignal };

/** In the row first, then told: what a window shows as done is kept. False when Stop came before it could be written: then nothing may run. */
async function setCall(context: CallsContext, { step, calls, index, signal }: Place, change: Partial<StoredCall>): Promise<boolean> {
  const call = calls[index];
  if (!call) return false;
  Object.assign(call, change);
  const written = await patientWrite(
    context,
    () => {
      saveCalls(context.db, { stepId: step.id, calls, now: context.now() });
      return true;
    },
    signal,
  );
  step.calls = calls.map(toLiveCall);
  context.publish({ type: 'callChanged', stepId: step.id, conversationId: step.conversationId, call: toLiveCall(call) });
  return written === true;
}

/** Every call has a result: an open one says that it may have run. */
export function resultsOf(calls: readonly StoredCall[]): StepResult[] {
  return calls.map(({ callId, result, durationMs }) => ({
    ...(result ?? cancelledResult),
    callId,
    ...(durationMs === undefined ? {} : { durationMs }),
  }));
}
