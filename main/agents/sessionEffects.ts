// What a step asks of its conversation (C1–C3): checkpoints and a rewind, read from its calls at the boundary, and again after a crash. Pure.
import type * as z from 'zod/mini';
import type { Step } from '../../shared/model/transcript';
import { readCallArguments } from '../lib/callArguments';
import { checkpointInput, checkpointTool } from './tools/checkpoint';
import type { SessionRequest, ToolSession } from './tools/common/definition';
import { rewindInput, rewindTool } from './tools/rewind';

/** `checkpoints` name the step's own message; `rewind` is to one that was live before the step. */
export type SessionEffects = { checkpoints: string[]; rewind?: { label: string; digest: string } | undefined };

/** A call counts when its result is no error. An interrupted step is no clean boundary and has no effects. */
export function sessionEffects(step: Pick<Step, 'content' | 'results' | 'interrupted'>): SessionEffects {
  const effects: SessionEffects = { checkpoints: [] };
  if (step.interrupted) return effects;
  const succeeded = new Set(step.results.filter((result) => !result.isError).map((result) => result.callId));
  for (const part of step.content) {
    if (part.type !== 'toolCall' || !succeeded.has(part.callId)) continue;
    if (part.name === checkpointTool.name) {
      const label = inputOf(part.arguments, checkpointInput)?.label;
      if (label !== undefined && !effects.checkpoints.includes(label)) effects.checkpoints.push(label);
    } else if (part.name === rewindTool.name) effects.rewind ??= inputOf(part.arguments, rewindInput);
  }
  return effects;
}

function inputOf<Schema extends z.ZodMiniType>(text: string, schema: Schema): z.output<Schema> | undefined {
  const read = readCallArguments(text);
  return 'value' in read ? schema.safeParse(read.value).data : undefined;
}

/**
 * The session of one step. `live` gives the checkpoints on the turn's path, from the root on; `step` is what the step holds so far, so that
 * one which goes on after a restart knows what it asked for.
 */
export function stepSession(
  live: () => readonly { label: string }[],
  step: Pick<Step, 'content' | 'results'> = { content: [], results: [] },
): ToolSession {
  const { checkpoints, rewind } = sessionEffects(step);
  const asked: SessionRequest[] = checkpoints.map((label) => ({ type: 'checkpoint', label }));
  if (rewind) asked.push({ type: 'rewind', label: rewind.label });
  return {
    checkpoints: () => [...live(), ...asked.flatMap((one) => (one.type === 'checkpoint' ? [{ label: one.label }] : []))],
    asked: () => asked,
    note: (request) => void asked.push(request),
  };
}
