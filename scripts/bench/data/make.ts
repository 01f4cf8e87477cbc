// Gives the database of the benchmarks: made once for a schema, seed and size, kept in the user's cache, and copied for each run.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { migrations } from '../../../main/store/migrations/list';
import { openStore } from '../../../main/store/open';
import { fill } from './fill';
import type { Scale } from './sizes';
import { verify } from './verify';

/** Raised when the same seed gives other data than before. */
const recipe = 1;
export const seed = 20261130;

/** Path of the finished database. `cache`: the user's cache folder. */
export function makeData(cache: string, scale: Scale, say: (text: string) => void): string {
  const schema = migrations.map(({ version, sql }) => `${version}:${sql}`).join('\n');
  const key = createHash('sha256').update(JSON.stringify({ schema, recipe, seed, scale })).digest('hex').slice(0, 12);
  const folder = join(cache, 'bough-bench');
  const file = join(folder, `${scale.messages}-${key}.db`);
  if (existsSync(file)) return file;
  mkdirSync(folder, { recursive: true });
  const partial = `${file}.partial`;
  removeDatabase(partial);
  const start = performance.now();
  say(`Making ${scale.messages.toLocaleString('en')} messages in ${scale.conversations.toLocaleString('en')} conversations, once …`);
  const store = openStore({ file: partial, mode: 'write', now: () => 0 });
  try {
    fill(store.db, scale, seed);
    verify(store.db, scale);
  } finally {
    store.close();
  }
  renameSync(partial, file);
  removeDatabase(partial);
  removeOlder(folder, scale, file);
  const size = (statSync(file).size / 1024 ** 2).toFixed(0);
  say(`Made and verified in ${((performance.now() - start) / 1000).toFixed(0)} s: ${size} MB in ${file}`);
  return file;
}

/** Data of this size for an older schema or recipe: each is a gigabyte. */
function removeOlder(folder: string, scale: Scale, newest: string): void {
  for (const name of readdirSync(folder)) {
    if (name.startsWith(`${scale.messages}-`) && !newest.endsWith(name)) removeDatabase(join(folder, name));
  }
}

function removeDatabase(file: string): void {
  for (const end of ['', '-wal', '-shm']) rmSync(`${file}${end}`, { force: true });
}
