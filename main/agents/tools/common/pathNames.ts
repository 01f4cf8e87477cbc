// Which spellings of a path are refused before the disk is asked: those that mean something else than they show. Pure.
import { ToolError } from './definition';

const devices = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9\u00b9\u00b2\u00b3]|lpt[0-9\u00b9\u00b2\u00b3])(?:[.: ].*)?$/i;
/** Code points that some file systems ignore when they compare names. */
const ignorable = /\p{Default_Ignorable_Code_Point}/gu;

/** Throws `ToolError` for a path that is empty, holds NUL, or on Windows names a device, a share, a stream or a name that Windows changes. */
export function checkSpelling(asked: string, platform: NodeJS.Platform): void {
  if (asked.trim() === '') throw new ToolError('The path is empty.');
  if (asked.includes('\0')) throw new ToolError('The path holds a NUL character.');
  if (asked.length > 4096) throw new ToolError('The path is too long.');
  if (platform !== 'win32') return;
  if (/^[\\/]{2}/.test(asked)) throw new ToolError(`Network and device paths are not allowed: ${asked}`);
  const drive = /^[a-z]:/i.exec(asked);
  if (drive && !/^[a-z]:[\\/]/i.test(asked)) throw new ToolError(`A path with a drive must go on with a slash: ${asked}`);
  for (const name of asked.slice(drive ? 2 : 0).split(/[\\/]/)) {
    if (name === '' || name === '.' || name === '..') continue;
    if (/[. ]$/.test(name)) throw new ToolError(`Names that end in a dot or a space are not allowed on Windows: ${asked}`);
    if (name.includes(':')) throw new ToolError(`A colon in a name is not allowed on Windows: ${asked}`);
    if (devices.test(name)) throw new ToolError(`${name} is a device, not a file.`);
  }
}

/** Whether a file system might take this name for `.bough`: other case, other normal form, ignored characters, Windows' short names. */
export function isPrivateName(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    .replace(ignorable, '')
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[. ]+$/, '');
  return plain.split(':')[0] === '.bough' || /^bough~\d+$/.test(plain);
}

/** Whether a name is a repository's own folder: hooks and settings in it are run by git. */
export function isGuardedName(name: string): boolean {
  const plain = name
    .normalize('NFKC')
    .replace(ignorable, '')
    .toLowerCase()
    .replace(/[. ]+$/, '');
  return plain.split(':')[0] === '.git' || /^git~\d+$/.test(plain);
}
