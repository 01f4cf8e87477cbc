import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { problemWithKeys } from './keys';
import { preferencesSchema } from './model/settings';
import { commandGroups, commandOfKeys, keysInUse, usualKeys, windowCommands } from './windowCommands';

const words = JSON.parse(readFileSync(join(import.meta.dirname, '../assets/locales/en/palette.json'), 'utf8'));
const platforms = [
  ['macOS', true],
  ['Windows and Linux', false],
] as const;

describe('the list of commands', () => {
  it.each(platforms)('U6: on %s no usual keys are used twice, and each could be chosen', (_, mac) => {
    const usual = windowCommands.flatMap((entry) => usualKeys(entry, mac) ?? []);
    expect(usual.filter((keys, at) => usual.indexOf(keys) !== at)).toEqual([]);
    const free = windowCommands.filter(({ fixed }) => fixed !== true).flatMap((entry) => usualKeys(entry, mac) ?? []);
    expect(free.filter((keys) => problemWithKeys(keys, mac) !== null)).toEqual([]);
  });

  it('U6: every command has an id of its own, a title and a group with a title', () => {
    const ids = windowCommands.map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    expect(Object.keys(words.what).sort()).toEqual([...ids].sort());
    expect(commandGroups.filter((group) => typeof words.group[group] !== 'string')).toEqual([]);
  });

  it('U6: what asks for words is a slash command, which takes them', () => {
    expect(windowCommands.filter(({ asks, slash }) => asks !== undefined && slash === undefined)).toEqual([]);
  });
});

describe('keys that were chosen', () => {
  it('U6: come before the usual ones, and none takes a key away for good', () => {
    const keys = keysInUse({ regenerate: 'Mod+KeyK', sidebar: null }, false);
    expect(keys.get('regenerate')).toBe('Mod+KeyK');
    expect(keys.has('palette')).toBe(false);
    expect(keys.has('sidebar')).toBe(false);
    expect(commandOfKeys('Mod+KeyK', { regenerate: 'Mod+KeyK' }, false)?.id).toBe('regenerate');
    expect(commandOfKeys('Mod+Shift+KeyR', { regenerate: 'Mod+KeyK' }, false)).toBeNull();
  });

  it('U6: of two the same the first in the list has them; fixed ones and the nine places cannot be taken', () => {
    expect(commandOfKeys('Mod+KeyJ', { find: 'Mod+KeyJ', newConversation: 'Mod+KeyJ' }, false)?.id).toBe('newConversation');
    expect(commandOfKeys('Mod+KeyZ', { find: 'Mod+KeyZ', undoDelete: null }, false)?.id).toBe('undoDelete');
    expect(commandOfKeys('Mod+Digit3', { find: 'Mod+Digit3' }, false)).toEqual({ id: 'openNth', nth: 2 });
  });

  it('U6, R3: unknown ids stay, what is no keys is said with its place', () => {
    const shortcuts = { fromTheFuture: 'Ludicrous+Speed', find: 'Mod+KeyJ', panel: null };
    expect(z.parse(preferencesSchema, { shortcuts }).shortcuts).toEqual(shortcuts);
    const wrong = z.safeParse(preferencesSchema, { shortcuts: { find: 'KeyJ' } });
    expect(wrong.error?.issues.map(({ path }) => path.join('.'))).toEqual(['shortcuts.find']);
  });
});
