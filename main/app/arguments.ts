// What the command line says: `--workspace=DIR` and `--user-data-dir=DIR`. Pure.
import { resolve } from 'node:path';

export type Arguments = { workspace: string | null; userData: string | null };

/** Relative folders are taken from `cwd`; the last of several counts; an empty value counts as none. */
export function parseArguments(argv: readonly string[], cwd: string): Arguments {
  const value = (name: string): string | null => {
    const given = argv.findLast((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3);
    return given ? resolve(cwd, given) : null;
  };
  return { workspace: value('workspace'), userData: value('user-data-dir') };
}
