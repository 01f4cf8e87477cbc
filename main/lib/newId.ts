// Makes the ids of messages, conversations, turns and steps. They never go backwards, even when the clock does or many are made in one millisecond.
import { randomBytes } from 'node:crypto';
import { monotonicFactory } from 'ulid';
import { makeNewId, type NewId } from '../../shared/model/ids';
import type { Now } from './clock';

const POOL = 1024;

/** Random numbers in [0, 1) for the id factory, read from the system in blocks (one system call per 256 numbers). */
function cryptoRandom(): () => number {
  let pool = Buffer.alloc(0);
  let at = 0;
  return () => {
    if (at + 4 > pool.length) {
      pool = randomBytes(POOL);
      at = 0;
    }
    const value = pool.readUInt32BE(at) / 2 ** 32;
    at += 4;
    return value;
  };
}

/** One source per process: ids from two sources may interleave within a millisecond. */
export function createNewId(now: Now): NewId {
  const ulid = monotonicFactory(cryptoRandom());
  let latest = 0;
  return makeNewId(() => {
    latest = Math.max(latest, now());
    return ulid(latest);
  });
}
