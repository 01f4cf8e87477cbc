// Limits that end an agent which runs in circles, or asks for a flood of calls at once. What is refused is said to model and user. Pure.
import { createHash } from 'node:crypto';
import type { ToolResult } from '../../../../shared/model/tool';

export type LoopLimits = {
  /** Calls of one step beyond these are not run. */
  callsPerStep: number;
  /** A call that came back the same this often among the last `window` calls is not run again. */
  sameOutcome: number;
  window: number;
  /** So many rewinds among the last `window` calls lead nowhere: the digest of each is another, and its steps are gone from the path. */
  rewinds: number;
  /** So many refusals in a turn end it. */
  refusalsPerTurn: number;
};

export const defaultLoopLimits: LoopLimits = { callsPerStep: 16, sameOutcome: 4, window: 30, rewinds: 8, refusalsPerTurn: 6 };

/** A call of this turn that has its result, in order. */
export type PastCall = { name: string; key: string; outcome: string };
export type Verdict = { type: 'run' } | { type: 'refuse'; result: ToolResult };
/** `endTurn` is the sentence for the user, when the turn must end now. */
export type Guarded = { verdicts: Verdict[]; endTurn?: string | undefined };

/** `refusedBefore`: how many calls of this turn were refused in earlier steps. One verdict for each call, in order. */
export function guardCalls(
  past: readonly PastCall[],
  calls: readonly { name: string; arguments: string }[],
  refusedBefore: number,
  limits: LoopLimits = defaultLoopLimits,
): Guarded {
  const recent = past.slice(-limits.window);
  const rewinds = recent.filter((each) => each.name === 'rewind').length;
  const seen = new Map<string, number>();
  const verdicts = calls.map((call, index): Verdict => {
    if (index >= limits.callsPerStep) return refuse(`Not run: at most ${limits.callsPerStep} calls in one step`);
    const key = callKey(call.name, call.arguments);
    if (call.name === 'rewind' && rewinds >= limits.rewinds)
      return refuse(`Not run: you went back ${rewinds} times in your last ${recent.length} calls. Answer with what you know`);
    const inStep = (seen.get(key) ?? 0) + 1;
    seen.set(key, inStep);
    const before = mostCommon(recent.filter((each) => each.key === key).map((each) => each.outcome));
    if (before >= limits.sameOutcome)
      return refuse(`Not run: this call came back the same ${before} times. Try something else, or tell the user what is in the way`);
    if (inStep > limits.sameOutcome) return refuse('Not run: the same call more than once in one step');
    return { type: 'run' };
  });
  const refused = refusedBefore + verdicts.filter((verdict) => verdict.type === 'refuse').length;
  return refused > limits.refusalsPerTurn && verdicts.every((verdict) => verdict.type === 'refuse')
    ? { verdicts, endTurn: `The agent went in circles: ${refused} of its calls were refused.` }
    : { verdicts };
}

function refuse(summary: string): Verdict {
  return { type: 'refuse', result: { summary, isError: true, outcome: 'refused' } };
}

function mostCommon(outcomes: readonly string[]): number {
  const counts = new Map<string, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return Math.max(0, ...counts.values());
}

/** Equal for calls that mean the same: the order of names and white space in the arguments do not count. */
export function callKey(name: string, argumentsText: string): string {
  return hash([name, canonical(argumentsText)]);
}

/** Equal for results that say the same; how long a command took does not count. */
export function outcomeOf(result: ToolResult): string {
  const said = result.content ?? result.summary.replace(/\d+(?:\.\d+)? s\b/g, '');
  return hash([result.isError === true, said, result.images?.map((image) => image.hash) ?? [], result.stored?.hash ?? '']);
}

function hash(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex');
}

function canonical(text: string): string {
  try {
    return JSON.stringify(sorted(JSON.parse(text)));
  } catch {
    // Broken arguments are compared as they are.
    return text;
  }
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, each]) => [name, sorted(each)] as const)
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}
