import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openUserSettings } from './userSettings';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'bough-settings-'));
  file = join(folder, 'settings.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

it('W2: a change is written whole, readable by the user alone, and keys of other programs stay', async () => {
  writeFileSync(file, JSON.stringify({ version: 1, future: 'kept' }));
  const settings = openUserSettings(file);
  await Promise.all([
    settings.change((old) => ({ ...old, roles: { title: 'a/b' } })),
    settings.change((old) => ({ ...old, preferences: { ...old.preferences, theme: 'dark' } })),
  ]);
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ future: 'kept', roles: { title: 'a/b' }, preferences: { theme: 'dark' } });
  expect(statSync(file).mode & 0o077).toBe(0);
});

it('W2, R3: a broken file is never written over; mended by hand it holds again', async () => {
  writeFileSync(file, '{"version": 1, "providers": [}');
  const settings = openUserSettings(file);
  expect(settings.writable()).toBe(false);
  await expect(settings.change((old) => ({ ...old, roles: {} }))).rejects.toMatchObject({ failure: { code: 'settingsInvalid' } });
  expect(readFileSync(file, 'utf8')).toBe('{"version": 1, "providers": [}');
  writeFileSync(file, '{"version": 1}');
  expect(settings.reload()).toBe(true);
  expect(settings.writable()).toBe(true);
  expect(settings.reload()).toBe(false);
});

it('W2: an edit made by hand meanwhile is not lost to a change from the window', async () => {
  const settings = openUserSettings(file);
  await settings.change((old) => ({ ...old, onboarded: true }));
  const byHand = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>;
  writeFileSync(file, JSON.stringify({ ...byHand, roles: { title: 'hand/made' } }));
  await settings.change((old) => ({ ...old, preferences: { ...old.preferences, textSize: 150 } }));
  expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ roles: { title: 'hand/made' }, preferences: { textSize: 150 } });
});

it('R3: a file that cannot be read is said and left alone, and the program has what it needs', async () => {
  mkdirSync(file);
  const settings = openUserSettings(file);
  expect(settings.problems()).toMatchObject([{ file: 'user', path: '', message: expect.stringContaining('EISDIR') }]);
  expect(settings.get()).toMatchObject({ providers: [], onboarded: true });
  await expect(settings.change((old) => old)).rejects.toMatchObject({ failure: { code: 'settingsInvalid' } });
});
