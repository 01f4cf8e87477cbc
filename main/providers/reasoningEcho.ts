// Which messages go back with the reasoning that led to them. Models differ, and change: the server's refusal decides in the end (peers research 2.7).
import type { ModelRequest } from '../../shared/model/request';
import type { Adjustment, Adjustments } from './adjust';
import { hasCalls } from './callIds';

type Policy = 'never' | 'always' | 'withTools';
/** `demanded`: the server refuses a call without reasoning. */
type Echo = 'no' | 'yes' | 'demanded';

function policyOf(request: ModelRequest, applied: Adjustments): Policy {
  const wanted = request.reasoningEcho ?? 'always';
  if (applied.has('noReasoningEcho')) return 'never';
  if (!applied.has('withReasoningEcho')) return wanted;
  return wanted === 'never' && hasCalls(request) ? 'withTools' : 'always';
}

/** For each message of the request. */
export function echoedMessages(request: ModelRequest, applied: Adjustments): Echo[] {
  const policy = policyOf(request, applied);
  const isStated = request.reasoningEcho === 'always' || request.reasoningEcho === 'withTools';
  const yes: Echo = applied.has('withReasoningEcho') || isStated ? 'demanded' : 'yes';
  const withCalls = turnsWithCalls(request);
  return request.messages.map((_, at) => (policy === 'always' || (policy === 'withTools' && withCalls[at]) ? yes : 'no'));
}

/** The other policy, as far as it would change the request. */
export function echoAdjustments(request: ModelRequest): Adjustment[] {
  const hasReasoning = request.messages.some((message) => message.parts.some((part) => part.type === 'reasoning'));
  const sends = echoedMessages(request, new Set()).some((echo) => echo !== 'no');
  return [
    ...(sends && (hasReasoning || (request.reasoningEcho !== undefined && hasCalls(request))) ? (['noReasoningEcho'] as const) : []),
    ...(request.reasoningEcho !== 'always' && (hasReasoning || hasCalls(request)) ? (['withReasoningEcho'] as const) : []),
  ];
}

/** Whether a tool was called in the turn of each message: from one message of the user to the next. */
function turnsWithCalls(request: ModelRequest): boolean[] {
  const turns: number[] = [];
  const called = new Set<number>();
  let turn = 0;
  for (const message of request.messages) {
    if (message.role === 'user') turn += 1;
    turns.push(turn);
    if (message.parts.some((part) => part.type === 'toolCall')) called.add(turn);
  }
  return turns.map((one) => called.has(one));
}
