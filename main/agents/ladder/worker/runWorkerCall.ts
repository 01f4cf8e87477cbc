// One call of a worker: run as every call is, with no word to be asked of anybody, and its result no longer than there is room for.
import { FailureError, makeFailure } from '../../../../shared/model/failure';
import type { ToolResult } from '../../../../shared/model/tool';
import { estimateTokens } from '../../../../shared/text/estimateTokens';
import { endsOf, leftOut } from '../../../context/digest/frame';
import type { Now } from '../../../lib/clock';
import { defaultLimits, errorResult, type Tool, type ToolContext } from '../../tools/common/definition';
import { performCall, type ToolCall } from '../../tools/registry';
import { writeSummary } from './workerTools';

export type WorkerPlace = Pick<ToolContext, 'workspace' | 'platform' | 'environment' | 'hideKeys' | 'ripgrep' | 'report'> & { now: Now };
export type CallRoom = {
  /** Tokens. */
  left: number;
  reserve: number;
  /** Why it is not run. */
  refusal: string | undefined;
};

const toolMs = 30_000;
/** Bytes of one result. */
const mostResult = 24_000;
const leastResult = 600;

/** `read`: contents that it showed. Never rejects. */
export async function runWorkerCall(
  place: WorkerPlace,
  tools: readonly Tool[],
  call: ToolCall & { callId: string },
  { left, reserve, refusal }: CallRoom,
  signal: AbortSignal,
): Promise<{ result: ToolResult; read?: string | undefined }> {
  if (refusal !== undefined) return { result: errorResult(refusal) };
  const isCard = call.name === writeSummary;
  if (left <= reserve && !isCard) return { result: errorResult(`Only ${writeSummary} is taken now: hand in the card`) };
  const end = await performCall(
    tools,
    call,
    { mode: 'read-only', grants: new Set() },
    contextOf(place, call.callId, left - reserve, signal),
  );
  if (end.type === 'ask') return { result: errorResult('It is outside the workspace and cannot be read here') };
  const { content, ...rest } = end.result;
  if (content === undefined) return { result: rest };
  return { result: { ...rest, content: shortened(content, Math.max(0, left - reserve)) }, read: content };
}

function contextOf(place: WorkerPlace, callId: string, room: number, signal: AbortSignal): ToolContext {
  const most = Math.min(mostResult, Math.max(leastResult, room * 3));
  return {
    ...place,
    callId,
    signal,
    limits: { ...defaultLimits, toolMs, outputBytes: most, shownCharacters: Math.floor(most * 0.8) },
    // Nothing of it is kept.
    blobs: { write: () => Promise.reject(new FailureError(makeFailure('internal', 'a worker keeps nothing'))) },
    canRecall: false,
    past: { read: async () => null, search: async () => [] },
    session: { checkpoints: () => [], asked: () => [], note: () => undefined },
  };
}

/** Both ends, as far as `tokens` reach. */
function shortened(text: string, tokens: number): string {
  for (let most = text.length; most > 0; most = Math.floor(most * 0.7)) {
    const { head, left, tail } = endsOf(text, most);
    const shown = left === 0 ? text : `${head}\n${leftOut(left)}\n${tail}`;
    if (estimateTokens(shown) <= tokens) return shown;
  }
  return leftOut(text.length);
}
