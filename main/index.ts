// Composition root: builds everything in order and reads as a list; the only file that wires.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, type BrowserWindow, BrowserWindow as Windows, nativeTheme, session, shell, type WebContents } from 'electron';
import type { AppInfo } from '../shared/contract';
import type { WindowCommand, WindowEvent } from '../shared/model/events';
import { FailureError, makeFailure } from '../shared/model/failure';
import type { BlobHash } from '../shared/model/ids';
import type { SettingsView } from '../shared/model/settings';
import { createModelDirectory } from './agents/modelDirectory';
import { appOrigin, registerAppScheme, serveApp } from './app/appProtocol';
import { parseArguments } from './app/arguments';
import { installContextMenu } from './app/contextMenu';
import { desktopFor, openExternal } from './app/desktop';
import { systemKeychain } from './app/keychain';
import { installMenu } from './app/menu';
import { pathsOf } from './app/paths';
import { createWindow, denyPermissions } from './app/windows';
import type { WindowContext } from './ipc/context';
import { openGate } from './ipc/gate';
import { router } from './ipc/router';
import { systemNow } from './lib/clock';
import { createLogger, createRedactor, fileSink } from './lib/logger';
import { createNewId } from './lib/newId';
import { openSessions, type Session } from './sessions';
import { openSecrets } from './user/secrets';
import { openUserSettings } from './user/userSettings';

const started = parseArguments(process.argv, process.cwd());
if (started.userData) app.setPath('userData', started.userData);
registerAppScheme();
if (app.requestSingleInstanceLock()) void app.whenReady().then(start);
else app.quit();

type OpenWindow = { window: BrowserWindow; session: Session; context: WindowContext };

function start(): void {
  const development = !app.isPackaged;
  const paths = pathsOf(app.getPath('userData'), app.getPath('documents'));
  mkdirSync(paths.userData, { recursive: true });
  const redactor = createRedactor();
  const logger = createLogger({ now: systemNow, sink: fileSink(paths.log), redactor });
  process.on('unhandledRejection', (cause) => logger.log('error', 'a promise was not looked after', { cause }));
  const newId = createNewId(systemNow);
  const userSettings = openUserSettings(paths.settings);
  const secrets = openSecrets(paths.secrets, { keychain: systemKeychain(), redactor, logger, env: process.env });
  const sessions = openSessions({
    logger,
    now: systemNow,
    newId,
    recentFile: paths.recent,
    defaultFolder: paths.defaultWorkspace,
    workers: join(import.meta.dirname, '../workers'),
    models: (readBlob) => createModelDirectory({ settings: userSettings.get, keyOf: secrets.keyOf, readBlob }),
  });
  const windows = new Map<WebContents, OpenWindow>();

  const waiting = new WeakMap<WebContents, Promise<Session>>();

  const settingsView = (of: Session): SettingsView => {
    const { providers, ...settings } = userSettings.get();
    return {
      ...settings,
      providers: providers.map(({ apiKey, ...provider }) => {
        const { source, variable } = secrets.sourceOf(apiKey === undefined ? provider : { ...provider, apiKey });
        return { ...provider, keySource: source, ...(variable ? { keyVariable: variable } : {}) };
      }),
      agents: of.models.agents(),
      problems: [...userSettings.problems(), ...of.settingsProblems()],
      writable: userSettings.writable(),
      workspace: of.access.settings(),
    };
  };
  const tellAll = (event: (of: Session) => WindowEvent) => {
    for (const one of new Set([...windows.values()].map((entry) => entry.session))) one.access.hub.publish(event(one));
  };
  const tellSettings = () => {
    nativeTheme.themeSource = userSettings.get().preferences.theme;
    tellAll((of) => ({ type: 'settingsChanged', settings: settingsView(of) }));
  };

  const openWindow = async (folder: string, options: { readOnly?: boolean | undefined } = {}): Promise<Session> => {
    const window = createWindow({
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      stateFile: paths.windowState,
      icon: join(app.getAppPath(), 'assets/icon.png'),
      theme: userSettings.get().preferences.theme,
      openExternal: (url) => openExternal(url, logger),
      logger,
    });
    const { webContents } = window;
    installContextMenu(webContents, desktopFor(window, logger).copyText);
    const opening = sessions.open(folder, options);
    waiting.set(webContents, opening);
    window.on('closed', () => {
      const entry = windows.get(webContents);
      windows.delete(webContents);
      if (entry) void sessions.release(entry.session);
    });
    window.on('focus', () => {
      if (userSettings.reload()) tellSettings();
    });
    const opened = await opening;
    if (window.isDestroyed()) await sessions.release(opened);
    else windows.set(webContents, { window, session: opened, context: contextFor(window) });
    return opened;
  };

  const contextFor = (window: BrowserWindow): WindowContext => {
    const own = () => {
      const entry = windows.get(window.webContents);
      if (!entry) throw new FailureError(makeFailure('workspaceGone', 'This window is closing.'));
      return entry;
    };
    return {
      workspace: () => own().session.access,
      openWorkspace: async (folder, options) => {
        if (options.newWindow) return (await openWindow(folder, options)).access.state();
        const entry = own();
        const next = await sessions.swap(entry.session, folder, options);
        if (next.session !== entry.session) {
          entry.session = next.session;
          window.webContents.reload();
        }
        return next.state;
      },
      recentWorkspaces: sessions.recent,
      userSettings,
      secrets,
      get models() {
        return own().session.models;
      },
      settingsChanged: () => {
        tellSettings();
        return settingsView(own().session);
      },
      settingsView: () => settingsView(own().session),
      desktop: desktopFor(window, logger),
      readPdf: sessions.readPdf,
      info: (): AppInfo => ({
        version: app.getVersion(),
        electron: process.versions.electron ?? '',
        platform: process.platform,
        locale: app.getLocale(),
        systemDark: nativeTheme.shouldUseDarkColors,
        development,
      }),
      newId,
      now: systemNow,
    };
  };

  /** A page may ask before its workspace is open: it waits. */
  const contextOf = async (contents: WebContents): Promise<WindowContext | null> => {
    await waiting.get(contents);
    return windows.get(contents)?.context ?? null;
  };
  denyPermissions();
  serveApp(session.defaultSession, join(import.meta.dirname, '../renderer'), (hash) => sessions.readBlob(hash as BlobHash));
  openGate({ router, origin: appOrigin, contextOf, logger });
  const focused = () => windows.get(Windows.getFocusedWindow()?.webContents ?? ([...windows.keys()][0] as WebContents));
  const command = (name: WindowCommand) => focused()?.session.access.hub.publish({ type: 'command', command: name });
  installMenu(
    {
      command,
      openWorkspace: () => void chooseWorkspace(),
      newWindow: () => void openWindow(focused()?.session.access.state().folder ?? paths.defaultWorkspace),
      openLog: () => shell.showItemInFolder(paths.log),
    },
    { mac: process.platform === 'darwin', development },
  );
  const chooseWorkspace = async () => {
    const entry = focused();
    const folder = entry ? await desktopFor(entry.window, logger).chooseFolder() : null;
    if (entry && folder) await entry.context.openWorkspace(folder, {});
  };

  const firstFolder = started.workspace ?? sessions.lastFolder() ?? paths.defaultWorkspace;
  void openWindow(firstFolder);

  app.on('second-instance', (_event, argv, cwd) => {
    const { workspace } = parseArguments(argv, cwd);
    const entry = workspace ? null : focused();
    if (entry) entry.window.show();
    else void openWindow(workspace ?? firstFolder);
  });
  app.on('activate', () => {
    if (windows.size === 0) void openWindow(firstFolder);
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    // Not quit(): called from here it is lost, and every window is closed already.
    void sessions.closeAll().finally(() => app.exit(0));
  });
}
