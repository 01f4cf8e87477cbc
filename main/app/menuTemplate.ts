// What the application menu holds, drawn from the list of commands. Their keys are answered by the window, by physical key (U6).
import type { MenuItemConstructorOptions } from 'electron';
import { acceleratorOf } from '../../shared/keys';
import { type ChosenKeys, keysInUse, type WindowCommandEntry, type WindowCommandId, windowCommands } from '../../shared/windowCommands';
import type { MenuWords } from './menuWords';

export type MenuActions = {
  /** Sends a command to the focused window. */
  command(command: WindowCommandId): void;
  openWorkspace(): void;
  newWindow(): void;
  openLog(): void;
};
export type MenuOptions = { mac: boolean; development: boolean; shortcuts: ChosenKeys; words: MenuWords };
type Item = MenuItemConstructorOptions;
type RoleName = keyof MenuWords['role'];
type RoleItem = (role: RoleName) => Item;

const separator: Item = { type: 'separator' };

/** What the system does, by its role, in the window's language. */
export function rolesIn(words: MenuWords): RoleItem {
  return (role) => ({ role, label: words.role[role] });
}

/** Of a field that can be edited. */
export function editItems(role: RoleItem): Item[] {
  const acts: RoleName[] = ['cut', 'copy', 'paste', 'pasteAndMatchStyle', 'selectAll'];
  return [role('undo'), role('redo'), separator, ...acts.map(role)];
}

export function menuTemplate(actions: MenuActions, { mac, development, shortcuts, words }: MenuOptions): Item[] {
  const role = rolesIn(words);
  const keys = keysInUse(shortcuts, mac);
  // These work without a window, too.
  const own: Partial<Record<WindowCommandId, () => void>> = { newWindow: actions.newWindow, openWorkspace: actions.openWorkspace };
  /** Shows the shortcut beside the item without taking the key from the window. */
  const itemOf = ({ id }: WindowCommandEntry): Item => {
    const pressed = keys.get(id);
    const accelerator = pressed === undefined ? {} : { accelerator: acceleratorOf(pressed), registerAccelerator: false };
    return { label: words.what[id], ...accelerator, click: own[id] ?? (() => actions.command(id)) };
  };
  const settings = windowCommands.filter(({ id }) => id === 'settings').map(itemOf);
  const itemsOf = (menu: WindowCommandEntry['menu']): Item[] => {
    const entries = windowCommands.filter((entry) => entry.menu === menu && !(mac && entry.id === 'settings'));
    return entries.flatMap((entry, at) =>
      at > 0 && entry.group !== entries[at - 1]?.group ? [separator, itemOf(entry)] : [itemOf(entry)],
    );
  };
  const file: Item = {
    label: words.file,
    submenu: [...itemsOf('file'), separator, role('close'), ...(mac ? [] : [role('quit')])],
  };
  const view: Item = {
    label: words.view,
    submenu: [
      ...itemsOf('view'),
      separator,
      role('resetZoom'),
      role('zoomIn'),
      role('zoomOut'),
      separator,
      role('togglefullscreen'),
      ...(development ? [role('toggleDevTools')] : []),
    ],
  };
  const edit: Item = { label: words.edit, submenu: [...editItems(role), separator, ...itemsOf('edit')] };
  const window: Item = {
    role: 'windowMenu',
    label: words.window,
    submenu: [role('minimize'), role('zoom'), ...(mac ? [separator, role('front')] : [role('close')])],
  };
  const help: Item = {
    role: 'help',
    label: words.help,
    submenu: [...itemsOf('help'), separator, { label: words.openLog, click: actions.openLog }],
  };
  return [...(mac ? [macApp(settings, role, words)] : []), file, edit, view, window, help];
}

function macApp(settings: Item[], role: RoleItem, words: MenuWords): Item {
  return {
    role: 'appMenu',
    submenu: [
      role('about'),
      separator,
      ...settings,
      separator,
      role('services'),
      separator,
      role('hide'),
      role('hideOthers'),
      role('unhide'),
      separator,
      { ...role('quit'), label: words.quitApp },
    ],
  };
}
