// Starts the real app for a test, as a person would: `electron .` with its own workspace and profile, and no variable set.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';

export type LaunchedApp = {
  app: ElectronApplication;
  /** The first window, once it exists. */
  window: Page;
  /** Temporary folders, removed by `close` unless they were given to `launchApp`. */
  folders: AppFolders;
  close: () => Promise<void>;
};

export type AppFolders = { workspace: string; userData: string };

/** Folders for one app; give them to two launches in turn to see what a restart keeps. */
export function makeFolders(): AppFolders {
  return { workspace: mkdtempSync(join(tmpdir(), 'bough-workspace-')), userData: mkdtempSync(join(tmpdir(), 'bough-user-')) };
}

export function removeFolders(folders: AppFolders): void {
  rmSync(folders.workspace, { recursive: true, force: true });
  rmSync(folders.userData, { recursive: true, force: true });
}

export async function launchApp(given?: AppFolders): Promise<LaunchedApp> {
  const folders = given ?? makeFolders();
  const app = await _electron.launch({ args: ['.', `--workspace=${folders.workspace}`, `--user-data-dir=${folders.userData}`] });
  const window = await app.firstWindow();
  const close = async () => {
    await app.close();
    if (!given) removeFolders(folders);
  };
  return { app, window, folders, close };
}
