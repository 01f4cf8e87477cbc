// Puts the application menu in its place; again when its keys have changed.
import { Menu } from 'electron';
import { type MenuActions, type MenuOptions, menuTemplate } from './menuTemplate';

export function installMenu(actions: MenuActions, options: MenuOptions): void {
  Menu.setApplicationMenu(Menu.buildFromTemplate(menuTemplate(actions, options)));
}
