// What tells one state of a file from another (A2): a hash of its bytes, kept with the result of the tool that read or wrote it.
import { createHash } from 'node:crypto';
import type { ToolResult } from '../../../../shared/model/tool';
import type { Place } from './confine';

export function fingerprintOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}

/** The result, and what its file holds from then on as far as the agent knows; `bytes` is null where it holds more than the agent has seen. */
export function withFile(result: ToolResult, place: Place, bytes: Uint8Array | null): ToolResult {
  return result.isError ? result : { ...result, file: { path: place.shown, sha256: bytes === null ? '' : fingerprintOf(bytes) } };
}
