import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { windowCommands } from '../../shared/windowCommands';
import { menuTemplate } from './menuTemplate';
import { menuWordsOf } from './menuWords';

const asked: string[] = [];
const note = (what: string) => () => void asked.push(what);
const actions = {
  command: (id: string) => void asked.push(id),
  openWorkspace: note('main: openWorkspace'),
  newWindow: note('main: newWindow'),
  openLog: note('main: openLog'),
};
const itemsOf = (options: Partial<Parameters<typeof menuTemplate>[1]> = {}): MenuItemConstructorOptions[] =>
  menuTemplate(actions, { mac: false, development: false, shortcuts: {}, words: menuWordsOf('en', 'en'), ...options }).flatMap(
    ({ submenu }) => (Array.isArray(submenu) ? submenu : []),
  );
const named = (label: string, options?: Parameters<typeof itemsOf>[0]) => itemsOf(options).find((item) => item.label === label);

describe('the application menu', () => {
  it.each([true, false])('U6: has every command that stands in a menu once (macOS: %s), without taking its keys', (mac) => {
    const items = itemsOf({ mac });
    const meant = windowCommands.filter(({ menu }) => menu !== undefined);
    for (const item of items) if (item.label && item.click) item.click(undefined as never, undefined as never, undefined as never);
    const ran = asked.splice(0).map((what) => what.replace('main: ', ''));
    expect([...ran].sort()).toEqual([...meant.map(({ id }) => id as string), 'openLog'].sort());
    expect(items.filter((item) => item.accelerator && item.registerAccelerator !== false)).toEqual([]);
  });

  it('U6: its keys follow what was chosen', () => {
    expect(named('New conversation')?.accelerator).toBe('CmdOrCtrl+N');
    expect(named('New conversation', { shortcuts: { newConversation: 'Mod+KeyJ' } })?.accelerator).toBe('CmdOrCtrl+J');
    expect(named('New conversation', { shortcuts: { newConversation: null } })?.accelerator).toBeUndefined();
  });

  it.each([
    ['ru', 'Новый разговор', 'Вырезать', 'Справка'],
    ['zh', '新对话', '剪切', '帮助'],
    ['ja', '新しい会話', '切り取り', 'ヘルプ'],
  ])('U1: it speaks %s, also where the system names an item', (language, command, role, menu) => {
    const words = menuWordsOf(language, 'en-US');
    const labels = (mac: boolean) => itemsOf({ mac, development: true, words }).flatMap(({ label, type }) => (type ? [] : [label]));
    expect(labels(false)).toEqual(expect.arrayContaining([command, role]));
    const english = new Set(labelsOf(menuWordsOf('en', 'en')));
    for (const mac of [true, false]) expect(labels(mac).filter((label) => label === undefined || english.has(label))).toEqual([]);
    expect(menuTemplate(actions, { mac: false, development: false, shortcuts: {}, words }).at(-1)?.label).toBe(menu);
  });

  it('U1: the language is the chosen one, else the system’s, else English', () => {
    expect(menuWordsOf('system', 'ru-RU').file).toBe('Файл');
    expect(menuWordsOf('ja', 'ru-RU').text.copyLink).toBe('リンクをコピー');
    expect(menuWordsOf('system', 'fr-FR').what.newConversation).toBe('New conversation');
  });
});

/** Every text, however deep. */
function labelsOf(words: object): string[] {
  return Object.values(words).flatMap((word) => (typeof word === 'string' ? [word] : labelsOf(word)));
}
