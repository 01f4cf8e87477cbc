// The running answer under the tip: what streams is drawn at most once a frame, and a view that comes late takes nothing back.
import type { StepId } from '../../shared/model/ids';
import type { LiveCall, LiveStep } from '../../shared/model/live';
import type { Part } from '../../shared/model/message';
import type { Ending } from '../../shared/model/talkView';
import { batchPerFrame } from './frameBatch';
import { useTalk } from './talkStore';

// What streamed since the last frame; the screen follows at most once a frame, however many batches arrive.
let fresh: LiveStep | null = null;
const liveFrames = batchPerFrame(() => {
  const step = fresh;
  fresh = null;
  if (step)
    useTalk.setState(({ ending }) => (ending?.type === 'live' && ending.step.id === step.id ? { ending: { ...ending, step } } : {}));
});
export const flushLive = () => liveFrames.flush();

/** Changes the running step under the tip, if this is the one. */
export function updateLiveStep(stepId: StepId, change: (step: LiveStep) => LiveStep): void {
  const { ending } = useTalk.getState();
  if (ending?.type !== 'live' || ending.step.id !== stepId) return;
  const step = fresh?.id === stepId ? fresh : ending.step;
  const next = change(step);
  if (next === step) return;
  noteChanges(step, next);
  fresh = next;
  liveFrames.ask();
}

// When the parts and each call of the running step were last changed by an event, counted in changes.
let changes = 0;
let changed: { stepId: StepId; parts: number; calls: Map<string, number> } | null = null;

function noteChanges(before: LiveStep, after: LiveStep): void {
  changes++;
  if (changed?.stepId !== after.id) changed = { stepId: after.id, parts: 0, calls: new Map() };
  if (before.parts !== after.parts) changed.parts = changes;
  for (const call of after.calls) if (!before.calls.includes(call)) changed.calls.set(call.callId, changes);
}

/** Taken before a view is asked for; `keepNewer` then knows what happened while it was on its way. */
export const liveMark = () => changes;

/** Events may have arrived while the view was on its way: the longer text of the same step wins, and what calls became since. */
export function keepNewer(old: Ending | null, next: Ending | null, since: number): Ending | null {
  if (old?.type !== 'live' || next?.type !== 'live' || old.step.id !== next.step.id) return next;
  const parts = newerParts(old.step, next.step, since);
  const calls = newerCalls(old.step, next.step, since);
  if (parts === next.step.parts && calls === next.step.calls) return next;
  const phase = calls.length > 0 ? 'tools' : parts === old.step.parts ? old.step.phase : next.step.phase;
  return { ...next, step: { ...next.step, parts, calls, phase } };
}

const sizeOf = (parts: readonly Part[]) =>
  parts.reduce((sum, part) => sum + ('text' in part ? part.text.length : part.type === 'toolCall' ? part.arguments.length : 0), 0);

function newerParts(old: LiveStep, next: LiveStep, since: number): Part[] {
  // Nothing was heard since the view was asked for, or with its calls the step has all its parts. A step that is tried again begins anew.
  if (changed?.stepId !== old.id || changed.parts <= since || next.calls.length > 0) return next.parts;
  return old.calls.length > 0 || sizeOf(old.parts) > sizeOf(next.parts) ? old.parts : next.parts;
}

function newerCalls(old: LiveStep, next: LiveStep, since: number): LiveCall[] {
  const known = changed?.stepId === old.id ? changed.calls : null;
  const newer = old.calls.filter((call) => (known?.get(call.callId) ?? 0) > since);
  if (newer.length === 0) return next.calls;
  const kept = next.calls.map((call) => (call.state === 'done' ? call : (newer.find((each) => each.callId === call.callId) ?? call)));
  return [...kept, ...newer.filter((call) => !next.calls.some((each) => each.callId === call.callId))];
}
