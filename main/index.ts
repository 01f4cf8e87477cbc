// Composition root: builds everything in order; the only file that wires.

import { join } from 'node:path';
import { app, BrowserWindow } from 'electron';

app.whenReady().then(() => {
  const window = new BrowserWindow({ width: 1280, height: 800, webPreferences: { sandbox: true, contextIsolation: true } });
  return window.loadFile(join(import.meta.dirname, '../renderer/index.html'));
});
