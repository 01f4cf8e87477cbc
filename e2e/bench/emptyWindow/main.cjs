// The floor of the window benchmarks: a window of the same runtime with the same hardening and nothing in it, or one page of ours.
const { readFile } = require('node:fs/promises');
const { extname, join } = require('node:path');
const { app, BrowserWindow, protocol } = require('electron');

/** @param {string} name */
const value = (name) => process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
const folder = value('pages') ?? '';
const page = value('page');
const userData = value('user-data-dir');
if (userData) app.setPath('userData', userData);

/** @type {Record<string, string>} */
const types = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css' };
protocol.registerSchemesAsPrivileged([{ scheme: 'bench', privileges: { standard: true, secure: true, supportFetchAPI: true } }]);

/** @param {Request} request */
async function serve(request) {
  const path = decodeURIComponent(new URL(request.url).pathname);
  const headers = { 'content-type': types[extname(path)] ?? 'application/octet-stream' };
  return new Response(await readFile(join(folder, path)), { headers });
}

void app.whenReady().then(() => {
  if (page) protocol.handle('bench', serve);
  const window = new BrowserWindow({
    width: 1240,
    height: 820,
    show: false,
    autoHideMenuBar: true,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false },
  });
  window.once('ready-to-show', () => window.show());
  if (page) void window.loadURL(`bench://pages/${page}`);
  else
    void window.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent('<!doctype html><title>Empty</title><p>An empty window</p>')}`);
});
app.on('window-all-closed', () => app.quit());
