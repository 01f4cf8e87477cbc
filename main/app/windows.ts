// Makes windows: hardened, restored to their place, shown with the theme's background when the first frame is ready (Z1, U6).
import { BrowserWindow, nativeImage, nativeTheme, screen, session, type WebContents } from 'electron';
import type { Logger } from '../lib/logger';
import { appOrigin } from './appProtocol';
import { clampToDisplays, minimumSize, readWindowState, saveWindowState } from './windowState';

export type WindowOptions = {
  preload: string;
  stateFile: string;
  icon: string;
  theme: 'system' | 'light' | 'dark';
  openExternal(url: string): void;
  logger: Logger;
};

/** The page's own backgrounds (`--paper` in renderer/ui/tokens.css): nothing else is seen before the first frame. */
const backgrounds = { light: '#ffffff', dark: '#20201e' };
const reloadAfterCrashOnce = new WeakSet<WebContents>();

export function createWindow(options: WindowOptions): BrowserWindow {
  nativeTheme.themeSource = options.theme;
  const state = clampToDisplays(
    readWindowState(options.stateFile),
    screen.getAllDisplays().map((display) => display.workArea),
  );
  const { maximized, ...bounds } = state;
  const window = new BrowserWindow({
    width: bounds.width,
    height: bounds.height,
    ...(bounds.x === undefined || bounds.y === undefined ? {} : { x: bounds.x, y: bounds.y }),
    minWidth: minimumSize.width,
    minHeight: minimumSize.height,
    show: false,
    autoHideMenuBar: true,
    backgroundColor: nativeTheme.shouldUseDarkColors ? backgrounds.dark : backgrounds.light,
    webPreferences: {
      preload: options.preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      spellcheck: true,
    },
  });
  if (maximized) window.maximize();
  window.once('ready-to-show', () => window.show());
  setIconLater(window, options.icon);
  keepState(window, options);
  denyNavigation(window.webContents, options);
  reloadAfterCrash(window.webContents, options.logger);
  void window
    .loadURL(`${appOrigin}/index.html`)
    .catch((error: unknown) => options.logger.log('error', 'the page did not load', { cause: error }));
  return window;
}

/** Pixels: what a task bar shows at most. */
const iconSize = 128;
/** Milliseconds after the page has loaded: the messages are painted by then. */
const iconDelay = 1_000;

/** A large picture given to a new window holds up its start by 60 ms on X11 (docs/benchmarks.md); macOS takes the program's own. */
function setIconLater(window: BrowserWindow, file: string): void {
  if (process.platform === 'darwin') return;
  const set = () => {
    if (!window.isDestroyed()) window.setIcon(nativeImage.createFromPath(file).resize({ width: iconSize, height: iconSize }));
  };
  window.webContents.once('did-finish-load', () => setTimeout(set, iconDelay));
}

/** Nothing in the page may ask for a camera, a place or a notification. */
export function denyPermissions(): void {
  session.defaultSession.setPermissionRequestHandler((_contents, permission, answer) => answer(permission === 'clipboard-sanitized-write'));
  session.defaultSession.setPermissionCheckHandler((_contents, permission) => permission === 'clipboard-sanitized-write');
}

function denyNavigation(contents: WebContents, options: WindowOptions): void {
  contents.setWindowOpenHandler(({ url }) => {
    options.openExternal(url);
    return { action: 'deny' };
  });
  const refuse = (event: { preventDefault(): void }, url: string) => {
    event.preventDefault();
    options.openExternal(url);
  };
  contents.on('will-navigate', (event, url) => {
    // A reload of the page itself is no navigation elsewhere.
    if (url !== `${appOrigin}/index.html`) refuse(event, url);
  });
  contents.on('will-redirect', refuse);
  contents.on('will-attach-webview', (event) => event.preventDefault());
}

/** A page that died is loaded again once; dying again at once would loop. */
function reloadAfterCrash(contents: WebContents, logger: Logger): void {
  contents.on('render-process-gone', (_event, details) => {
    if (details.reason === 'clean-exit') return;
    logger.log('error', 'a window died', { reason: details.reason });
    if (reloadAfterCrashOnce.has(contents)) {
      void contents.loadURL(`data:text/html;charset=utf-8,${encodeURIComponent(crashPage)}`);
      return;
    }
    reloadAfterCrashOnce.add(contents);
    contents.reload();
  });
}

const crashPage =
  '<!doctype html><title>Bough</title><body style="font:15px/24px system-ui;padding:48px;max-width:40em"><h1 style="font-size:20px">This window stopped twice</h1><p>Nothing that was stored is lost. Close the window and start Bough again; the reason is in its log.</p></body>';

function keepState(window: BrowserWindow, options: WindowOptions): void {
  let timer: NodeJS.Timeout | undefined;
  const save = () => {
    timer = undefined;
    if (window.isDestroyed()) return;
    const state = { ...window.getNormalBounds(), maximized: window.isMaximized() };
    void saveWindowState(options.stateFile, state).catch((error: unknown) => options.logger.log('warn', 'window state', { cause: error }));
  };
  const soon = () => {
    timer ??= setTimeout(save, 500);
  };
  window.on('resize', soon);
  window.on('move', soon);
  window.on('maximize', soon);
  window.on('unmaximize', soon);
  window.on('close', () => {
    clearTimeout(timer);
    save();
  });
}
