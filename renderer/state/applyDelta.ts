// Adds streamed text to a step's parts; applying the same delta twice changes nothing. Pure.
import type { WindowEvent } from '../../shared/model/events';
import type { LiveStep } from '../../shared/model/live';
import type { Part } from '../../shared/model/message';

export type StepDelta = Extract<WindowEvent, { type: 'stepDelta' }>;

/** Null when text before the delta is missing: the view must be fetched anew. */
export function applyDelta(step: LiveStep, delta: StepDelta): LiveStep | null {
  if (delta.index > step.parts.length) return null;
  const old = step.parts[delta.index];
  const known = old && 'text' in old ? old.text : '';
  if (known.length < delta.offset) return null;
  if (old && delta.offset + delta.text.length <= known.length) return step;
  const text = known.slice(0, delta.offset) + delta.text;
  const part: Part = delta.kind === 'text' ? { type: 'text', text } : { type: 'reasoning', text, source: delta.source };
  const parts = [...step.parts];
  parts[delta.index] = part;
  return { ...step, phase: 'streaming', retry: undefined, parts };
}
