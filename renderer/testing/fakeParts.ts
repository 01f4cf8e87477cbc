// What a running step's parts become in its message.
import type { LiveStep } from '../../shared/model/live';
import type { Part } from '../../shared/model/message';

/** The parts of a step as its message keeps them: calls with their results' summaries. */
export function withSummaries(step: LiveStep): Part[] {
  return step.parts.map((part) => {
    if (part.type !== 'toolCall') return part;
    const call = step.calls.find((each) => each.callId === part.callId);
    if (call?.state !== 'done') return { ...part, summary: 'Cancelled; it may have run', isError: true, outcome: 'cancelled' };
    return { ...part, summary: call.summary, isError: call.isError, outcome: call.outcome, durationMs: call.durationMs };
  });
}
