// N8: the end of a step, transcript first, then message, tip and the place of the step; beside an append with its flush and one bare transaction.
import { closeSync, fdatasyncSync, openSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { boundaryOf } from '../../../main/agents/boundary';
import { connectionOf } from '../../../main/store/database';
import { startStep } from '../../../main/store/liveSteps';
import type { MessageId } from '../../../shared/model/ids';
import type { LiveStep } from '../../../shared/model/live';
import type { Step } from '../../../shared/model/transcript';
import type { Measurement } from '../goals';
import { contest, type Effort, type Work } from '../measure';
import { countWork } from './counters';
import { ask, grow, makeRun, makeStep, messageOf, place, type Run } from './runs';

/** Characters of the tool output in the step whose end is measured; small ones where the file should hardly grow meanwhile. */
const stepLength = 4700;
const smallStep = 700;
const logger = { log: () => undefined, with: () => logger };

/** Ends steps one under the other; `prepare` writes the row of the running step, which is not part of the boundary. */
function boundaries(run: Run, from: MessageId, length = stepLength): { work: Work; prepare: () => void; last(): Step | null } {
  const deps = { db: run.db, transcripts: run.open(), logger, publish: () => undefined };
  deps.transcripts.open(place);
  let parentId = from;
  let waiting: { live: LiveStep; step: Step } | null = null;
  let ended: Step | null = null;
  return {
    prepare() {
      if (waiting) return;
      const step = makeStep(parentId, length);
      const { id, turnId, model } = step;
      const live: LiveStep = { id, ...place, parentId, turnId, model, parts: [], calls: [], phase: 'connecting', startedAt: 1 };
      startStep(run.db, live);
      waiting = { live, step };
    },
    work() {
      if (!waiting) throw new Error('no step is running');
      const { live, step } = waiting;
      boundaryOf(deps, live, { type: 'step', step })();
      waiting = null;
      ended = step;
      parentId = step.messageId;
    },
    last: () => ended,
  };
}

/** The same bytes behind the end of a file, flushed; then one INSERT and one UPDATE in one transaction. */
function rawBoundary(run: Run, parentId: MessageId): Work {
  const connection = connectionOf(run.db);
  const begin = connection.prepare('BEGIN IMMEDIATE');
  const commit = connection.prepare('COMMIT');
  const insert = connection.prepare(`INSERT INTO messages
    (id, conversation_id, parent_id, role, status, turn_id, text, created_at, ordinal, depth, jump_id) VALUES (?, ?, ?, 'assistant', 'complete', ?, ?, ?, 1, ?, ?)`);
  const update = connection.prepare('UPDATE conversations SET updated_at = ? WHERE id = ?');
  const file = join(run.folder, 'raw.json');
  let number = 0;
  return () => {
    const step = makeStep(parentId, stepLength);
    const handle = openSync(file, 'a');
    writeSync(handle, `,\n${JSON.stringify(step)}\n]}`);
    fdatasyncSync(handle);
    closeSync(handle);
    begin.run();
    const { parts } = messageOf(step);
    insert.run(`${step.messageId}r`, place.conversationId, parentId, step.turnId, JSON.stringify(parts), 1, 100_000 + number++, parentId);
    update.run(number, place.conversationId);
    commit.run();
  };
}

export function measureBoundary(cache: string, effort: Effort): Measurement[] {
  const small = makeRun(cache);
  const big = makeRun(cache);
  try {
    const base = { id: 'N8', unit: 'ms' as const };
    const few = boundaries(small, grow(small, 15, 30_000), smallStep);
    const many = boundaries(big, grow(big, 1500, 30_000), smallStep);
    const prepareBoth = () => {
      few.prepare();
      many.prepare();
    };
    const sizes = contest({ ours: many.work, floor: few.work, between: prepareBoth }, effort);
    const size = ({ transcriptFile }: Run) => `${(statSync(transcriptFile).size / 1e6).toFixed(0)} MB`;
    const label = `the same at ${size(big)}, floor: at ${size(small)}`;
    const usual = boundaries(small, ask(small, null));
    const raw = rawBoundary(small, ask(small, null));
    const ours = contest({ ours: usual.work, floor: raw, between: usual.prepare }, effort);
    return [
      { ...base, operation: 'end of a step: transcript, then message and tip', ...ours, goal: { kind: 'ratio', max: 1.3 } },
      { ...base, operation: label, ...sizes, goal: { kind: 'ratio', max: 1.5 } },
      ...counts(small, usual),
    ];
  } finally {
    small.close();
    big.close();
  }
}

function counts(run: Run, { work, last, prepare }: ReturnType<typeof boundaries>): Measurement[] {
  prepare();
  const before = statSync(run.transcriptFile).size;
  const { commits, checkpoints } = countWork(run.db, run.file, work);
  const grown = statSync(run.transcriptFile).size - before;
  const bytes = Buffer.byteLength(JSON.stringify(last()));
  const base = { id: 'N8', unit: '' as const };
  return [
    {
      id: 'N8',
      operation: 'bytes added to the transcript, floor: the JSON of the step',
      unit: '',
      ours: grown,
      floor: bytes,
      ratio: grown / bytes,
      goal: { kind: 'ratio', max: 1.1 },
    },
    { ...base, operation: 'fsyncs of the database at the end of a step', ours: commits, goal: { kind: 'count', max: 1 } },
    { ...base, operation: 'checkpoints inside it', ours: checkpoints, goal: { kind: 'count', max: 0 } },
  ];
}
