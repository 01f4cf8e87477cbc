// The only file that touches the port: connects at load and gives the typed client of the contract.
import { createORPCClient, ORPCError } from '@orpc/client';
import { RPCLink } from '@orpc/client/message-port';
import type { ContractRouterClient } from '@orpc/contract';
import type { contract } from '../shared/contract';
import { type Failure, failureCodes, makeFailure } from '../shared/model/failure';

export type Bridge = ContractRouterClient<typeof contract>;

declare global {
  interface Window {
    boughFiles?: { pathOf(file: File): string; give(file: File): Promise<string> };
  }
}

/** Resolves with the client once the preload has handed over this load's port. */
export function connectBridge(): Promise<Bridge> {
  return new Promise((resolve) => {
    window.addEventListener('message', function take(event) {
      const port = event.ports[0];
      if (event.source !== window || event.data !== 'bough:port' || !port) return;
      window.removeEventListener('message', take);
      const client: Bridge = createORPCClient(new RPCLink({ port }));
      port.start();
      // Chromium 114 loses the whole page when it is left with a port that is still listened to. After `pagehide`, which sends the last words.
      window.addEventListener('unload', () => port.close());
      resolve(client);
    });
  });
}

/** The path on disk of a dropped or picked file; empty for pasted ones. */
export function pathOfFile(file: File): string {
  return window.boughFiles?.pathOf(file) ?? '';
}

/** The same, and main takes it from then on as given by a person: to import it. */
export async function giveFile(file: File): Promise<string> {
  return (await window.boughFiles?.give(file)) ?? '';
}

/** What went wrong, as a failure with a code; a lost port or a bug becomes `internal`. */
export function failureOf(error: unknown): Failure {
  if (error instanceof ORPCError) {
    const data: unknown = error.data;
    if (isFailure(data)) return data;
    if (error.code === 'BAD_REQUEST') return makeFailure('invalidInput', error.message);
  }
  return makeFailure('internal', error instanceof Error ? error.message : String(error));
}

function isFailure(data: unknown): data is Failure {
  if (typeof data !== 'object' || data === null || !('code' in data) || !('message' in data)) return false;
  const codes: readonly string[] = failureCodes;
  return typeof data.code === 'string' && codes.includes(data.code) && typeof data.message === 'string';
}
