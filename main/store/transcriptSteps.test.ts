// Which messages a transcript lacks (X7).
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { AgentId, StepId } from '../../shared/model/ids';
import { asReadable } from './database';
import { appendMessage, readPath } from './messages';
import { cnv, makeMessage, makeStore, msg, plant, type TestStore } from './storeFixture';
import { addTranscriptStep, lackingSteps, transcriptStepsOf } from './transcriptSteps';

let test: TestStore;
const me = 'me' as AgentId;
beforeEach(() => {
  test = makeStore();
  plant(test.db, ['q']);
  const add = (name: string, parent: string, more: Parameters<typeof makeMessage>[2]) =>
    appendMessage(test.db, { message: makeMessage(name, parent, { role: 'assistant', ...more }), tip: 'follow' });
  add('whole', 'q', { agentId: me });
  add('lost', 'whole', { agentId: me });
  add('imported', 'lost', {});
  add('edited', 'imported', { agentId: me, edited: true });
  add('wrong', 'edited', { agentId: me });
  const step = (name: string, agentId: AgentId, file: number) =>
    addTranscriptStep(test.db, { stepId: `stp_${name}` as StepId, messageId: msg(name), conversationId: cnv('1'), agentId, file });
  step('whole', me, 2);
  step('wrong', 'other' as AgentId, 1);
});
afterEach(() => test.remove());

it('X7: an answer of an agent without its step, or with that of another, is lacking; imported, edited and user messages are not', () => {
  expect([...lackingSteps(test.db, readPath(test.db, msg('wrong')))]).toEqual([msg('lost'), msg('wrong')]);
  expect(lackingSteps(test.db, []).size).toBe(0);
});

it('X3: the steps of many messages are those of their agent', () => {
  const messageIds = readPath(test.db, msg('wrong')).map(({ id }) => id);
  expect(transcriptStepsOf(test.db, { messageIds, agentId: me })).toEqual([{ messageId: msg('whole'), stepId: 'stp_whole', file: 2 }]);
});

it('X7, N1: one query by index for a slice', () => {
  const seen: string[] = [];
  const spied = new Database(test.file, { verbose: (text) => seen.push(String(text)) });
  try {
    const path = readPath(test.db, msg('wrong'));
    lackingSteps(asReadable(spied), path);
    expect(seen).toHaveLength(1);
    const plan = spied
      .prepare<[], { detail: string }>(`EXPLAIN QUERY PLAN ${seen[0]}`)
      .all()
      .map(({ detail }) => detail);
    expect(plan.filter((line) => line.includes('transcript_steps') || line.includes(' t '))).toEqual([
      expect.stringMatching(/^SEARCH t USING INDEX .*message_id=\?/),
    ]);
  } finally {
    spied.close();
  }
});
