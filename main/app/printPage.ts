// Prints an exported page as PDF (I1) in a window nobody sees: sandboxed, without scripts, and with nothing to load but that one file.
import { pathToFileURL } from 'node:url';
import { BrowserWindow, session } from 'electron';

let prints = 0;

/** Throws the signal's reason; what the page cannot be loaded for is thrown as it comes. */
export async function printPage(file: string, signal: AbortSignal): Promise<Uint8Array> {
  signal.throwIfAborted();
  const url = pathToFileURL(file).href;
  prints += 1;
  // Kept in memory and of this print alone.
  const own = session.fromPartition(`print-${prints}`, { cache: false });
  own.webRequest.onBeforeRequest((request, answer) => answer({ cancel: request.url !== url && !request.url.startsWith('data:') }));
  own.setPermissionRequestHandler((_contents, _permission, answer) => answer(false));
  const window = new BrowserWindow({
    show: false,
    webPreferences: { session: own, sandbox: true, contextIsolation: true, nodeIntegration: false, javascript: false, webviewTag: false },
  });
  window.webContents.setWindowOpenHandler(() => ({ action: 'deny' }));
  const stopped = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
  try {
    return await Promise.race([printed(window, url), stopped]);
  } finally {
    window.destroy();
  }
}

async function printed(window: BrowserWindow, url: string): Promise<Uint8Array> {
  await window.loadURL(url);
  return window.webContents.printToPDF({ pageSize: 'A4', printBackground: true });
}
