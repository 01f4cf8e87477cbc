// The names a folder goes by: paths that tools were given may hold either.
import { realpathSync } from 'node:fs';
import { systemCode } from './systemError';

/** A folder as it was opened, and its real path where that is another. */
export function folderNames(folder: string): string[] {
  try {
    return [folder, realpathSync(folder)];
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return [folder];
  }
}
