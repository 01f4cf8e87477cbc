// The application menu. Items that act on a window send it a command; their keys are handled by the window, by physical key (U6).
import { Menu, type MenuItemConstructorOptions } from 'electron';
import words from '../../assets/locales/en/menu.json';
import type { WindowCommand } from '../../shared/model/events';

export type MenuActions = {
  /** Sends a command to the focused window. */
  command(command: WindowCommand): void;
  openWorkspace(): void;
  newWindow(): void;
  openLog(): void;
};

export function installMenu(actions: MenuActions, options: { mac: boolean; development: boolean }): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, options)));
}

/** Shows the shortcut beside the item without taking the key from the window. */
function item(label: string, accelerator: string, click: () => void): MenuItemConstructorOptions {
  return { label, accelerator, registerAccelerator: false, click };
}

function menuTemplate(actions: MenuActions, { mac, development }: { mac: boolean; development: boolean }): MenuItemConstructorOptions[] {
  const settings = item(words.settings, 'CmdOrCtrl+,', () => actions.command('settings'));
  const separator: MenuItemConstructorOptions = { type: 'separator' };
  const file: MenuItemConstructorOptions = {
    label: words.file,
    submenu: [
      item(words.newConversation, 'CmdOrCtrl+N', () => actions.command('newConversation')),
      { label: words.newWindow, accelerator: 'CmdOrCtrl+Shift+N', click: actions.newWindow },
      separator,
      { label: words.openWorkspace, click: actions.openWorkspace },
      separator,
      ...(mac ? [] : [settings, separator]),
      { role: 'close' },
      ...(mac ? [] : [{ role: 'quit' } satisfies MenuItemConstructorOptions]),
    ],
  };
  const view: MenuItemConstructorOptions = {
    label: words.view,
    submenu: [
      item(words.search, 'CmdOrCtrl+K', () => actions.command('search')),
      item(words.sidebar, 'CmdOrCtrl+B', () => actions.command('toggleSidebar')),
      item(words.panel, 'CmdOrCtrl+Shift+B', () => actions.command('togglePanel')),
      separator,
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      separator,
      { role: 'togglefullscreen' },
      ...(development ? [{ role: 'toggleDevTools' } satisfies MenuItemConstructorOptions] : []),
    ],
  };
  const help: MenuItemConstructorOptions = {
    role: 'help',
    submenu: [item(words.shortcuts, 'CmdOrCtrl+/', () => actions.command('shortcuts')), { label: words.openLog, click: actions.openLog }],
  };
  const macApp: MenuItemConstructorOptions = {
    role: 'appMenu',
    submenu: [
      { role: 'about' },
      separator,
      settings,
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
  return [...(mac ? [macApp] : []), file, { role: 'editMenu' }, view, { role: 'windowMenu' }, help];
}
