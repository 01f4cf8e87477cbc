// Where a path that a model names really is (A3): links followed, also for files that do not exist yet; `.bough/` is off limits under any name.
// A hard link to a file outside cannot be told from a file of the workspace; one into `.bough/` can, and is refused.
import type { Stats } from 'node:fs';
import { lstat, readdir, readlink, realpath, stat } from 'node:fs/promises';
import { dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { systemCode } from '../../../lib/systemError';
import { type Located, ToolError } from './definition';
import { checkSpelling, isGuardedName, isPrivateName } from './pathNames';

export type Place = Located;

const maxLinks = 40;

/** Throws `ToolError` for what no approval can allow. Touches nothing. */
export async function locate(workspace: string, asked: string, platform: NodeJS.Platform): Promise<Place> {
  checkSpelling(asked, platform);
  const root = await realpath(workspace);
  const lexical = resolve(root, asked);
  const path = await realPlace(lexical, 0);
  // The spelling as well as the place: where `.bough` is a link, its name is as forbidden as what it leads to.
  for (const candidate of [lexical, path]) refusePrivateNames(root, candidate, asked);
  await refusePrivatePlaces(root, path, asked);
  const inner = relativeInside(root, path);
  return {
    path,
    shown: inner === null ? path : inner === '' ? '.' : inner.split(sep).join('/'),
    outside: inner === null,
    guarded: inner?.split(sep).some(isGuardedName) ?? false,
  };
}

/** The path of `path` below `root`, or null when it lies elsewhere. */
function relativeInside(root: string, path: string): string | null {
  const inner = relative(root, path);
  return inner === '..' || inner.startsWith(`..${sep}`) || isAbsolute(inner) ? null : inner;
}

/** The real path of the nearest existing ancestor, and the rest of the names behind it. A link to nothing is followed to where it points. */
async function realPlace(path: string, links: number): Promise<string> {
  if (links > maxLinks) throw new ToolError(`Too many links on the way to ${path}`);
  try {
    return await realpath(path);
  } catch (error) {
    const code = systemCode(error);
    if (code === 'ELOOP') throw new ToolError(`The links on the way to ${path} go round in a ring.`, { cause: error });
    if (code === 'ENOTDIR') throw new ToolError(`A part of ${path} is a file, not a folder.`, { cause: error });
    if (code === 'ENAMETOOLONG') throw new ToolError('The path is too long.', { cause: error });
    if (code === 'EACCES') throw new ToolError(`A folder on the way to ${path} may not be read.`, { cause: error });
    if (code !== 'ENOENT') throw error;
  }
  const target = await linkTarget(path);
  if (target !== null) return realPlace(resolve(await realPlace(dirname(path), links + 1), target), links + 1);
  const parent = dirname(path);
  if (parent === path) return path;
  return join(await realPlace(parent, links), parse(path).base);
}

async function linkTarget(path: string): Promise<string | null> {
  const facts = await lstatOrNull(path);
  return facts?.isSymbolicLink() ? readlink(path) : null;
}

async function lstatOrNull(path: string): Promise<Stats | null> {
  try {
    return await lstat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

function refusePrivateNames(root: string, path: string, asked: string): void {
  const inner = relativeInside(root, path) ?? path;
  if (inner.split(/[\\/]/).some(isPrivateName)) throw offLimits(asked);
}

function offLimits(asked: string): ToolError {
  return new ToolError(`${asked} is off limits: .bough holds Bough's own data.`);
}

/** By identity, not by name: `.bough` itself may be a link, a mount or reached through one, and its files may have other names (hard links). */
async function refusePrivatePlaces(root: string, path: string, asked: string): Promise<void> {
  const secret = await statOrNull(join(root, '.bough'));
  if (secret === null) return;
  for (let at = path; ; at = dirname(at)) {
    const facts = await statOrNull(at);
    if (facts && same(facts, secret)) throw offLimits(asked);
    if (dirname(at) === at) break;
  }
  const facts = await lstatOrNull(path);
  if (facts?.isFile() && facts.nlink > 1 && (await holdsFile(join(root, '.bough'), facts))) throw offLimits(asked);
}

async function statOrNull(path: string): Promise<Stats | null> {
  try {
    return await stat(path);
  } catch (error) {
    if (['ENOENT', 'ENOTDIR', 'EACCES', 'ELOOP'].includes(systemCode(error) ?? '')) return null;
    throw error;
  }
}

const same = (a: Stats, b: Stats) => a.ino === b.ino && a.dev === b.dev;

async function holdsFile(folder: string, wanted: Stats): Promise<boolean> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory() ? await holdsFile(path, wanted) : await isFile(path, wanted)) return true;
  }
  return false;
}

async function isFile(path: string, wanted: Stats): Promise<boolean> {
  const facts = await lstatOrNull(path);
  return facts !== null && same(facts, wanted);
}

/** Whether no approval could open this file: for files that a search came upon. */
export async function isOffLimits(workspace: string, path: string, platform: NodeJS.Platform): Promise<boolean> {
  try {
    await locate(workspace, path, platform);
    return false;
  } catch (error) {
    if (error instanceof ToolError) return true;
    throw error;
  }
}
