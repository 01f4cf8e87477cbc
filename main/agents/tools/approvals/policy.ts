// Whether a call may run (A4): decided from the mode, what the call does, and what the user allowed before. Pure.
import type { Agent } from '../../../../shared/model/agent';
import { assertNever } from '../../../../shared/model/assertNever';
import type { ToolNeed } from '../../../../shared/model/tool';

export type ApprovalMode = Agent['approval'];

/** `ask` names only what is not allowed yet; `refuse` says why, for the model. */
export type Decision = { type: 'allow' } | { type: 'ask'; needs: ToolNeed[] } | { type: 'refuse'; why: string };

/** `grants` are scope keys: those of this conversation, and those of this one call. */
export function decide(mode: ApprovalMode, needs: readonly ToolNeed[], grants: ReadonlySet<string>): Decision {
  if (mode === 'read-only') {
    const forbidden = needs.find((need) => need.kind === 'edit' || need.kind === 'command');
    if (forbidden !== undefined) return { type: 'refuse', why: refusal(forbidden) };
  }
  const open = needs.filter((need) => !isFree(mode, need) && !keysFor(need).some((key) => grants.has(key)));
  return open.length === 0 ? { type: 'allow' } : { type: 'ask', needs: open };
}

/** What needs nobody's word in this mode. */
function isFree(mode: ApprovalMode, need: ToolNeed): boolean {
  switch (need.kind) {
    case 'read':
      return !need.outside;
    case 'edit':
      return mode === 'auto-edit' && !need.outside && !need.guarded;
    case 'command':
    case 'host':
      return false;
    default:
      return assertNever(need);
  }
}

/** Leave for a host at a private address is leave for the host: that it is private shows only after the first word. */
function keysFor(need: ToolNeed): string[] {
  return need.kind === 'host' && !need.isPrivate ? [scopeKey(need), scopeKey({ ...need, isPrivate: true })] : [scopeKey(need)];
}

function refusal(need: ToolNeed): string {
  return need.kind === 'edit'
    ? 'This agent may only read: the user has not allowed it to change files.'
    : 'This agent may only read: the user has not allowed it to run commands.';
}

/**
 * What "allow for this conversation" covers: the same path for the same kind of access, the same command line in the same folder,
 * the same host. A host that was public and now leads to a private address is another scope. Never a whole tool.
 */
export function scopeKey(need: ToolNeed): string {
  switch (need.kind) {
    case 'read':
    case 'edit':
      return `${need.kind} ${need.path}`;
    case 'command':
      // Quoted: a folder's name may hold whatever would part the two.
      return `command ${JSON.stringify([need.folder, need.line])}`;
    case 'host':
      return `host ${need.isPrivate ? 'private ' : ''}${need.host}`;
    default:
      return assertNever(need);
  }
}
