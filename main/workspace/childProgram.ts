// A program of its own for tests that kill it, run it beside another one, or run it on a small or read-only disk. Speaks in lines of JSON.
import { rmSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { FailureError } from '../../shared/model/failure';
import { type MessageId, messageIdOfStep } from '../../shared/model/ids';
import { createNewId } from '../lib/newId';
import { finishStep } from '../store/endStep';
import { saveStep } from '../store/liveSteps';
import { runMaintenance } from '../store/maintenance';
import { agentNamed, makeMessage, makeStep } from '../store/storeFixture';
import { readTalk } from '../store/talkView';
import { currentTip } from '../store/tips';
import { recordTurn } from '../store/turns';
import { type OpenedWorkspace, openWorkspace } from './openWorkspace';

/** Written at once, so that a line the parent has read is an acknowledgement. */
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);
const newId = createNewId(Date.now);
const conversationId = 'cnv_child' as const;
const text = (length: number) => [{ type: 'text' as const, text: 'word '.repeat(length / 5) }];

/** One whole turn, acknowledged after each step that a person would see as done. */
function turn(workspace: OpenedWorkspace, first: boolean, size: number): void {
  const { db } = workspace.store;
  const id = conversationId as never;
  const parentId: MessageId | null = first ? null : currentTip(db, id);
  const userMessage = { ...makeMessage('u', null), id: newId('msg'), parentId, conversationId: id, parts: text(size) };
  const step = { ...makeStep('s', 'u'), id: newId('stp'), parentId: userMessage.id, conversationId: id };
  const title = {
    title: 'child',
    titleSource: 'none' as const,
    tipId: null,
    agentId: null,
    pinned: false,
    archived: false,
    createdAt: 1,
    updatedAt: 1,
  };
  recordTurn(db, { conversation: first ? { id, ...title } : id, userMessage, step, agents: [agentNamed('demo')] });
  say({ sent: userMessage.id });
  for (let n = 1; n <= 3; n += 1) {
    saveStep(db, { stepId: step.id, content: text(size * n), now: n });
    say({ streamed: step.id, length: size * n });
  }
  const message = {
    ...makeMessage('a', null),
    id: messageIdOfStep(step.id),
    parentId: userMessage.id,
    conversationId: id,
    role: 'assistant' as const,
  };
  finishStep(db, { stepId: step.id, message: { ...message, parts: text(size * 3) }, tip: 'follow' });
  say({ answered: message.id });
}

async function write(workspace: OpenedWorkspace): Promise<void> {
  for (let n = 0; ; n += 1) {
    turn(workspace, n === 0, 500);
    const hash = await workspace.blobs.write(Buffer.from(`blob ${n}`), 'text/plain');
    say({ blob: hash });
    if (n % 5 === 4) workspace.store.checkpoint();
  }
}

/** Writes until the disk is full, then makes room and goes on. */
function fill(workspace: OpenedWorkspace, ballast: string): void {
  writeFileSync(ballast, Buffer.alloc(600_000));
  const { db } = workspace.store;
  let full: string | undefined;
  for (let n = 0; full === undefined; n += 1) {
    try {
      turn(workspace, n === 0, 20_000);
    } catch (error) {
      if (!(error instanceof FailureError)) throw error;
      full = error.failure.code;
    }
  }
  const before = readTalk(db, { conversationId: conversationId as never, count: 200 });
  say({ full, length: before.length, tip: before.tipId, running: before.running.length });
  rmSync(ballast);
  for (const step of before.running)
    finishStep(db, {
      stepId: step.id,
      message: {
        ...makeMessage('i', null),
        id: messageIdOfStep(step.id),
        parentId: step.parentId,
        conversationId: conversationId as never,
        status: 'interrupted',
        parts: [],
      },
      tip: 'follow',
    });
  turn(workspace, false, 500);
  say({ after: readTalk(db, { conversationId: conversationId as never, count: 200 }).length });
}

async function main([command, folder = ''] = process.argv.slice(2)): Promise<void> {
  const workspace = await openWorkspace({ folder, now: Date.now, run: runMaintenance });
  const titles = workspace.status === 'failed' ? [] : [workspace.store.db].map((db) => readIfThere(db));
  say({ status: workspace.status, code: workspace.state.failure?.code, pid: workspace.state.failure?.detail?.pid, titles });
  if (command === 'hold' && workspace.status !== 'failed') setInterval(() => undefined, 1000);
  if (command === 'write' && workspace.status === 'open') await write(workspace);
  if (command === 'fill' && workspace.status === 'open') {
    fill(workspace, join(folder, 'ballast'));
    workspace.close();
  }
  if (command === 'look') workspace.close();
}

function readIfThere(db: Parameters<typeof readTalk>[0]): number {
  try {
    return readTalk(db, { conversationId: conversationId as never, count: 1 }).length;
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    return 0;
  }
}

void main();
