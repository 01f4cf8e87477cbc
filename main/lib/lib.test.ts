// The small tools that everything in main stands on.
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { writeAtomic } from './atomicFile';
import { createLogger, createRedactor, fileSink } from './logger';
import { createNewId } from './newId';
import { createSequential } from './sequential';
import { fileFailure, throwFileFailure } from './systemError';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-lib-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));
const at = (name: string) => join(folder, name);

describe('ids', () => {
  it('R3: grow and never repeat, whatever the clock does', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 1_700_000_000_000, max: 1_700_000_000_050 }), { minLength: 2, maxLength: 200 }), (times) => {
        let index = 0;
        const newId = createNewId(() => times[index++ % times.length] ?? 0);
        const ids = times.map(() => newId('msg'));
        expect(new Set(ids).size).toBe(ids.length);
        expect([...ids].sort()).toEqual(ids);
      }),
    );
  });

  it('R3: two sources do not give the same ids at the same time', () => {
    const [a, b] = [createNewId(() => 5), createNewId(() => 5)];
    expect(a('cnv')).not.toBe(b('cnv'));
    expect(a('stp')).toMatch(/^stp_[0-9A-HJKMNP-TV-Z]{26}$/);
  });
});

describe('atomic files', () => {
  it('R3: hold the old bytes or the new ones, and leave nothing beside', async () => {
    await writeAtomic(at('deep/er/file'), 'one', { mode: 0o600 });
    await Promise.all(Array.from({ length: 10 }, (_, n) => writeAtomic(at('deep/er/file'), String(n).repeat(10_000))));
    expect(readFileSync(at('deep/er/file'), 'utf8')).toMatch(/^(\d)\1{9999}$/);
    expect(readdirSync(at('deep/er'))).toEqual(['file']);
    await writeAtomic(at('secret'), 'x', { mode: 0o600 });
    expect(statSync(at('secret')).mode & 0o777).toBe(0o600);
  });

  it('R3: a write that fails leaves the old file and no other', async () => {
    writeFileSync(at('folder'), 'a file in the way');
    await expect(writeAtomic(at('folder/file'), 'x')).rejects.toMatchObject({ code: expect.stringMatching(/EEXIST|ENOTDIR/) });
    rmSync(at('folder'));
    await writeAtomic(at('target/kept'), 'kept');
    await expect(writeAtomic(at('target'), 'x')).rejects.toMatchObject({ code: expect.stringMatching(/EISDIR|EEXIST|ENOTEMPTY|EPERM/) });
    expect([readdirSync(folder), readFileSync(at('target/kept'), 'utf8')]).toEqual([['target'], 'kept']);
  });
});

describe('system errors', () => {
  const error = (code: string) => Object.assign(new Error(code), { code });
  it('W4, R3: become failures with a code, and anything else stays what it was', () => {
    const codes = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'EPERM', 'ENOENT', 'ENOTDIR', 'EMFILE'].map(
      (code) => fileFailure(error(code), '/x')?.code,
    );
    expect(codes).toEqual([
      'diskFull',
      'diskFull',
      'workspaceReadOnly',
      'workspaceReadOnly',
      'workspaceReadOnly',
      'workspaceGone',
      'workspaceGone',
      undefined,
    ]);
    expect(fileFailure(error('ENOSPC'), '/a/path')?.detail?.path).toBe('/a/path');
    const known = new FailureError(makeFailure('blobGone', 'gone'));
    expect(fileFailure(known, '/x')).toBe(known.failure);
    const bug = new TypeError('a bug');
    expect(fileFailure(bug, '/x')).toBeUndefined();
    expect(() => throwFileFailure(bug, '/x')).toThrow(bug);
    expect(() => throwFileFailure(error('EROFS'), '/x')).toThrow(FailureError);
  });
});

describe('the log', () => {
  const log = () => {
    const lines: string[] = [];
    const redactor = createRedactor();
    const logger = createLogger({ now: () => 0, sink: (line) => lines.push(line), redactor });
    return { lines, logger, redactor };
  };

  it('Z3, W3: no key gets into it, told of or not, in a text, a header, an address or an error', () => {
    const { lines, logger, redactor } = log();
    redactor.add('my own "odd" secret');
    redactor.add('short');
    logger.log('info', 'call', {
      header: { Authorization: 'Bearer abcdef1234567890', 'x-api-key': 'abcdefgh12345678' },
      url: 'https://host.example/v1?key=AIzaSyA1234567890abcdefghijk&alt=sse',
      openai: 'sk-proj-abcdefghijklmnop1234',
      cause: new Error('401 for sk-abcdefghijklmnopqrst', { cause: new Error('api_key=zzzzzzzzzz') }),
      word: 'a short shortage',
      told: 'it is my own "odd" secret',
    });
    const text = lines.join('\n');
    for (const secret of ['abcdef1234567890', 'abcdefgh12345678', 'AIzaSyA', 'sk-proj', 'sk-abc', 'zzzzzzzzzz', 'odd'])
      expect(text).not.toContain(secret);
    expect(text).toContain('a short shortage');
    expect(text).toContain('alt=sse');
  });

  it('R3: each line is one JSON object with time, level, event and facts', () => {
    const { lines, logger } = log();
    logger.with({ area: 'store' }).log('warn', 'slow', { ms: 12, big: 3n });
    logger.log('debug', 'not shown');
    expect(lines.map((line) => JSON.parse(line))).toEqual([
      { time: '1970-01-01T00:00:00.000Z', level: 'warn', event: 'slow', area: 'store', ms: 12, big: '3' },
    ]);
  });

  it('R3: the file is kept small, readable by its owner only, and one that cannot be written stops nobody', () => {
    const sink = fileSink(at('logs/bough.log'), 50);
    for (let n = 0; n < 9; n += 1) sink(`line ${n} of ten letters`);
    expect(readdirSync(at('logs')).sort()).toEqual(['bough.log', 'bough.log.1']);
    expect(statSync(at('logs/bough.log')).mode & 0o777).toBe(0o600);
    rmSync(at('logs'), { recursive: true });
    writeFileSync(at('logs'), '');
    const said = console.error;
    const heard: unknown[] = [];
    console.error = (text: unknown) => heard.push(text);
    try {
      sink('lost');
    } finally {
      console.error = said;
    }
    expect(heard).toHaveLength(1);
    chmodSync(at('logs'), 0o600);
    expect(existsSync(at('logs'))).toBe(true);
  });
});

describe('jobs in order', () => {
  it('R3: run one after another, and a failed one holds up nobody', async () => {
    const queue = createSequential();
    const seen: string[] = [];
    const job = (name: string, turns: number) => async () => {
      seen.push(`${name} begins`);
      for (let n = 0; n < turns; n += 1) await Promise.resolve();
      seen.push(`${name} ends`);
      if (name === 'b') throw new Error('b failed');
      return name;
    };
    const results = await Promise.allSettled([queue.run(job('a', 9)), queue.run(job('b', 3)), queue.run(job('c', 0))]);
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends', 'c begins', 'c ends']);
    void queue.run(job('d', 5));
    await queue.idle();
    expect(seen.at(-1)).toBe('d ends');
  });
});
