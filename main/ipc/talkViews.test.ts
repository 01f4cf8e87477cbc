// Marks of a slice that only main can set.
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentId, StepId } from '../../shared/model/ids';
import { appendMessage, readSlice } from '../store/messages';
import { cnv, makeMessage, makeStore, msg, plant, type TestStore } from '../store/storeFixture';
import { addTranscriptStep } from '../store/transcriptSteps';
import { withRetold } from './talkViews';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

it('X7: an answer that its agent’s transcript lacks is marked as retold, and nothing else is', () => {
  const { db } = test;
  const transcripts = { lacks: (id: string) => id === msg('cut') };
  const agentId = 'me' as AgentId;
  plant(db, ['q']);
  for (const [name, parent] of [
    ['whole', 'q'],
    ['lost', 'whole'],
  ] as const)
    appendMessage(db, { message: makeMessage(name, parent, { role: 'assistant', agentId }), tip: 'follow' });
  appendMessage(db, { message: makeMessage('imported', 'lost', { role: 'assistant' }), tip: 'follow' });
  appendMessage(db, { message: makeMessage('cut', 'imported', { role: 'assistant', agentId }), tip: 'follow' });
  addTranscriptStep(db, { stepId: 'stp_cut' as StepId, messageId: msg('cut'), conversationId: cnv('1'), agentId, file: 1 });
  addTranscriptStep(db, { stepId: 'stp_whole' as StepId, messageId: msg('whole'), conversationId: cnv('1'), agentId, file: 1 });
  const slice = readSlice(db, { tipId: msg('cut'), offset: 0, count: 9 });
  expect(withRetold({ db, transcripts }, slice).items.map(({ retold }) => retold)).toEqual([undefined, undefined, true, undefined, true]);
  expect(slice.items.some(({ retold }) => retold)).toBe(false);
});
