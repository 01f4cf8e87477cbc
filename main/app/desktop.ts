// What only the desktop can do: dialogs, the clipboard, the file manager, and the one opener of addresses.
import { join } from 'node:path';
import { app, type BrowserWindow, clipboard, dialog, shell } from 'electron';
import type { Logger } from '../lib/logger';
import { printPage } from './printPage';
import { safeExternalUrl } from './safeUrl';

/** The one place that opens an address; false when it is not http, https or mailto. */
export function openExternal(text: string, logger: Logger): boolean {
  const url = safeExternalUrl(text);
  if (!url) {
    logger.log('warn', 'an address was not opened', { scheme: text.slice(0, text.indexOf(':') + 1) });
    return false;
  }
  void shell.openExternal(url).catch((error: unknown) => logger.log('warn', 'an address did not open', { cause: error }));
  return true;
}

/** The desktop as one window's calls may use it. */
export function desktopFor(window: BrowserWindow, logger: Logger) {
  return {
    openExternal: (url: string) => openExternal(url, logger),
    copyText: (text: string) => clipboard.writeText(text),
    reveal: (path: string) => shell.showItemInFolder(path),
    chooseFolder: async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openDirectory', 'createDirectory'] });
      return canceled ? null : (filePaths[0] ?? null);
    },
    chooseFiles: async () => {
      const { canceled, filePaths } = await dialog.showOpenDialog(window, { properties: ['openFile', 'multiSelections'] });
      return canceled ? [] : filePaths;
    },
    chooseSaveFile: async (defaultName: string, extension: string) => {
      const { canceled, filePath } = await dialog.showSaveDialog(window, {
        defaultPath: join(app.getPath('documents'), defaultName),
        filters: [{ name: extension.toUpperCase(), extensions: [extension] }],
        properties: ['createDirectory', 'showOverwriteConfirmation'],
      });
      return canceled || !filePath ? null : filePath;
    },
    printPage,
  };
}
