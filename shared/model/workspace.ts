// The workspace as a window sees it: open, read-only, or one of the clear states of W4.
import type { Failure } from './failure';

export type WorkspaceState = {
  folder: string;
  /** Last part of the folder's path. */
  name: string;
  status: 'open' | 'readOnly' | 'failed';
  /** Why it is read-only or failed. */
  failure?: Failure | undefined;
  /** File names of daily backups, newest first; offered when the database is corrupt. */
  backups: { name: string; createdAt: number; size: number }[];
};
export type RecentWorkspace = { folder: string; name: string; openedAt: number; exists: boolean };
