// What the application menu holds, drawn from the list of commands. Their keys are answered by the window, by physical key (U6).
import type { MenuItemConstructorOptions } from 'electron';
import words from '../../assets/locales/en/menu.json';
import titles from '../../assets/locales/en/palette.json';
import { acceleratorOf } from '../../shared/keys';
import { type ChosenKeys, keysInUse, type WindowCommandEntry, type WindowCommandId, windowCommands } from '../../shared/windowCommands';

export type MenuActions = {
  /** Sends a command to the focused window. */
  command(command: WindowCommandId): void;
  openWorkspace(): void;
  newWindow(): void;
  openLog(): void;
};
export type MenuOptions = { mac: boolean; development: boolean; shortcuts: ChosenKeys };
type Item = MenuItemConstructorOptions;

const separator: Item = { type: 'separator' };

export function menuTemplate(actions: MenuActions, { mac, development, shortcuts }: MenuOptions): Item[] {
  const keys = keysInUse(shortcuts, mac);
  // These work without a window, too.
  const own: Partial<Record<WindowCommandId, () => void>> = { newWindow: actions.newWindow, openWorkspace: actions.openWorkspace };
  /** Shows the shortcut beside the item without taking the key from the window. */
  const itemOf = ({ id }: WindowCommandEntry): Item => {
    const pressed = keys.get(id);
    const accelerator = pressed === undefined ? {} : { accelerator: acceleratorOf(pressed), registerAccelerator: false };
    return { label: titles.what[id], ...accelerator, click: own[id] ?? (() => actions.command(id)) };
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
    submenu: [...itemsOf('file'), separator, { role: 'close' }, ...(mac ? [] : [{ role: 'quit' } satisfies Item])],
  };
  const view: Item = {
    label: words.view,
    submenu: [
      ...itemsOf('view'),
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
      ...(development ? [{ role: 'toggleDevTools' } satisfies Item] : []),
    ],
  };
  const help: Item = { role: 'help', submenu: [...itemsOf('help'), separator, { label: words.openLog, click: actions.openLog }] };
  return [...(mac ? [macApp(settings)] : []), file, editMenu(itemsOf('edit')), view, { role: 'windowMenu' }, help];
}

function editMenu(own: Item[]): Item {
  return {
    label: words.edit,
    submenu: [
      { role: 'undo' },
      { role: 'redo' },
      separator,
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'pasteAndMatchStyle' },
      { role: 'selectAll' },
      separator,
      ...own,
    ],
  };
}

function macApp(settings: Item[]): Item {
  return {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      ...settings,
      separator,
      { role: 'services' },
      separator,
      { role: 'hide' },
      { role: 'hideOthers' },
      { role: 'unhide' },
      separator,
      { role: 'quit' },
    ],
  };
}
