// How a call ended is said by a code, from where it ends to what windows are told (A4, A5).
import { describe, expect, it } from 'vitest';
import type { AgentId, ConversationId, MessageId, StepId, TurnId } from '../../shared/model/ids';
import type { ToolResult } from '../../shared/model/tool';
import type { Step } from '../../shared/model/transcript';
import { type StoredCall, toLiveCall } from '../store/liveCalls';
import { parseParts } from '../store/parts';
import { toMessage } from './boundary';
import { resultsOf } from './runCalls';
import { answerApproval } from './tools/approvals/answers';
import { defaultLoopLimits, guardCalls } from './tools/approvals/loopGuard';

const place = { conversationId: 'cnv_1' as ConversationId, agentId: 'helper' as AgentId };
const about = { id: 'stp_1' as StepId, messageId: 'msg_2' as MessageId, parentId: 'msg_1' as MessageId, turnId: 'trn_1' as TurnId };

const denied = () => {
  const answered = answerApproval({ needs: [] }, { type: 'deny', words: 'not this' });
  return answered.type === 'denied' ? answered.result : undefined;
};
const refused = () => {
  const [verdict] = guardCalls([], [{ name: 'read_file', arguments: '{}' }], 0, { ...defaultLoopLimits, callsPerStep: 0 }).verdicts;
  return verdict?.type === 'refuse' ? verdict.result : undefined;
};
const ends: [string, ToolResult | undefined, string | undefined][] = [
  ['denied', denied(), 'denied'],
  ['refused', refused(), 'refused'],
  ['open', undefined, 'cancelled'],
  ['failed', { summary: 'There is no such file', isError: true }, undefined],
  ['done', { summary: 'Cancelled orders.txt read' }, undefined],
];

describe('the outcome of a call', () => {
  it('A4, A5, X9: is in its result, its message and what windows see, and is left out where the tool ended by itself', () => {
    const calls = ends.map(([callId, result]): StoredCall => ({ callId, name: 'read_file', arguments: '{}', state: 'done', result }));
    const results = resultsOf(calls);
    const content = calls.map(({ callId, name, arguments: args }) => ({ type: 'toolCall' as const, callId, name, arguments: args }));
    const step: Step = { ...about, model: 'local/m', content, results, createdAt: 1 };
    const kept = parseParts(JSON.stringify(toMessage(place, step).parts));
    expect(kept.map((part) => (part.type === 'toolCall' ? [part.callId, part.outcome] : part))).toEqual(
      ends.map(([callId, , outcome]) => [callId, outcome]),
    );
    expect(results.map((result) => [result.callId, result.outcome])).toEqual(ends.map(([callId, , outcome]) => [callId, outcome]));
    const live = calls.map(toLiveCall).map((call) => [call.callId, call.outcome]);
    // A call that is still open has not ended.
    expect(live).toEqual(ends.map(([callId, result]) => [callId, result?.outcome]));
  });

  it('A4, A5: one that this program does not know is no call at all, and is kept as it was', () => {
    const odd = { type: 'toolCall', callId: 'c', name: 'read_file', arguments: '{}', outcome: 'vanished' };
    expect(parseParts(JSON.stringify([odd]))).toEqual([{ type: 'raw', source: 'database', json: JSON.stringify(odd) }]);
  });
});
