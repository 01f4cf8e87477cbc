// Open workspaces as windows share them: which are open, and who uses them. Wired from index.ts.
import { existsSync } from 'node:fs';
import { FailureError } from '../shared/model/failure';
import type { BlobHash } from '../shared/model/ids';
import type { RecentWorkspace, WorkspaceState } from '../shared/model/workspace';
import { openSession, type Session } from './session';
import type { SessionDeps } from './sessionParts';
import { layoutOf } from './workspace/layout';
import { openWorkspace, unopened, type Workspace } from './workspace/openWorkspace';
import { openRecentWorkspaces } from './workspace/recentWorkspaces';

export type SessionsOptions = SessionDeps & {
  recentFile: string;
  /** The default workspace: its folder is made when it is not there. */
  defaultFolder: string;
};
type OpenOptions = { readOnly?: boolean | undefined };

export type Sessions = ReturnType<typeof openSessions>;

export function openSessions(options: SessionsOptions) {
  const open = new Map<string, { session: Session; users: number }>();
  const recent = openRecentWorkspaces({ file: options.recentFile, now: options.now });

  const take = async (folder: string, { readOnly = false }: OpenOptions): Promise<Session> => {
    const path = layoutOf(folder).folder;
    const key = readOnly ? `${path}:read` : path;
    const known = open.get(key);
    if (known) {
      known.users++;
      return known.session;
    }
    const create = path === layoutOf(options.defaultFolder).folder;
    const { session, works } = await startSession(options, key, { folder: path, create, readOnly });
    if (!works) return session;
    open.set(key, { session, users: 1 });
    void recent.add(path).catch((cause: unknown) => options.logger.log('warn', 'the list of workspaces was not written', { cause }));
    return session;
  };
  const release = async (session: Session): Promise<void> => {
    const entry = open.get(session.key);
    if (entry?.session !== session) return;
    entry.users--;
    if (entry.users > 0) return;
    open.delete(session.key);
    await session.close();
  };

  return {
    open: take,
    release,
    /** Opens another folder for one window; the workspace it has stays when the other does not open and it has one that works. */
    swap: async (current: Session, folder: string, openOptions: OpenOptions): Promise<{ session: Session; state: WorkspaceState }> => {
      const next = await take(folder, openOptions);
      const state = next.access.state();
      const works = current.access.state().status !== 'failed';
      if (state.status === 'failed' && works) return { session: current, state };
      await release(current);
      return { session: next, state };
    },
    /** Closes a workspace and opens its folder again, for all the windows on it. */
    reopen: async (current: Session, openOptions: OpenOptions, users: number): Promise<Session> => {
      if (open.get(current.key)?.session === current) open.delete(current.key);
      await current.close();
      const next = await take(current.folder, openOptions);
      const entry = open.get(next.key);
      if (entry?.session === next) entry.users += users - 1;
      return next;
    },
    recent: (): Promise<RecentWorkspace[]> => recent.list(),
    lastFolder: () => {
      const folder = recent.newest();
      return folder && existsSync(folder) ? folder : undefined;
    },
    /** An image for the page, from whichever open workspace has it. */
    readBlob: async (hash: BlobHash): Promise<Uint8Array | null> => {
      for (const { session } of open.values()) {
        const bytes = await session.access.read().blobs.read(hash).catch(whenGone);
        if (bytes) return bytes;
      }
      return null;
    },
    closeAll: async () => {
      const all = [...open.values()];
      open.clear();
      await Promise.all(all.map(({ session }) => session.close()));
    },
  };
}

/** What keeps a workspace from opening is a session that says so. */
async function startSession(
  options: SessionsOptions,
  key: string,
  place: { folder: string; create: boolean; readOnly: boolean },
): Promise<{ session: Session; works: boolean }> {
  let workspace: Workspace | undefined;
  try {
    workspace = await openWorkspace({ now: options.now, run: options.run, ...place });
    return { session: await openSession(options, workspace, key), works: workspace.status !== 'failed' };
  } catch (cause) {
    options.logger.log('error', 'a workspace did not open', { cause });
    workspace?.close();
    return { session: await openSession(options, unopened(place.folder, cause), key), works: false };
  }
}

function whenGone(error: unknown): null {
  if (error instanceof FailureError) return null;
  throw error;
}
