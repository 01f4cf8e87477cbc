// Hands the window a message port at each load, and turns a dropped File into a path, which main is told of on demand; nothing else crosses here.
import { contextBridge, ipcRenderer, webUtils } from 'electron';

/** Chromium before 130 (Electron 25) puts the path on the File itself; later ones ask webUtils. */
type FileWithPath = File & { path?: string };

/** Empty for anything that is no file of this computer: an object with a path is none. */
function pathOf(file: FileWithPath): string {
  if (!(file instanceof File)) return '';
  return typeof webUtils?.getPathForFile === 'function' ? webUtils.getPathForFile(file) : (file.path ?? '');
}

contextBridge.exposeInMainWorld('boughFiles', {
  pathOf,
  /** The path, once main knows that a person gave it. */
  give: async (file: FileWithPath): Promise<string> => {
    const path = pathOf(file);
    await ipcRenderer.invoke('bough:given', path);
    return path;
  },
});

window.addEventListener('DOMContentLoaded', () => {
  const channel = new MessageChannel();
  ipcRenderer.postMessage('bough:connect', null, [channel.port2]);
  window.postMessage('bough:port', window.location.origin, [channel.port1]);
});
