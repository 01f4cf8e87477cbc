// The lock against living, dead and unknown holders.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailureError } from '../../shared/model/failure';
import { takeLock } from './lock';
import { isSameStart, processStart } from './processStart';
import { madeLayout, makeWorkspace, type TestWorkspace } from './workspaceFixture';

let test: TestWorkspace;
let file: string;
beforeEach(() => {
  test = makeWorkspace();
  file = madeLayout(test).lock;
});
afterEach(() => test.remove());

const take = () => takeLock({ file, now: test.now });
const failureOf = (work: () => unknown) => {
  try {
    work();
  } catch (error) {
    if (error instanceof FailureError) return error.failure;
    throw error;
  }
  return undefined;
};
const holder = (text: string) => JSON.parse(text) as { pid: number; start: string; host: string };

describe('the lock', () => {
  it('W1: names process, start and machine, and goes when it is let go', () => {
    const lock = take();
    expect(lock.takenOver).toBe(false);
    expect(holder(readFileSync(file, 'utf8'))).toMatchObject({ pid: process.pid, host: hostname() });
    expect(holder(readFileSync(file, 'utf8')).start).not.toBe('');
    lock.release();
    lock.release();
    expect(readdirSync(test.layout.root)).toEqual(['.gitignore']);
  });

  it('W1: a live one is refused with its pid, and stays', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")']);
    await once(child.stdout, 'data');
    const start = processStart(child.pid ?? 0);
    writeFileSync(file, JSON.stringify({ pid: child.pid, start: start.state === 'known' ? start.start : null, host: hostname() }));
    expect(failureOf(take)).toMatchObject({ code: 'workspaceLocked', detail: { pid: child.pid } });
    expect(holder(readFileSync(file, 'utf8')).pid).toBe(child.pid);
    child.kill('SIGKILL');
    await once(child, 'exit');
    const lock = take();
    expect(lock.takenOver).toBe(true);
    lock.release();
  });

  it('W1: one and the same process does not take it twice', () => {
    const lock = take();
    expect(failureOf(take)).toMatchObject({ code: 'workspaceLocked', detail: { pid: process.pid } });
    lock.release();
    take().release();
  });

  it('W1: a pid that was given to another process since is stale', () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, start: 'another boot:1', host: hostname() }));
    const lock = take();
    expect(lock.takenOver).toBe(true);
    lock.release();
  });

  it('W1: a holder whose start is not known counts as live', () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, start: null, host: hostname() }));
    expect(failureOf(take)?.code).toBe('workspaceLocked');
  });

  it('W1, R3: a half-written or foreign lock file is stale', () => {
    for (const text of ['', '{"pid":12', '[]', '{"pid":"x"}', `{"pid":-1,"start":"a","host":"${hostname()}"}`]) {
      writeFileSync(file, text);
      const lock = take();
      expect([text, lock.takenOver]).toEqual([text, true]);
      lock.release();
    }
  });

  it('W1: of another machine, live while it is fresh', () => {
    const write = (age: number) => {
      writeFileSync(file, JSON.stringify({ pid: 1, start: 'x', host: 'elsewhere.example' }));
      const at = new Date(test.time - age);
      utimesSync(file, at, at);
    };
    write(10_000);
    const failure = failureOf(take);
    expect(failure).toMatchObject({ code: 'workspaceLocked', retryable: true });
    expect(failure?.detail?.pid).toBeUndefined();
    expect(failure?.message).toContain('elsewhere.example');
    write(10 * 60_000);
    take().release();
  });

  it('W1: of several at once exactly one takes a stale lock', async () => {
    writeFileSync(file, JSON.stringify({ pid: process.pid, start: 'long ago', host: hostname() }));
    const results = await Promise.all(
      Array.from({ length: 8 }, async () => {
        try {
          return take();
        } catch (error) {
          if (error instanceof FailureError) return error.failure.code;
          throw error;
        }
      }),
    );
    expect(results.filter((result) => typeof result !== 'string')).toHaveLength(1);
    expect(results.filter((result) => result === 'workspaceLocked')).toHaveLength(7);
    for (const result of results) if (typeof result !== 'string') result.release();
    expect(existsSync(file)).toBe(false);
  });

  it('W1: letting go does not take away a lock that is no longer ours', () => {
    const lock = take();
    writeFileSync(file, JSON.stringify({ pid: 1, start: 'other', host: hostname() }));
    lock.release();
    expect(holder(readFileSync(file, 'utf8')).start).toBe('other');
  });
});

describe('the start of a process', () => {
  it('W1: is the same each time, differs between processes, and is gone with it', async () => {
    expect(processStart(process.pid)).toEqual(processStart(process.pid));
    expect(processStart(process.pid).state).toBe('known');
    expect(processStart(2 ** 22 + 1)).toEqual({ state: 'gone' });
    expect(processStart(0)).toEqual({ state: 'gone' });
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000); console.log("up")']);
    await once(child.stdout, 'data');
    expect(processStart(child.pid ?? 0)).not.toEqual(processStart(process.pid));
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(processStart(child.pid ?? 0)).toEqual({ state: 'gone' });
  });

  it('W1: wall times a few seconds apart are one start, boots and ticks must be equal', () => {
    expect([isSameStart('1700000000000', '1700000004000'), isSameStart('1700000000000', '1700000900000')]).toEqual([true, false]);
    expect([isSameStart('boot-a:77', 'boot-a:77'), isSameStart('boot-a:77', 'boot-a:78'), isSameStart('boot-a:77', 'boot-b:77')]).toEqual([
      true,
      false,
      false,
    ]);
  });
});
