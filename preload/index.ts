// Hands the window a message port at each load, and turns a dropped File into a path; nothing else crosses here.
import { contextBridge, ipcRenderer, webUtils } from 'electron';

/** Chromium before 130 (Electron 25) puts the path on the File itself; later ones ask webUtils. */
type FileWithPath = File & { path?: string };

contextBridge.exposeInMainWorld('boughFiles', {
  pathOf: (file: FileWithPath): string =>
    typeof webUtils?.getPathForFile === 'function' ? webUtils.getPathForFile(file) : (file.path ?? ''),
});

window.addEventListener('DOMContentLoaded', () => {
  const channel = new MessageChannel();
  ipcRenderer.postMessage('bough:connect', null, [channel.port2]);
  window.postMessage('bough:port', window.location.origin, [channel.port1]);
});
