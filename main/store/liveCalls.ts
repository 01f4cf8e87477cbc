// The tool calls of a running step, as they are kept with it (X9).
import * as z from 'zod/mini';
import type { CallState, LiveCall } from '../../shared/model/live';
import { type ToolNeed, type ToolResult, toolNeedSchema, toolResultSchema } from '../../shared/model/tool';
import { readJson } from './json';

/** A tool call of a running step, as far as it has come, with all of its result (X9). */
export type StoredCall = {
  callId: string;
  name: string;
  arguments: string;
  state: CallState;
  /** Asked of the user (A4). */
  needs?: ToolNeed[] | undefined;
  /** What it would change, as the user is shown it. */
  preview?: string | undefined;
  startedAt?: number | undefined;
  durationMs?: number | undefined;
  result?: ToolResult | undefined;
};
const callsSchema: z.ZodMiniType<StoredCall[]> = z.array(
  z.object({
    callId: z.string(),
    name: z.string(),
    arguments: z.string(),
    state: z.enum(['waiting', 'approved', 'running', 'done']),
    needs: z.optional(z.array(toolNeedSchema)),
    preview: z.optional(z.string()),
    startedAt: z.optional(z.number()),
    durationMs: z.optional(z.number()),
    result: z.optional(toolResultSchema),
  }),
);

/** What windows see of a call: its content is asked for when it is unfolded. */
export function toLiveCall({ callId, state, needs, preview, startedAt, durationMs, result }: StoredCall): LiveCall {
  const call: LiveCall = { callId, state };
  if (needs) call.needs = needs;
  if (preview !== undefined) call.preview = preview;
  if (startedAt !== undefined) call.startedAt = startedAt;
  if (durationMs !== undefined) call.durationMs = durationMs;
  if (result) {
    call.summary = result.summary;
    if (result.isError === true) call.isError = true;
    if (result.outcome) call.outcome = result.outcome;
  }
  return call;
}

export function parseCalls(json: string): StoredCall[] {
  return readJson(json, callsSchema) ?? [];
}
