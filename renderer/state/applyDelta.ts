// Adds what a step streams to it: text, arguments, whole parts, calls. Applying the same event twice changes nothing. Pure.
import type { WindowEvent } from '../../shared/model/events';
import type { LiveCall, LiveStep } from '../../shared/model/live';
import type { Part } from '../../shared/model/message';

export type StepDelta = Extract<WindowEvent, { type: 'stepDelta' }>;

/** Null when text before the delta is missing: the view must be fetched anew. */
export function applyDelta(step: LiveStep, delta: StepDelta): LiveStep | null {
  // A view that is ahead has the whole of what is still being told.
  if (step.calls.length > 0) return step;
  if (delta.index > step.parts.length) return null;
  const old = step.parts[delta.index];
  const known = textIn(old);
  if (known.length < delta.offset) return null;
  if (old && delta.offset + delta.text.length <= known.length) return step;
  return withPart(step, delta.index, partOf(delta, old, known.slice(0, delta.offset) + delta.text));
}

function textIn(part: Part | undefined): string {
  if (!part) return '';
  if (part.type === 'toolCall') return part.arguments;
  return 'text' in part ? part.text : '';
}

function partOf(delta: StepDelta, old: Part | undefined, text: string): Part {
  switch (delta.kind) {
    case 'text':
      return { type: 'text', text };
    case 'reasoning':
      return { type: 'reasoning', text, source: delta.source };
    case 'toolCall': {
      const known = old?.type === 'toolCall' ? old : undefined;
      const callId = delta.call?.callId ?? known?.callId ?? `call ${delta.index}`;
      return { type: 'toolCall', callId, name: delta.call?.name ?? known?.name ?? '', arguments: text };
    }
  }
}

function withPart(step: LiveStep, index: number, part: Part): LiveStep {
  const parts = [...step.parts];
  parts[index] = part;
  return { ...step, phase: 'streaming', retry: undefined, parts };
}

/** Sets a part whole. Null when a part before it is missing. */
export function applyPart(step: LiveStep, index: number, part: Part): LiveStep | null {
  if (index > step.parts.length) return null;
  const old = step.parts[index];
  if (step.calls.length > 0 || (old && JSON.stringify(old) === JSON.stringify(part))) return step;
  return withPart(step, index, part);
}

/** The call as it now is. A finished one stays finished. Null when the part it belongs to is missing. */
export function applyCall(step: LiveStep, call: LiveCall): LiveStep | null {
  const old = step.calls.find((each) => each.callId === call.callId);
  if (!old && !step.parts.some((part) => part.type === 'toolCall' && part.callId === call.callId)) return null;
  if (old && (old.state === 'done' || JSON.stringify(old) === JSON.stringify(call))) return step;
  const calls = old ? step.calls.map((each) => (each === old ? call : each)) : [...step.calls, call];
  return { ...step, phase: 'tools', retry: undefined, calls };
}
