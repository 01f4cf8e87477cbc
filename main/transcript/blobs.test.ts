// The blob store: whole files, checked by their hash.
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BlobRecord, createBlobStore, hashOf } from './blobs';

let folder: string;
let records: BlobRecord[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-blobs-'));
  records = [];
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const store = () => createBlobStore({ folder, record: (blob) => records.push(blob) });
const bytes = new TextEncoder().encode('some bytes');
const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash);

describe('blobs', () => {
  it('W2: lie under the first two digits of their SHA-256 and come back byte by byte', async () => {
    const hash = await store().write(bytes, 'text/plain');
    expect(hash).toBe(hashOf(bytes));
    expect(existsSync(pathOf(hash))).toBe(true);
    expect(Buffer.from(await store().read(hash)).equals(Buffer.from(bytes))).toBe(true);
    expect(records).toEqual([{ hash, size: bytes.length, mime: 'text/plain' }]);
    expect(readdirSync(join(folder, hash.slice(0, 2)))).toEqual([hash]);
  });

  it('W2: the same bytes are one file, not written again; many at once are safe', async () => {
    const hash = await store().write(bytes, 'text/plain');
    const before = statSync(pathOf(hash));
    await Promise.all(Array.from({ length: 5 }, () => store().write(bytes, 'text/plain')));
    expect(statSync(pathOf(hash)).ino).toBe(before.ino);
    const other = new Uint8Array(100_000).fill(7);
    await Promise.all(Array.from({ length: 5 }, () => store().write(other, 'x/y')));
    expect(await store().read(hashOf(other))).toHaveLength(100_000);
  });

  it('R3, X4: lost and damaged ones are said to be gone, and written anew when the bytes come again', async () => {
    const hash = await store().write(bytes, 'text/plain');
    for (const bad of ['some bytes!', 'SOME bytes', '']) {
      writeFileSync(pathOf(hash), bad);
      await expect(store().read(hash)).rejects.toMatchObject({ failure: { code: 'blobGone' } });
    }
    await store().write(bytes, 'text/plain');
    expect(await store().read(hash)).toHaveLength(bytes.length);
    rmSync(pathOf(hash));
    await expect(store().read(hash)).rejects.toMatchObject({ failure: { code: 'blobGone' } });
  });

  it('R2: bytes are on disk before anything can name them; a write that fails names nothing', async () => {
    const hash = hashOf(bytes);
    const seen: boolean[] = [];
    await createBlobStore({ folder, record: () => seen.push(existsSync(pathOf(hash))) }).write(bytes, 'a/b');
    expect(seen).toEqual([true]);
    writeFileSync(join(folder, 'blocked'), '');
    const blocked = createBlobStore({ folder: join(folder, 'blocked'), record: (blob) => records.push(blob) });
    await expect(blocked.write(bytes, 'a/b')).rejects.toMatchObject({ failure: { code: 'workspaceGone' } });
    expect(records).toEqual([]);
  });

  it('W4: a read-only workspace reads and refuses to write', async () => {
    const hash = await store().write(bytes, 'text/plain');
    const reader = createBlobStore({ folder, record: null });
    expect(await reader.read(hash)).toHaveLength(bytes.length);
    await expect(reader.write(bytes, 'a/b')).rejects.toMatchObject({ failure: { code: 'workspaceReadOnly' } });
  });
});
