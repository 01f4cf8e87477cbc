import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { FailureError } from '../../shared/model/failure';
import type { ConversationId } from '../../shared/model/ids';
import { createLogger, createRedactor } from '../lib/logger';
import { openGrants } from './grants';

let folder: string;
let file: string;
let lines: string[];
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-grants-'));
  file = join(folder, 'approvals.json');
  lines = [];
});
afterEach(() => {
  rmSync(folder, { recursive: true });
});

const one = 'cnv_1' as ConversationId;
const two = 'cnv_2' as ConversationId;
const open = () =>
  openGrants({ file, logger: createLogger({ now: () => 0, sink: (line) => lines.push(line), redactor: createRedactor() }) });
const inWorkspace = (name = '/disk/garden') => open().inWorkspace(name);
const stored = () => JSON.parse(readFileSync(file, 'utf8'));

it('A4: what was allowed for a conversation holds for it after a restart, and for no other', async () => {
  const grants = inWorkspace();
  await Promise.all([grants.add(one, ['edit /a', 'host x']), grants.add(two, ['edit /b']), grants.add(one, ['edit /c', 'edit /a'])]);
  for (const each of [grants, inWorkspace()]) {
    expect(each.keysOf(one)).toEqual(new Set(['edit /a', 'host x', 'edit /c']));
    expect(each.keysOf(two)).toEqual(new Set(['edit /b']));
    expect(each.keysOf('cnv_3' as ConversationId)).toEqual(new Set());
  }
  expect(statSync(file).mode & 0o077).toBe(0);
  expect(lines).toEqual([]);
});

it('W2: a folder that was copied, with the same conversations, carries nothing that is allowed', async () => {
  await inWorkspace().add(one, ['host x']);
  const grants = open();
  const copy = grants.inWorkspace('/data/copy');
  expect(copy.keysOf(one)).toEqual(new Set());
  await copy.add(one, ['host y']);
  for (const each of [grants, open()]) {
    expect(each.inWorkspace('/disk/garden').keysOf(one)).toEqual(new Set(['host x']));
    expect(each.inWorkspace('/data/copy').keysOf(one)).toEqual(new Set(['host y']));
  }
});

it('A4: a set that was given out does not grow by itself, and nothing is read or written before it is asked', async () => {
  const grants = inWorkspace();
  expect(readdirSync(folder)).toEqual([]);
  const before = grants.keysOf(one);
  await grants.add(one, ['edit /a']);
  expect(before).toEqual(new Set());
});

it('A4: what is forgotten is gone from the file too', async () => {
  const grants = inWorkspace();
  await grants.add(one, ['edit /a']);
  await grants.add(two, ['edit /b']);
  await grants.forget(one);
  expect(grants.keysOf(one)).toEqual(new Set());
  expect(inWorkspace().keysOf(two)).toEqual(new Set(['edit /b']));
  expect(readFileSync(file, 'utf8')).not.toContain('edit /a');
  await grants.forget(one);
});

it('R3: the file stays bounded: the conversations used last, and the newest keys of each', async () => {
  const old = Array.from({ length: 2000 }, (_, index) => ({
    folder: '/w',
    conversationId: `cnv_${index}`,
    keys: ['edit /a'],
    usedAt: index,
  }));
  writeFileSync(file, JSON.stringify({ version: 1, conversations: old }));
  const grants = open().inWorkspace('/w');
  expect(grants.keysOf('cnv_0' as ConversationId).size).toBe(1);
  await grants.add(
    'cnv_new' as ConversationId,
    Array.from({ length: 600 }, (_, index) => `edit /${index}`),
  );
  const ids = stored().conversations.map((entry: { conversationId: string }) => entry.conversationId);
  expect(ids).toHaveLength(2000);
  expect(ids).toContain('cnv_new');
  // It was used just now.
  expect(ids).toContain('cnv_0');
  expect(ids).not.toContain('cnv_1');
  const keys = open()
    .inWorkspace('/w')
    .keysOf('cnv_new' as ConversationId);
  expect(keys.size).toBe(500);
  expect(keys.has('edit /599')).toBe(true);
  expect(keys.has('edit /99')).toBe(false);
});

it('R3: a broken file is kept aside, said in the log, and begun anew', async () => {
  for (const broken of [
    '{"version":1,"conv',
    '',
    '[]',
    '{"version":1,"conversations":{"cnv_1":["edit /"]}}',
    '{"version":"1","conversations":[]}',
  ]) {
    writeFileSync(file, broken);
    lines = [];
    const grants = inWorkspace();
    expect(grants.keysOf(one)).toEqual(new Set());
    await grants.add(one, ['edit /a']);
    expect(readFileSync(`${file}.broken`, 'utf8')).toBe(broken);
    expect(inWorkspace().keysOf(one)).toEqual(new Set(['edit /a']));
    expect(lines).toHaveLength(1);
  }
});

it('R3, W2: a file of a newer version is not written over; what is allowed then holds for this run', async () => {
  const newer = '{"version":2,"conversations":[{"folder":"/disk/garden","conversationId":"cnv_1","keys":["edit /x"]}]}';
  writeFileSync(file, newer);
  const grants = inWorkspace();
  await expect(grants.add(one, ['edit /a'])).rejects.toBeInstanceOf(FailureError);
  expect(grants.keysOf(one)).toEqual(new Set(['edit /a']));
  expect(readFileSync(file, 'utf8')).toBe(newer);
});

it('R3: what cannot be written holds for this run, says so, and is written with the next', async () => {
  mkdirSync(`${folder}/held`);
  file = join(folder, 'held', 'inner', 'approvals.json');
  const grants = inWorkspace();
  expect(grants.keysOf(one)).toEqual(new Set());
  rmSync(`${folder}/held`, { recursive: true });
  // A file where the folder should be.
  writeFileSync(`${folder}/held`, '');
  await expect(grants.add(one, ['edit /a'])).rejects.toBeInstanceOf(FailureError);
  expect(grants.keysOf(one)).toEqual(new Set(['edit /a']));
  rmSync(`${folder}/held`);
  await grants.add(two, ['edit /b']);
  expect(existsSync(file)).toBe(true);
  expect(inWorkspace().keysOf(one)).toEqual(new Set(['edit /a']));
});

it('R3: something that cannot be read is left alone', async () => {
  mkdirSync(file);
  const grants = inWorkspace();
  expect(grants.keysOf(one)).toEqual(new Set());
  await expect(grants.add(one, ['edit /a'])).rejects.toBeInstanceOf(FailureError);
  expect(statSync(file).isDirectory()).toBe(true);
});
