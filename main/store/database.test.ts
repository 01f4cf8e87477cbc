// Transactions, snapshots, and what SQLite's errors become.

import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { change, connectionOf, select, snapshot, transaction, writableOf } from './database';
import { getMeta, setMeta } from './meta';
import { openStore } from './open';
import { failureOfSqlite } from './sqliteFailure';
import { codeOf, makeStore, type TestStore } from './storeFixture';

let test: TestStore;
beforeEach(() => {
  test = makeStore();
});
afterEach(() => test.remove());

const put = (value: string) => setMeta(test.db, 'createdAt', value);
const got = () => getMeta(test.db, 'createdAt');

describe('a transaction', () => {
  it('R2: all of it or nothing, whatever is thrown', () => {
    put('before');
    expect(() =>
      transaction(test.db, () => {
        put('half');
        throw new Error('a bug');
      }),
    ).toThrow('a bug');
    expect(got()).toBe('before');
    const known = new FailureError(makeFailure('conflict', 'no'));
    expect(() =>
      transaction(test.db, () => {
        put('half');
        throw known;
      }),
    ).toThrow(known);
    expect(got()).toBe('before');
    const result = transaction(test.db, () => {
      put('after');
      return 7;
    });
    expect(result).toBe(7);
    expect(got()).toBe('after');
  });

  it('R2: one inside another is part of it', () => {
    expect(() =>
      transaction(test.db, () => {
        transaction(test.db, () => put('inner'));
        expect(got()).toBe('inner');
        throw new Error('outer');
      }),
    ).toThrow('outer');
    expect(got()).toBeUndefined();
    expect(connectionOf(test.db).inTransaction).toBe(false);
  });

  it('R3: a disk that fills up in the middle takes the whole of it back', () => {
    put('before');
    const db = connectionOf(test.db);
    db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`);
    const big = () =>
      transaction(test.db, () => {
        put('half');
        for (let n = 0; n < 200; n += 1)
          change(test.db, 'INSERT INTO drafts (key, draft, updated_at) VALUES (?, ?, 0)').run(`k${n}`, 'x'.repeat(3000));
      });
    expect(codeOf(big)).toBe('diskFull');
    expect([got(), db.inTransaction]).toEqual(['before', false]);
    expect(select(test.db, 'SELECT 1 FROM drafts').get()).toBeUndefined();
  });
});

describe('a snapshot', () => {
  it('R1: its reads are of one moment, though another connection writes between them', () => {
    put('one');
    const other = new Database(test.file);
    snapshot(test.db, () => {
      expect(got()).toBe('one');
      other.exec("UPDATE meta SET value = 'two'");
      expect(got()).toBe('one');
    });
    expect(got()).toBe('two');
    other.close();
  });

  it('R1: of a reader sees what is committed, and a reader has no writing face', () => {
    const reader = openStore({ file: test.file, mode: 'read', now: () => 1 });
    put('one');
    expect(getMeta(reader.db, 'createdAt')).toBe('one');
    expect([writableOf(reader.db), writableOf(test.db)]).toEqual([null, test.db]);
    reader.close();
  });
});

describe('errors of SQLite', () => {
  const error = (code: string) => Object.assign(new Error(`said ${code}`), { code });
  const mapped = (code: string) => {
    const result = failureOfSqlite(error(code), '/x/bough.db');
    return result instanceof FailureError ? result.failure : undefined;
  };

  it('R3, W4: that a person can meet have a code; some can be tried again', () => {
    const codes = {
      SQLITE_FULL: 'diskFull',
      SQLITE_IOERR_SHMSIZE: 'diskFull',
      SQLITE_BUSY: 'databaseBusy',
      SQLITE_BUSY_SNAPSHOT: 'databaseBusy',
      SQLITE_LOCKED: 'databaseBusy',
      SQLITE_READONLY: 'workspaceReadOnly',
      SQLITE_READONLY_DIRECTORY: 'workspaceReadOnly',
      SQLITE_READONLY_DBMOVED: 'workspaceGone',
      SQLITE_CANTOPEN: 'workspaceGone',
      SQLITE_IOERR_READ: 'workspaceGone',
      SQLITE_CORRUPT: 'databaseCorrupt',
      SQLITE_CORRUPT_INDEX: 'databaseCorrupt',
      SQLITE_NOTADB: 'databaseCorrupt',
    };
    expect(Object.fromEntries(Object.keys(codes).map((code) => [code, mapped(code)?.code]))).toEqual(codes);
    expect([mapped('SQLITE_FULL')?.retryable, mapped('SQLITE_CORRUPT')?.retryable]).toEqual([true, false]);
    expect(mapped('SQLITE_BUSY')?.detail?.path).toBe('/x/bough.db');
  });

  it('R3: keep their cause, and anything else stays a bug', () => {
    const busy = error('SQLITE_BUSY');
    expect(failureOfSqlite(busy, '/x')).toMatchObject({ cause: busy });
    for (const bug of [error('SQLITE_CONSTRAINT_UNIQUE'), error('SQLITE_ERROR'), error('ENOENT'), new TypeError('x'), 'text']) {
      expect(failureOfSqlite(bug, '/x')).toBe(bug);
    }
  });
});
