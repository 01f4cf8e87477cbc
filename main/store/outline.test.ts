import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { AgentId, TrashId, TurnId } from '../../shared/model/ids';
import type { Message } from '../../shared/model/message';
import { addCheckpoint } from './checkpointRows';
import { change } from './database';
import { putFailedTurn } from './failedTurns';
import { startStep } from './liveSteps';
import { appendMessage } from './messages';
import { previewTurn, readOutline, readOutlineTurns, searchOutline, turnsAt } from './outline';
import { cnv, codeOf, makeFailed, makeMessage, makeStep, makeStore, msg, plant, type TestStore } from './storeFixture';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const conversationId = cnv('1');
const outline = () => readOutline(test.db, { conversationId });
const seen = () =>
  outline().runs.map((run) => ({
    parent: run.parent,
    turns: run.turns,
    shown: run.shown.map((turn) => turn.text.replace('text of ', '')),
  }));
const add = (name: string, parent: string | null, more: Partial<Message> = {}) =>
  appendMessage(test.db, { message: makeMessage(name, parent, more), tip: 'follow' });
const turnNamed = (name: string) =>
  outline()
    .runs.flatMap((run) => run.shown)
    .find((turn) => turn.id === msg(name));

describe('the outline of a stored conversation', () => {
  it('U5, I3: an answer that no agent gave goes by its model, in its line and in the preview', () => {
    plant(test.db, ['a']);
    add('b', 'a', { role: 'assistant', model: 'openai/gpt-4o' });
    add('c', 'a', { role: 'assistant', model: 'x/m', agentId: 'iris' as AgentId });
    expect(turnNamed('b')).toMatchObject({ role: 'assistant', model: 'openai/gpt-4o' });
    expect(turnNamed('c')).toMatchObject({ agentId: 'iris' });
    expect(turnNamed('c')).not.toHaveProperty('model');
    expect(previewTurn(test.db, { conversationId, messageId: msg('b') })).toMatchObject({ model: 'openai/gpt-4o' });
  });

  it('U5: runs in order of creation, the tip among their turns, gaps left out', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c', 'e<d', 'f<e', 'g<b', 'h<g']);
    expect(seen()).toEqual([
      { parent: -1, turns: 2, shown: ['a', 'b'] },
      { parent: 0, turns: 4, shown: ['c', 'd', 'e', 'f'] },
      { parent: 0, turns: 2, shown: ['g', 'h'] },
    ]);
    expect(outline()).toMatchObject({ messages: 8, tip: { run: 1, at: 3 } });
    for (const each of ['i<f', 'j<i', 'k<j']) add(each[0] ?? '', each[2] ?? '');
    expect(seen()[1]).toEqual({ parent: 0, turns: 7, shown: ['c', 'k'] });
    expect(readOutlineTurns(test.db, { conversationId, runId: msg('c'), from: 1, to: 3 }).map((turn) => [turn.text, turn.depth])).toEqual([
      ['text of d', 3],
      ['text of e', 4],
    ]);
  });

  it('U5, T10: what is marked has a line of its own', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<c', 'e<d', 'f<e', 'g<f', 'h<g', 'i<h', 'j<i']);
    change(test.db, 'INSERT INTO labels (message_id, conversation_id, label, created_at) VALUES (?, ?, ?, 1)').run(
      msg('e'),
      conversationId,
      'plan B',
    );
    change(test.db, 'INSERT INTO pins (message_id, conversation_id, created_at) VALUES (?, ?, 1)').run(msg('e'), conversationId);
    addCheckpoint(test.db, { conversationId, messageId: msg('a'), label: 'start', by: 'user', createdAt: 1 });
    expect(seen()[0]?.shown).toEqual(['a', 'e', 'j']);
    expect(turnNamed('e')).toMatchObject({ label: 'plan B', pinned: true });
    expect(turnNamed('a')).toMatchObject({ checkpoint: 'start' });
  });

  it('X8, X9, T12: says where something runs, failed or broke off, and not what was continued', () => {
    plant(test.db, ['a']);
    const answer = { role: 'assistant', agentId: 'demo' as AgentId, turnId: 'trn_1' as TurnId } as const;
    add('b', 'a', { ...answer, status: 'interrupted' });
    expect(turnNamed('a')?.state).toBe('interrupted');
    add('c', 'b', answer);
    expect(turnNamed('a')?.state).toBeUndefined();
    add('d', 'c');
    startStep(test.db, makeStep('x', 'd'));
    expect(turnNamed('d')?.state).toBe('running');
    add('e', null);
    putFailedTurn(test.db, makeFailed('y', 'e'));
    expect(turnNamed('e')?.state).toBe('failed');
  });

  it('N6, T2: what comes in is added, a branch parts a run, and another conversation does not disturb it', () => {
    plant(test.db, ['a', 'b<a', 'c<b']);
    expect(seen()).toHaveLength(1);
    add('d', 'a');
    plant(test.db, ['z'], '2');
    expect(readOutline(test.db, { conversationId: cnv('2') }).messages).toBe(1);
    expect(seen()).toEqual([
      { parent: -1, turns: 1, shown: ['a'] },
      { parent: 0, turns: 2, shown: ['b', 'c'] },
      { parent: 0, turns: 1, shown: ['d'] },
    ]);
  });

  it('T8: what is in the trash is not there, and comes back', () => {
    plant(test.db, ['a', 'b<a', 'c<b', 'd<a']);
    expect(outline().messages).toBe(4);
    const trash = 'trs_1' as TrashId;
    change(
      test.db,
      `UPDATE messages SET trash_id = ?, recovered = CASE WHEN id = 'msg_b' THEN 2 ELSE 0 END WHERE id IN ('msg_b', 'msg_c')`,
    ).run(trash);
    change(test.db, 'INSERT INTO trash (id, conversation_id, message_id, messages, deleted_at) VALUES (?, ?, ?, 2, 1)').run(
      trash,
      conversationId,
      msg('b'),
    );
    expect(seen().flatMap((run) => run.shown)).toEqual(['a', 'd']);
    add('e', 'd');
    expect(outline().messages).toBe(3);
    change(test.db, 'DELETE FROM trash WHERE id = ?').run(trash);
    expect(outline().messages).toBe(5);
  });

  it('T7: a ring and an orphan are shown, and the tip that names nothing is the newest', () => {
    plant(test.db, ['a', 'b<a', 'c<b']);
    change(test.db, `UPDATE messages SET parent_id = 'msg_c' WHERE id = 'msg_a'`).run();
    change(test.db, `UPDATE conversations SET tip_id = 'msg_gone'`).run();
    expect(outline()).toMatchObject({ messages: 3, tip: { run: 0, at: 2 } });
  });

  it('U5: an empty conversation, and one that is not there', () => {
    plant(test.db, []);
    expect(outline()).toEqual({ runs: [], messages: 0, tip: null });
    expect(codeOf(() => readOutline(test.db, { conversationId: cnv('9') }))).toBe('notFound');
    expect(readOutlineTurns(test.db, { conversationId, runId: msg('q'), from: 0, to: 9 })).toEqual([]);
  });

  it('U5: the first words close up, and a message of files alone has the name of the first', () => {
    plant(test.db, []);
    add('a', null, { parts: [{ type: 'text', text: `\n  Two\n\n words ${'😀'.repeat(100)}` }] });
    add('b', 'a', { parts: [{ type: 'toolCall', callId: '1', name: 'read_file', arguments: '{}' }] });
    expect(turnNamed('a')?.text).toMatch(/^Two words (😀){55}$/u);
    expect(turnNamed('b')?.text).toBe('');
  });

  it('Q1, U5: a search finds whole words in any order on any branch, case and accents aside, each turn once', () => {
    plant(test.db, ['a', 'b<a', 'c<a']);
    add('d', 'b', { parts: [{ type: 'text', text: 'Der Bär fährt nach Köln' }] });
    add('e', 'd', { role: 'assistant', parts: [{ type: 'text', text: 'koln, bar' }] });
    const found = (query: string) => searchOutline(test.db, { conversationId, query }).map(({ run, turn }) => [run, turn.id]);
    expect(found('KOLN bar')).toEqual([[1, msg('d')]]);
    expect(found('text of')).toEqual([
      [0, msg('a')],
      [1, msg('b')],
      [2, msg('c')],
    ]);
    expect(found('  ')).toEqual([]);
  });

  it('U5: the turns of given messages, each once; what is not there is left out', () => {
    plant(test.db, ['a', 'b<a', 'c<a']);
    add('d', 'b', { role: 'assistant' });
    const messageIds = ['d', 'c', 'gone', 'b'].map(msg);
    expect(turnsAt(test.db, { conversationId, messageIds }).map(({ run, turn }) => [run, turn.id])).toEqual([
      [1, msg('b')],
      [2, msg('c')],
    ]);
  });

  it('U5: a preview has the prompt and the last answer of its turn', () => {
    plant(test.db, ['a']);
    const answer = { role: 'assistant', agentId: 'demo' as AgentId } as const;
    add('b', 'a', { ...answer, parts: [{ type: 'text', text: 'One.' }] });
    add('c', 'b', { ...answer, parts: [{ type: 'text', text: 'Two.' }] });
    add('d', 'c');
    expect(previewTurn(test.db, { conversationId, messageId: msg('a') })).toEqual({ prompt: 'text of a', answer: 'Two.', agentId: 'demo' });
    add('e', 'd', { ...answer, parts: [{ type: 'text', text: 'Three.' }] });
    add('f', 'd', { ...answer, parts: [{ type: 'text', text: 'Four.' }] });
    expect(previewTurn(test.db, { conversationId, messageId: msg('d') })).toMatchObject({ prompt: 'text of d', answer: 'Four.' });
    expect(previewTurn(test.db, { conversationId, messageId: msg('nobody') })).toEqual({ prompt: '', answer: '' });
  });
});
