import type { MenuItemConstructorOptions } from 'electron';
import { describe, expect, it } from 'vitest';
import { windowCommands } from '../../shared/windowCommands';
import { menuTemplate } from './menuTemplate';

const asked: string[] = [];
const note = (what: string) => () => void asked.push(what);
const actions = {
  command: (id: string) => void asked.push(id),
  openWorkspace: note('main: openWorkspace'),
  newWindow: note('main: newWindow'),
  openLog: note('main: openLog'),
};
const itemsOf = (options: Partial<Parameters<typeof menuTemplate>[1]> = {}): MenuItemConstructorOptions[] =>
  menuTemplate(actions, { mac: false, development: false, shortcuts: {}, ...options }).flatMap(({ submenu }) =>
    Array.isArray(submenu) ? submenu : [],
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
});
