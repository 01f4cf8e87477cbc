// A program of its own that forks a conversation with everything in it, and ends itself (kill -9) at the point it is told: after each write to a
// file, each flush, each link, and each statement that changes the database. Speaks in lines of JSON.
import { writeSync } from 'node:fs';
import type { MessageId } from '../../shared/model/ids';
import { cnv } from '../store/storeFixture';
import { faultyDisk, makeFaulty } from './faultsFixture';
import { type Act, type ForkTest, kinds, makeForkTest, perform } from './forkFixture';

/** Each kind in turn along a path that now and then goes back. */
export const everything: Act[] = [
  ...(['user', 'own', 'calls', 'other', 'record'] as const),
  ...kinds,
  ...(['user', 'own', 'calls', 'record', 'own'] as const),
].map((kind, at) => ({ kind, under: at === 0 ? 0 : at % 7 || 3, near: at % 5 !== 4, turn: at % 3 }));

/** The conversation to be forked, and the message it is forked at. `faults` begin when it is made. */
export function prepared(faults: {
  before(kind: 'file' | 'database'): void;
  after(): void;
}): ForkTest & { chosen: MessageId; arm(): void } {
  let armed = false;
  const armedFaults = {
    before: (kind: 'file' | 'database') => void (armed && faults.before(kind)),
    after: () => void (armed && faults.after()),
  };
  const test = makeForkTest(1500, faultyDisk(armedFaults), (db) => makeFaulty(db, armedFaults));
  const made = perform(test, everything);
  return {
    ...test,
    chosen: made.at(-1) as MessageId,
    arm: () => {
      armed = true;
    },
  };
}

async function main(deadly: number): Promise<void> {
  const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);
  let point = 0;
  const test = prepared({
    before: () => undefined,
    after: () => {
      point += 1;
      if (point === deadly) process.kill(process.pid, 'SIGKILL');
    },
  });
  say({ folder: test.folder, file: test.file, chosen: test.chosen, source: test.dump(cnv('1')) });
  test.arm();
  await test.forks.fork({ conversationId: cnv('1'), messageId: test.chosen, scope: 'all' });
  say({ points: point });
  test.store.close();
}

const [order, deadly = '0'] = process.argv.slice(2);
if (order === 'fork') void main(Number(deadly));
