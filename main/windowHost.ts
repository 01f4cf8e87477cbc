// The open windows: each with its workspace and the context its calls run in. Wired from index.ts.
import { app, type BrowserWindow, nativeTheme, type WebContents, BrowserWindow as Windows } from 'electron';
import type { AppInfo } from '../shared/contract';
import type { WindowEvent } from '../shared/model/events';
import { FailureError, makeFailure } from '../shared/model/failure';
import type { NewId } from '../shared/model/ids';
import type { SettingsView } from '../shared/model/settings';
import type { WorkspaceState } from '../shared/model/workspace';
import type { WindowCommandId } from '../shared/windowCommands';
import { createContextMeter } from './agents/contextMeter';
import { installContextMenu } from './app/contextMenu';
import { desktopFor } from './app/desktop';
import type { MenuWords } from './app/menuWords';
import type { CheckPicture, ReadPdf } from './attachments/intake';
import type { WindowContext } from './ipc/context';
import type { ReadImport } from './ipc/imports/imports';
import type { OutlineReader } from './ipc/outlineReader';
import { systemNow } from './lib/clock';
import type { Logger } from './lib/logger';
import type { Session } from './session';
import type { Sessions } from './sessions';
import type { Secrets } from './user/secrets';
import type { UserSettingsFile } from './user/userSettings';
import { layoutOf } from './workspace/layout';

export type WindowHostOptions = {
  sessions: Sessions;
  userSettings: UserSettingsFile;
  secrets: Secrets;
  logger: Logger;
  newId: NewId;
  readPdf: ReadPdf;
  checkPicture: CheckPicture;
  readImport: ReadImport;
  readOutline: OutlineReader;
  makeWindow(): BrowserWindow;
  menuWords(): MenuWords;
  /** The settings have changed: what is outside the windows follows. */
  settingsTold(): void;
};
export type OpenOptions = { readOnly?: boolean | undefined; newWindow?: boolean | undefined };

type OpenWindow = { window: BrowserWindow; session: Session; context: WindowContext };

export class WindowHost {
  readonly #options: WindowHostOptions;
  readonly #windows = new Map<WebContents, OpenWindow>();
  readonly #meter = createContextMeter();
  readonly #opening = new WeakMap<WebContents, Promise<Session>>();

  constructor(options: WindowHostOptions) {
    this.#options = options;
  }

  get count(): number {
    return this.#windows.size;
  }

  /** A new window on a folder. Its page loads while the workspace opens. */
  async open(folder: string, options: OpenOptions = {}): Promise<Session> {
    const { sessions, logger, userSettings } = this.#options;
    const window = this.#options.makeWindow();
    const { webContents } = window;
    installContextMenu(webContents, desktopFor(window, logger).copyText, this.#options.menuWords);
    const opening = sessions.open(folder, options);
    this.#opening.set(webContents, opening);
    window.on('closed', () => {
      const entry = this.#windows.get(webContents);
      this.#windows.delete(webContents);
      if (entry) void sessions.release(entry.session);
    });
    window.on('focus', () => {
      if (userSettings.reload()) this.tellSettings();
    });
    const session = await opening;
    if (window.isDestroyed()) await sessions.release(session);
    else this.#windows.set(webContents, { window, session, context: this.#contextFor(window) });
    return session;
  }

  /** The context of a page's calls; a page may ask before its workspace is open, and waits. Null for contents that are no window of ours. */
  async contextOf(contents: WebContents): Promise<WindowContext | null> {
    await this.#opening.get(contents);
    return this.#windows.get(contents)?.context ?? null;
  }

  /** The focused window, else any. */
  focused(): OpenWindow | undefined {
    const contents = Windows.getFocusedWindow()?.webContents;
    return (contents && this.#windows.get(contents)) ?? [...this.#windows.values()][0];
  }

  /** Windows of one workspace hear the same events: the command says whose it is. */
  command(command: WindowCommandId): void {
    const entry = this.focused();
    entry?.session.access.hub.publish({ type: 'command', command, window: entry.window.id });
  }

  /** Asks for a folder and opens it in the focused window. */
  async chooseWorkspace(): Promise<void> {
    const entry = this.focused();
    const folder = entry ? await desktopFor(entry.window, this.#options.logger).chooseFolder() : null;
    if (entry && folder) await entry.context.openWorkspace(folder, {});
  }

  tellSettings(): void {
    nativeTheme.themeSource = this.#options.userSettings.get().preferences.theme;
    this.#options.settingsTold();
    this.#tellAll((session) => ({ type: 'settingsChanged', settings: this.#settingsView(session) }));
  }

  #tellAll(event: (session: Session) => WindowEvent): void {
    for (const session of new Set([...this.#windows.values()].map((entry) => entry.session))) session.access.hub.publish(event(session));
  }

  #settingsView(session: Session): SettingsView {
    const { userSettings, secrets } = this.#options;
    const { providers, ...settings } = userSettings.get();
    return {
      ...settings,
      providers: providers.map((stored) => {
        const { apiKey: _key, ...provider } = stored;
        const { source, variable } = secrets.sourceOf(stored);
        return { ...provider, keySource: source, ...(variable ? { keyVariable: variable } : {}) };
      }),
      agents: session.models.agents(),
      problems: [...userSettings.problems(), ...session.settingsProblems()],
      writable: userSettings.writable(),
      workspace: session.access.settings(),
    };
  }

  #contextFor(window: BrowserWindow): WindowContext {
    const { sessions, userSettings, secrets, newId, logger } = this.#options;
    const session = () => this.#own(window).session;
    return {
      workspace: () => session().access,
      openWorkspace: (folder, options) => this.#openFrom(window, folder, options),
      reopenWorkspace: (options) => this.#reopenFrom(window, options),
      recentWorkspaces: sessions.recent,
      userSettings,
      secrets,
      get models() {
        return session().models;
      },
      settingsChanged: () => {
        this.tellSettings();
        return this.#settingsView(session());
      },
      settingsView: () => this.#settingsView(session()),
      desktop: desktopFor(window, logger),
      meter: this.#meter,
      readPdf: this.#options.readPdf,
      checkPicture: this.#options.checkPicture,
      readImport: this.#options.readImport,
      given: new Set(),
      readOutline: this.#options.readOutline,
      info: () => appInfo(window),
      newId,
      now: systemNow,
    };
  }

  #own(window: BrowserWindow): OpenWindow {
    const entry = this.#windows.get(window.webContents);
    if (!entry) throw new FailureError(makeFailure('workspaceGone', 'This window is closing.'));
    return entry;
  }

  async #openFrom(window: BrowserWindow, folder: string, options: OpenOptions): Promise<WorkspaceState> {
    if (options.newWindow) return (await this.open(folder, options)).access.state();
    const entry = this.#own(window);
    if (layoutOf(folder).folder === entry.session.folder) return this.#reopenFrom(window, options);
    const next = await this.#options.sessions.swap(entry.session, folder, options);
    if (next.session !== entry.session) {
      entry.session = next.session;
      window.webContents.reload();
    }
    return next.state;
  }

  async #reopenFrom(window: BrowserWindow, options: OpenOptions): Promise<WorkspaceState> {
    const { session: old } = this.#own(window);
    const sharing = [...this.#windows.values()].filter((entry) => entry.session === old);
    const next = await this.#options.sessions.reopen(old, options, sharing.length);
    for (const entry of sharing) {
      entry.session = next;
      entry.window.webContents.reload();
    }
    return next.access.state();
  }
}

function appInfo(window: BrowserWindow): AppInfo {
  return {
    window: window.id,
    version: app.getVersion(),
    electron: process.versions.electron ?? '',
    platform: process.platform,
    locale: app.getLocale(),
    systemDark: nativeTheme.shouldUseDarkColors,
    development: !app.isPackaged,
  };
}
