// N3 and N4: what a person waits for when sending and when going to another branch, beside the same transaction by hand.

import { connectionOf, type WritableDb } from '../../../main/store/database';
import { finishStep } from '../../../main/store/endStep';
import { appendMessage } from '../../../main/store/messages';
import { moveTip } from '../../../main/store/tips';
import { recordTurn } from '../../../main/store/turns';
import type { MessageId, StepId, TurnId } from '../../../shared/model/ids';
import type { LiveStep } from '../../../shared/model/live';
import type { Message } from '../../../shared/model/message';
import { benchAgent, benchModel } from '../data/grow';
import type { Measurement } from '../goals';
import { contest, type Effort, type Work } from '../measure';
import { countWork } from './counters';
import { conversationNamed, conversationsOfLength, messageAtLength, type Target } from './targets';

const text = 'What a person writes in one go, about a screenful of it. '.repeat(14).slice(0, 800);
let made = 0;
const nextId = () => `msg_ZZBENCH${String(made++).padStart(16, '0')}` as MessageId;

/** Messages that each hang under the one before. */
function chain(target: Target): () => Message {
  let parentId = target.tipId;
  return () => {
    const id = nextId();
    const message: Message = {
      id,
      conversationId: target.conversationId,
      parentId,
      role: 'user',
      status: 'complete',
      parts: [{ type: 'text', text }],
      turnId: `trn_${id.slice(4)}` as TurnId,
      createdAt: 1_790_000_000_000 + made,
    };
    parentId = id;
    return message;
  };
}

/** One INSERT and one UPDATE in one transaction. */
function rawAppend(db: WritableDb, target: Target): Work {
  const connection = connectionOf(db);
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const insert = connection.prepare(`INSERT INTO messages
    (id, conversation_id, parent_id, role, status, turn_id, text, created_at, ordinal, depth, jump_id) VALUES (?, ?, ?, 'user', 'complete', ?, ?, ?, 1, ?, ?)`);
  const update = connection.prepare('UPDATE conversations SET updated_at = ?, tip_id = ? WHERE id = ?');
  const next = chain(target);
  let depth = target.length;
  return () => {
    const { id, parentId, turnId, createdAt } = next();
    begin.run();
    insert.run(id, target.conversationId, parentId, turnId, text, createdAt, depth++, target.tipId);
    update.run(createdAt, id, target.conversationId);
    commit.run();
  };
}

const stepUnder = (target: Target, parentId: MessageId): LiveStep => ({
  id: `stp_${nextId().slice(4)}` as StepId,
  conversationId: target.conversationId,
  parentId,
  turnId: 'trn_bench' as TurnId,
  agentId: benchAgent,
  model: benchModel,
  parts: [],
  calls: [],
  phase: 'connecting',
  startedAt: 1_790_000_000_000,
});
const agent = {
  id: benchAgent,
  name: 'Assistant',
  model: benchModel,
  systemPrompt: '',
  tools: [],
  approval: 'ask',
  parameters: {},
} as const;

/** A whole turn as the program records it: the send, and the end of its answer. Two transactions, timed apart. */
function turns(db: WritableDb, target: Target): { send: Work; end: Work } {
  let tipId = target.tipId;
  let running: LiveStep | null = null;
  const end = () => {
    if (!running) return;
    const id = running.id.replace('stp_', 'msg_') as MessageId;
    const { conversationId, parentId, turnId, agentId, model } = running;
    const message: Message = {
      id,
      conversationId,
      parentId,
      turnId,
      agentId,
      model,
      role: 'assistant',
      status: 'complete',
      parts: [{ type: 'text', text }],
      createdAt: 1_790_000_000_000,
    };
    finishStep(db, { stepId: running.id, message, tip: 'follow' });
    tipId = id;
    running = null;
  };
  const send = () => {
    const message: Message = { ...chain({ ...target, tipId })(), parentId: tipId };
    running = stepUnder(target, message.id);
    recordTurn(db, {
      conversation: target.conversationId,
      userMessage: message,
      step: running,
      agents: [{ ...agent, tools: [] }],
      draftKey: target.conversationId,
    });
  };
  return { send, end };
}

export function measureAppend(db: WritableDb, file: string, effort: Effort): Measurement[] {
  const [mine, other, third] = conversationsOfLength(db, 600, 3);
  const deep = conversationNamed(db, 'cnv_bench_deep');
  if (!(mine && other && third)) throw new Error('The data is too small.');
  const appendTo = (target: Target): Work => {
    const next = chain(target);
    return () => void appendMessage(db, { message: next(), tip: 'follow' });
  };
  const ours = appendTo(mine);
  const raw = rawAppend(db, other);
  const { send, end } = turns(db, third);
  const ratio = (operation: string, work: Work, floor: Work, max: number, between?: () => void): Measurement => ({
    id: 'N3',
    operation,
    unit: 'ms',
    ...contest({ ours: work, floor, between }, effort),
    goal: { kind: 'ratio', max },
  });
  const rows = [
    ratio('append a message and move the tip, durable', ours, raw, 1.5),
    ratio(`the same at depth ${deep.length.toLocaleString('en')}`, appendTo(deep), raw, 1.5),
    ratio('send: message, tip, running step, agent, draft', send, raw, 1.5, end),
  ];
  end();
  return [...rows, ...countAppend(db, file, ours, send, end)];
}

function countAppend(db: WritableDb, file: string, append: Work, send: Work, end: Work): Measurement[] {
  const counts = { append: countWork(db, file, append), send: countWork(db, file, send), end: countWork(db, file, end) };
  const count = (operation: string, ours: number, max: number): Measurement => ({
    id: 'N3',
    operation,
    unit: '',
    ours,
    goal: { kind: 'count', max },
  });
  return [
    count('statements of an append, BEGIN and COMMIT included', counts.append.statements, 11),
    count('rows changed by an append', counts.append.rowsChanged, 2),
    count('rows changed by a send', counts.send.rowsChanged, 3),
    count('fsyncs of an append', counts.append.commits, 1),
    count('fsyncs of a send', counts.send.commits, 1),
    count('fsyncs of the end of an answer', counts.end.commits, 1),
    count('checkpoints inside these calls', counts.append.checkpoints + counts.send.checkpoints + counts.end.checkpoints, 0),
  ];
}

/** One upsert and one UPDATE in one transaction. */
function rawMove(db: WritableDb, conversationId: string, between: readonly [string, string]): Work {
  const connection = connectionOf(db);
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const upsert = connection.prepare(
    'INSERT OR REPLACE INTO branch_tips (conversation_id, child_id, tip_id, turn_id) VALUES (?, ?, ?, NULL)',
  );
  const update = connection.prepare('UPDATE conversations SET tip_id = ? WHERE id = ?');
  let turn = 0;
  return () => {
    const here = between[turn % 2] ?? '';
    const there = between[++turn % 2] ?? '';
    begin.run();
    upsert.run(conversationId, here, here);
    update.run(there, conversationId);
    commit.run();
  };
}

/** Between the tip and a second message under its parent's parent. */
function moves(db: WritableDb, target: Target): Work {
  const fork = messageAtLength(db, target, target.length - 2);
  const sibling: Message = { ...chain({ ...target, tipId: fork })() };
  appendMessage(db, { message: sibling, tip: 'stay' });
  let turn = 0;
  return () => moveTip(db, { conversationId: target.conversationId, to: turn++ % 2 === 0 ? sibling.id : target.tipId });
}

export function measureMove(db: WritableDb, file: string, effort: Effort): Measurement[] {
  const [usual, other] = conversationsOfLength(db, 700, 2);
  if (!(usual && other)) throw new Error('The data is too small.');
  const deep = conversationNamed(db, 'cnv_bench_deep');
  const floor = rawMove(db, other.conversationId, [other.tipId, messageAtLength(db, other, other.length - 2)]);
  const move = moves(db, usual);
  const ratio = (operation: string, ours: Work): Measurement => ({
    id: 'N4',
    operation,
    unit: 'ms',
    ...contest({ ours, floor }, effort),
    goal: { kind: 'ratio', max: 1.5 },
  });
  const rows = [
    ratio('branch and switch: move the tip, remember the one left', move),
    ratio(`the same at depth ${deep.length.toLocaleString('en')}`, moves(db, deep)),
  ];
  const counts = countWork(db, file, move);
  const count = (operation: string, ours: number, max: number): Measurement => ({
    id: 'N4',
    operation,
    unit: '',
    ours,
    goal: { kind: 'count', max },
  });
  return [
    ...rows,
    count('rows changed by a move', counts.rowsChanged, 2),
    count('fsyncs of a move', counts.commits, 1),
    count('checkpoints inside a move', counts.checkpoints, 0),
  ];
}
