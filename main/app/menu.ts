// Puts the application menu in its place; again when its keys or the language have changed.
import { app, Menu } from 'electron';
import { type MenuActions, type MenuOptions, menuTemplate } from './menuTemplate';

export function installMenu(actions: MenuActions, options: Pick<MenuOptions, 'shortcuts' | 'words'>): void {
  const here = { mac: process.platform === 'darwin', development: !app.isPackaged };
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, { ...here, ...options })));
}
