// What a window's calls may reach. Built by main/index.ts for each window; procedures know nothing else of the program.
import type { AppInfo } from '../../shared/contract';
import type { NewId } from '../../shared/model/ids';
import type { SettingsView } from '../../shared/model/settings';
import type { RecentWorkspace, WorkspaceState } from '../../shared/model/workspace';
import type { ContextMeter } from '../agents/contextMeter';
import type { EventHub } from '../agents/eventHub';
import type { MemoryLooks } from '../agents/ladder/memoryLooks';
import type { ModelDirectory } from '../agents/modelDirectory';
import type { WorkspaceAgents } from '../agents/workspaceAgents';
import type { CheckPicture, ReadPdf } from '../attachments/intake';
import type { Now } from '../lib/clock';
import type { ReadableDb, WritableDb } from '../store/database';
import type { BlobStore } from '../transcript/blobs';
import type { Transcripts } from '../transcript/transcripts';
import type { Secrets } from '../user/secrets';
import type { UserSettingsFile } from '../user/userSettings';
import type { WorkspaceSearch } from '../workspace/searchThread';
import type { Imports, ReadImport } from './imports/imports';
import type { OutlineReader } from './outlineReader';

/** The workspace of a window. `read` and `write` throw its failure when it cannot be read, or written. */
export type WorkspaceAccess = {
  hub: EventHub;
  state(): WorkspaceState;
  read(): { db: ReadableDb; blobs: BlobStore; transcripts: Transcripts };
  write(): { db: WritableDb; blobs: BlobStore; agents: WorkspaceAgents; imports: Imports };
  search(): WorkspaceSearch;
  /** Looks at what agents remember; also where nothing can be written. Throws the workspace's failure when it cannot be read. */
  memory(): MemoryLooks;
  /** Null unless the workspace is open for writing. */
  agents(): WorkspaceAgents | null;
  imports(): Imports | null;
  settings(): SettingsView['workspace'];
  saveInterface(change: SettingsView['workspace']['interface']): Promise<void>;
  /** Closes the workspace and puts a backup in the place of its database; then it has to be opened again. */
  restoreBackup(name: string): Promise<void>;
};

/** Things only the desktop can do. */
export type Desktop = {
  /** Opens http, https and mailto outside; false for anything else. */
  openExternal(url: string): boolean;
  copyText(text: string): void;
  /** Shows a file or folder in the file manager. */
  reveal(path: string): void;
  /** Asks for a folder or files; empty when the person cancels. */
  chooseFolder(): Promise<string | null>;
  chooseFiles(): Promise<string[]>;
  /** Asks where to write a file, and before it writes over one; null when the person cancels. `extension` without its dot. */
  chooseSaveFile(defaultName: string, extension: string): Promise<string | null>;
  /** Prints an HTML file as PDF: without scripts, without network. Throws the signal's reason. */
  printPage(file: string, signal: AbortSignal): Promise<Uint8Array>;
};

export type WindowContext = {
  workspace(): WorkspaceAccess;
  /** Opens a workspace in this window, or in a new one; gives its state, also when it failed. */
  openWorkspace(folder: string, options: { readOnly?: boolean | undefined; newWindow?: boolean | undefined }): Promise<WorkspaceState>;
  /** Closes this workspace and opens its folder again, in every window on it. */
  reopenWorkspace(options: { readOnly?: boolean | undefined }): Promise<WorkspaceState>;
  recentWorkspaces(): Promise<RecentWorkspace[]>;
  userSettings: UserSettingsFile;
  secrets: Secrets;
  models: ModelDirectory;
  meter: ContextMeter;
  /** Tells every window that the settings changed, and gives them. */
  settingsChanged(): SettingsView;
  settingsView(): SettingsView;
  desktop: Desktop;
  readPdf: ReadPdf;
  checkPicture: CheckPicture;
  readImport: ReadImport;
  /** Paths that a person chose or dropped in this window: the only ones it may import. */
  given: Set<string>;
  readOutline: OutlineReader;
  info(): AppInfo;
  newId: NewId;
  now: Now;
};
