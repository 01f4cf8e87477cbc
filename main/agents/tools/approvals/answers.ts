// What the user's word on a call leads to (A4). Pure.
import type { ApprovalAnswer } from '../../../../shared/model/approval';
import { assertNever } from '../../../../shared/model/assertNever';
import type { ToolNeed, ToolResult } from '../../../../shared/model/tool';
import { scopeKey } from './policy';

/** Scope keys: `call` holds for this call alone, `conversation` for every later call of the conversation too. */
export type Answered = { type: 'granted'; call: string[]; conversation: string[] } | { type: 'denied'; result: ToolResult };

/**
 * The call is then planned anew with the keys. What it needs may have changed meanwhile (a link that leads elsewhere by now): that has
 * another key and is asked about again.
 */
export function answerApproval(pending: { needs: readonly ToolNeed[] }, answer: ApprovalAnswer): Answered {
  const keys = pending.needs.map(scopeKey);
  switch (answer.type) {
    case 'once':
      return { type: 'granted', call: keys, conversation: [] };
    case 'conversation':
      return { type: 'granted', call: keys, conversation: keys };
    case 'deny':
      return { type: 'denied', result: denied(answer.words) };
    default:
      return assertNever(answer);
  }
}

function denied(words: string): ToolResult {
  const said = words.trim();
  const summary = 'Denied by the user; it has not run';
  const result: ToolResult = { summary, isError: true, outcome: 'denied' };
  return said === '' ? result : { ...result, content: `${summary}. The user says: ${said}` };
}
