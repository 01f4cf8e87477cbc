// Composition root: builds everything in order and reads as a list. With the files beside it the only place that wires.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { app, session, shell } from 'electron';
import type { BlobHash } from '../shared/model/ids';
import type { WindowCommandId } from '../shared/windowCommands';
import { createModelDirectory } from './agents/modelDirectory';
import { ripgrepIn } from './agents/tools/common/ripgrep';
import { appOrigin, registerAppScheme, serveApp } from './app/appProtocol';
import { parseArguments } from './app/arguments';
import { openExternal } from './app/desktop';
import { type EndPart, endInTime } from './app/ending';
import { systemKeychain } from './app/keychain';
import { installMenu } from './app/menu';
import { menuWordsOf } from './app/menuWords';
import { pathsOf } from './app/paths';
import { createWindow, denyPermissions } from './app/windows';
import type { PagesOutcome } from './context/snapshot/makePages';
import { createTokenCounter } from './context/tokens/tokenCounter';
import { createThreadReader } from './interchange/importThread';
import { openGate } from './ipc/gate';
import { openOutlineReader } from './ipc/outlineReader';
import { router } from './ipc/router';
import { type AskedWorker, openAskedWorker } from './lib/askedWorker';
import { writesDone } from './lib/atomicFile';
import { systemNow } from './lib/clock';
import { createLogger, createRedactor, fileSink } from './lib/logger';
import { createNewId } from './lib/newId';
import { runInWorker } from './lib/runInWorker';
import { openSessions, type Sessions } from './sessions';
import { openGrants } from './user/grants';
import { openLearnedLimits } from './user/learnedLimits';
import { openSecrets } from './user/secrets';
import { openUserSettings } from './user/userSettings';
import { WindowHost } from './windowHost';
import { openSearchThread } from './workspace/searchThread';

const started = parseArguments(process.argv, process.cwd());
if (started.userData) app.setPath('userData', started.userData);
registerAppScheme();
if (app.requestSingleInstanceLock()) void app.whenReady().then(start);
else app.quit();

function start(): void {
  const paths = pathsOf(app.getPath('userData'), app.getPath('documents'));
  mkdirSync(paths.userData, { recursive: true });
  const redactor = createRedactor();
  const logger = createLogger({ now: systemNow, sink: fileSink(paths.log), redactor });
  process.on('unhandledRejection', (cause) => logger.log('error', 'a promise was not looked after', { cause }));
  const newId = createNewId(systemNow);
  const userSettings = openUserSettings(paths.settings);
  const secrets = openSecrets(paths.secrets, { keychain: systemKeychain(), redactor, logger, env: process.env });
  const limits = openLearnedLimits({ file: paths.limits, logger, now: systemNow });
  const inWorker = <T>(name: string, job: unknown) => runInWorker(join(import.meta.dirname, `../workers/${name}.cjs`), job) as Promise<T>;
  const [tokens, pages] = [asked('tokens'), asked('pages')];
  const sessions = openSessions({
    logger,
    now: systemNow,
    newId,
    recentFile: paths.recent,
    defaultFolder: paths.defaultWorkspace,
    run: (job) => inWorker('reader', job),
    searchThread: (file) => openSearchThread(join(import.meta.dirname, '../workers/search.cjs'), file),
    grants: openGrants({ file: paths.approvals, logger }),
    counter: createTokenCounter((job) => tokens.ask(job)),
    makePages: (job) => pages.ask(job) as Promise<PagesOutcome>,
    tools: {
      platform: process.platform,
      environment: process.env,
      hideKeys: redactor.redactKnown,
      ripgrep: ripgrepIn(app.getAppPath().replace(/\bapp\.asar$/, 'app.asar.unpacked'), process.platform, process.arch),
    },
    models: (inWorkspace) =>
      createModelDirectory({
        settings: userSettings.get,
        keyOf: secrets.keyOf,
        limits,
        drawPicture: (job) => inWorker('picture', job),
        ...inWorkspace,
      }),
  });
  const makeWindow = () =>
    createWindow({
      preload: join(import.meta.dirname, '../preload/index.cjs'),
      stateFile: paths.windowState,
      icon: join(app.getAppPath(), 'assets/icon.png'),
      theme: userSettings.get().preferences.theme,
      openExternal: (url) => openExternal(url, logger),
      logger,
    });
  const menu = {
    command: (command: WindowCommandId) => host.command(command),
    openWorkspace: () => void host.chooseWorkspace(),
    newWindow: () => void host.open(host.focused()?.session.folder ?? firstFolder),
    openLog: () => shell.showItemInFolder(paths.log),
  };
  const menuWords = () => menuWordsOf(userSettings.get().preferences.language, app.getLocale());
  const drawMenu = () => installMenu(menu, { shortcuts: userSettings.get().preferences.shortcuts, words: menuWords() });
  const host = new WindowHost({
    sessions,
    userSettings,
    secrets,
    logger,
    newId,
    makeWindow,
    menuWords,
    settingsTold: drawMenu,
    readPdf: (bytes) => inWorker('pdf', bytes),
    checkPicture: (bytes) => inWorker('picture', { bytes, draw: null }),
    readImport: (files) => createThreadReader(join(import.meta.dirname, '../workers/importer.cjs'), files),
    readOutline: openOutlineReader(join(import.meta.dirname, '../workers/outline.cjs')),
  });
  const firstFolder = started.workspace ?? sessions.lastFolder() ?? paths.defaultWorkspace;

  denyPermissions();
  serveApp(session.defaultSession, join(import.meta.dirname, '../renderer'), (hash) => sessions.readBlob(hash as BlobHash));
  openGate({ router, origin: appOrigin, contextOf: (contents) => host.contextOf(contents), logger });
  void host.open(firstFolder);
  drawMenu();
  followLifecycle(host, firstFolder, () => endInTime(partsToEnd(sessions, tokens, pages), logger));
}

const asked = (name: string) =>
  openAskedWorker(join(import.meta.dirname, `../workers/${name}.cjs`), { workerData: undefined, idle: 60_000 });

function partsToEnd(sessions: Sessions, ...threads: AskedWorker[]): EndPart[] {
  return [
    // Together: turns and passes are stopped before the threads that they wait for.
    { name: 'workspaces', end: () => Promise.all([sessions.closeAll(), ...threads.map((thread) => thread.close())]) },
    { name: 'writes', end: writesDone },
  ];
}

function followLifecycle(host: WindowHost, firstFolder: string, end: () => Promise<void>): void {
  app.on('second-instance', (_event, argv, cwd) => {
    const { workspace } = parseArguments(argv, cwd);
    const window = workspace ? undefined : host.focused()?.window;
    if (window?.isMinimized()) window.restore();
    if (window) window.focus();
    else void host.open(workspace ?? firstFolder);
  });
  app.on('activate', () => {
    if (host.count === 0) void host.open(firstFolder);
  });
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });
  app.on('will-quit', (event) => {
    event.preventDefault();
    // Not quit(): called from here it is lost, and every window is closed already.
    void end().finally(() => app.exit(0));
  });
}
