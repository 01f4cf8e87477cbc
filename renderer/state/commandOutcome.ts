// What is to be said of a slash command: that it was done, or why not (section K).
import { type Command, type CommandError, nearestTo } from '../../shared/commands';
import type { Failure } from '../../shared/model/failure';
import { talkState } from './talkStore';

type Values = Record<string, string | readonly string[]>;
/** Keys under `commands:done`. */
type Done =
  | 'fork'
  | 'checkpoint'
  | 'rewind'
  | 'rewindDigest'
  | 'retry'
  | 'agent'
  | 'agentNow'
  | 'model'
  | 'modelNow'
  | 'title'
  | 'label'
  | 'branch'
  | 'branchLabel'
  | 'copied';
/** Keys under `commands:refused`: nothing was done, and why. */
type Refused =
  | 'nothingToRetry'
  | 'nothingLoaded'
  | 'nothingHere'
  | 'notForked'
  | 'agentUnknown'
  | 'modelUnknown'
  | 'modelSeveral'
  | 'noAgent'
  | 'labelUnknown'
  | 'labelUsed'
  | 'passRuns';
export type Outcome =
  | { type: 'done'; what: Done; values: Values }
  /** `meant`: the nearest that exists; `known`: what could have been said. */
  | { type: 'refused'; what: Refused; values: Values; meant?: string | null; known?: readonly string[] }
  | { type: 'wrong'; error: CommandError }
  | { type: 'failed'; failure: Failure };

export const done = (what: Done, values: Values = {}): Outcome => ({ type: 'done', what, values });
export const refused = (what: Refused, values: Values = {}, more: { meant?: string | null; known?: readonly string[] } = {}): Outcome => ({
  type: 'refused',
  what,
  values,
  ...more,
});

/** A failure about a label is said with the labels that are live. */
export function outcomeOf(failure: Failure, command: Command): Outcome {
  const label = 'label' in command ? command.label : null;
  if (label === null || (failure.code !== 'labelUnknown' && failure.code !== 'labelUsed')) return { type: 'failed', failure };
  const known = talkState().checkpoints.map((each) => each.label);
  return refused(failure.code, { label }, { known, meant: failure.code === 'labelUnknown' ? nearestTo(label, known) : null });
}
