// Tool calls of a running step in a main in memory: written, run, answered, as its events tell a window.
import type { StepId } from '../../shared/model/ids';
import type { LiveCall } from '../../shared/model/live';
import type { Part } from '../../shared/model/message';
import type { ToolResult } from '../../shared/model/tool';
import type { FakeMain } from './fakeMain';

/** Grows the arguments of the call `callId` (its part is made with the first piece) and tells the window. */
export function streamCall(main: FakeMain, stepId: StepId, call: { callId: string; name: string }, text: string): void {
  const step = main.live.get(stepId);
  if (!step) return;
  const at = step.parts.findIndex((part) => part.type === 'toolCall' && part.callId === call.callId);
  const known = step.parts[at];
  const old = known?.type === 'toolCall' ? known.arguments : '';
  const index = at === -1 ? step.parts.length : at;
  const parts = [...step.parts];
  parts[index] = { type: 'toolCall', ...call, arguments: old + text };
  main.live.set(stepId, { ...step, phase: 'streaming', parts });
  const { conversationId } = step;
  main.emit({ type: 'stepDelta', stepId, conversationId, index, kind: 'toolCall', call, offset: old.length, text });
}

/** Sets a part whole: the arguments of a call are complete. */
export function setPart(main: FakeMain, stepId: StepId, index: number, part: Part): void {
  const step = main.live.get(stepId);
  if (!step) return;
  const parts = [...step.parts];
  parts[index] = part;
  main.live.set(stepId, { ...step, phase: 'streaming', parts });
  main.emit({ type: 'stepPart', stepId, conversationId: step.conversationId, index, part });
}

/** Changes (or begins) a call of a step and tells the window. */
export function setCall(main: FakeMain, stepId: StepId, callId: string, change: Partial<LiveCall>): void {
  const step = main.live.get(stepId);
  if (!step) return;
  const known = step.calls.find((call) => call.callId === callId);
  const call: LiveCall = { ...(known ?? { callId, state: 'waiting' }), ...change };
  const calls = known ? step.calls.map((each) => (each.callId === callId ? call : each)) : [...step.calls, call];
  main.live.set(stepId, { ...step, phase: 'tools', calls });
  main.emit({ type: 'callChanged', stepId, conversationId: step.conversationId, call });
}

/** A call has its result: `talk.callResult` gives it from now on. */
export function endCall(main: FakeMain, stepId: StepId, callId: string, result: ToolResult, durationMs = 120): void {
  main.results.set(callId, { ...result, durationMs });
  const { summary, isError, outcome } = result;
  setCall(main, stepId, callId, { state: 'done', needs: undefined, preview: undefined, summary, isError, outcome, durationMs });
}
