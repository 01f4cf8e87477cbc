// Which calls of an answer are told in one line: several in a row that did not run, for one and the same reason. Pure.
import type { LiveCall } from '../../../../shared/model/live';
import type { Part } from '../../../../shared/model/message';

/** Parts from `from` up to, not with, `to`. */
export type RefusedRun = { from: number; to: number; summary: string };
/** Fewer stand as lines of their own. */
const least = 3;

export function refusedRuns(parts: readonly Part[], calls: readonly LiveCall[]): RefusedRun[] {
  const runs: RefusedRun[] = [];
  parts.forEach((part, at) => {
    const summary = refusal(part, calls);
    const last = runs.at(-1);
    if (summary === null) return;
    if (last?.to === at && last.summary === summary) last.to = at + 1;
    else runs.push({ from: at, to: at + 1, summary });
  });
  return runs.filter(({ from, to }) => to - from >= least);
}

/** Why it did not run; null when it did, or was not refused. */
function refusal(part: Part, calls: readonly LiveCall[]): string | null {
  if (part.type !== 'toolCall') return null;
  const call = calls.find(({ callId }) => callId === part.callId);
  const { outcome, summary } = call?.state === 'done' ? call : part;
  return outcome === 'refused' ? (summary ?? null) : null;
}
