// A list that the program keeps in a file beside the user's settings: read when it is first asked for, written whole, one writing after the other.
import { readFileSync, renameSync } from 'node:fs';
import { writeAtomic } from '../lib/atomicFile';
import type { Logger } from '../lib/logger';
import { createSequential } from '../lib/sequential';
import { systemCode, throwFileFailure } from '../lib/systemError';

type Options<Entry> = {
  file: string;
  logger: Logger;
  /** What the entries are, for the log. */
  what: string;
  /** Where the list is in the file. */
  field: string;
  /** The last ones are kept. */
  most: number;
  /** Throws for a file that is broken. */
  parse(json: unknown): readonly Entry[];
  /** Tells one entry from the others. */
  nameOf(entry: Entry): string;
};

export type KeptEntries<Entry> = {
  all(): Map<string, Entry>;
  /** False where the file is left as it is: then they hold for this run. Rejects with a `FailureError` when it cannot be written. */
  write(): Promise<boolean>;
  /** Resolves when everything asked for so far is on disk. */
  idle(): Promise<void>;
};

type Loaded<Entry> = { entries: Map<string, Entry>; writable: boolean };

export function openKeptEntries<Entry>(options: Options<Entry>): KeptEntries<Entry> {
  const { file, field, most } = options;
  const inOrder = createSequential();
  let loaded: Loaded<Entry> | undefined;
  const load = () => {
    loaded ??= read(options);
    return loaded;
  };
  return {
    all: () => load().entries,
    write: () =>
      inOrder.run(async () => {
        const { entries, writable } = load();
        if (!writable) return false;
        try {
          await writeAtomic(file, `${JSON.stringify({ version: 1, [field]: [...entries.values()].slice(-most) }, null, 2)}\n`, {
            mode: 0o600,
          });
        } catch (error) {
          throwFileFailure(error, file);
        }
        return true;
      }),
    idle: () => inOrder.idle(),
  };
}

/** A broken file is kept aside as `<file>.broken`. One of another version, or that cannot be read or moved, is not written over. */
function read<Entry>({ file, logger, what, most, parse, nameOf }: Options<Entry>): Loaded<Entry> {
  const empty = (writable: boolean): Loaded<Entry> => ({ entries: new Map(), writable });
  try {
    const json: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (isOtherVersion(json)) {
      logger.log('warn', `${what} are of another version`, { file });
      return empty(false);
    }
    const entries = parse(json).slice(-most);
    return { entries: new Map(entries.map((entry) => [nameOf(entry), entry])), writable: true };
  } catch (cause) {
    if (systemCode(cause) === 'ENOENT') return empty(true);
    logger.log('warn', `${what} cannot be read`, { cause });
    return empty(systemCode(cause) === undefined && keepAside(file, what, logger));
  }
}

function isOtherVersion(json: unknown): boolean {
  return typeof json === 'object' && json !== null && 'version' in json && typeof json.version === 'number' && json.version !== 1;
}

function keepAside(file: string, what: string, logger: Logger): boolean {
  try {
    renameSync(file, `${file}.broken`);
    return true;
  } catch (cause) {
    logger.log('warn', `broken ${what} cannot be kept aside`, { cause });
    return false;
  }
}
