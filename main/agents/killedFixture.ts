// A program of its own that stores ten steps, on a disk that is full or read-only. Speaks in lines of JSON.
import { closeSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { FailureError } from '../../shared/model/failure';
import { type MessageId, messageIdOfStep, type StepId } from '../../shared/model/ids';
import type { LiveStep } from '../../shared/model/live';
import type { Message } from '../../shared/model/message';
import type { StepPart } from '../../shared/model/transcript';
import { systemCode } from '../lib/systemError';
import { addBlobRow } from '../store/blobRows';
import { saveStep, startStep } from '../store/liveSteps';
import { runMaintenance } from '../store/maintenance';
import { agentNamed, cnv, makeMessage, makeStep, msg } from '../store/storeFixture';
import { recordTurn } from '../store/turns';
import { createBlobStore } from '../transcript/blobs';
import { createTranscripts } from '../transcript/transcripts';
import { type OpenedWorkspace, openWorkspace } from '../workspace/openWorkspace';
import { boundaryOf, stepOf } from './boundary';

/** Written at once, so that a line the parent has read is an acknowledgement. */
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);
const logger = { log: () => undefined, with: () => logger };
const [command, folder = ''] = process.argv.slice(2);

/** The fifth is long enough for the blob store, and the file is sealed on the way. */
const stepText = (n: number) => `step ${n} `.repeat(n === 5 ? 12_000 : 300);

function stepNumber(n: number): { step: LiveStep; message: Message } {
  const parts = [{ type: 'text' as const, text: stepText(n) }];
  const step = makeStep(`s${n}`, n === 1 ? 'u' : `s${n - 1}`, { turnId: 'trn_1' as never, parts });
  const { parentId, turnId, agentId, model } = step;
  const id = messageIdOfStep(step.id);
  const message = { ...makeMessage('', null), id, parentId, turnId, agentId, model, role: 'assistant' as const, parts };
  return { step, message };
}

function open({ store, layout }: OpenedWorkspace) {
  const { db } = store;
  const blobs = createBlobStore({
    folder: layout.blobs,
    record: (blob) => addBlobRow(db, { ...blob, createdAt: 1 }),
  });
  const transcripts = createTranscripts({ folder: layout.transcripts, blobs, sealAbove: 12_000 });
  return { db, transcripts, logger, publish: (event: unknown) => void say({ event }) };
}

function begin(deps: ReturnType<typeof open>): void {
  const conversation = {
    id: cnv('1'),
    title: '',
    titleSource: 'none' as const,
    tipId: null,
    agentId: null,
    pinned: false,
    archived: false,
  };
  recordTurn(deps.db, {
    conversation: { ...conversation, createdAt: 1, updatedAt: 1 },
    userMessage: { ...makeMessage('u', null), turnId: 'trn_1' as never },
    step: { ...stepNumber(1).step, parts: [] },
    agents: [agentNamed('demo')],
  });
  say({ sent: msg('u') });
}

function save(deps: ReturnType<typeof open>, n: number): () => MessageId {
  const { step, message } = stepNumber(n);
  if (n > 1) startStep(deps.db, { ...step, parts: [] });
  saveStep(deps.db, { stepId: step.id as StepId, content: step.parts, now: n });
  const done = { ...stepOf(step), content: message.parts as StepPart[], results: [], createdAt: n };
  const write = boundaryOf(deps, step, { type: 'step', step: done });
  return () => {
    write();
    say({ answered: n });
    return message.id;
  };
}

/** Takes all the room there is. */
function fillDisk(path: string): void {
  const file = openSync(path, 'w');
  try {
    for (;;) writeSync(file, Buffer.alloc(4096));
  } catch (error) {
    if (systemCode(error) !== 'ENOSPC') throw error;
  } finally {
    closeSync(file);
  }
}

function fullDisk(workspace: OpenedWorkspace, deps: ReturnType<typeof open>): void {
  begin(deps);
  save(deps, 1)();
  const ballast = join(folder, 'ballast');
  const store = save(deps, 2);
  const file = join(workspace.layout.transcripts, 'cnv_1', 'demo.json');
  const entries = () => JSON.parse(readFileSync(file, 'utf8')).entries.length;
  fillDisk(ballast);
  try {
    store();
  } catch (error) {
    if (!(error instanceof FailureError)) throw error;
    say({ full: error.failure.code, entries: entries() });
  }
  rmSync(ballast);
  store();
  say({ after: entries() });
}

async function main(): Promise<void> {
  const workspace = await openWorkspace({ folder, now: Date.now, run: runMaintenance });
  if (workspace.status !== 'open') throw new Error(workspace.status);
  const deps = open(workspace);
  if (command === 'full') fullDisk(workspace, deps);
  else {
    begin(deps);
    for (let n = 1; n <= 10; n++) save(deps, n)();
    say({ points: 10 });
  }
  workspace.close();
}

if (command === 'full' || command === 'turn') void main();
