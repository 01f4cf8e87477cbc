// The user's settings on disk: read once, read again when the file changed, written whole and atomically, never over a broken file.
import { readFileSync, statSync } from 'node:fs';
import { FailureError, makeFailure } from '../../shared/model/failure';
import type { SettingsProblem, UserSettings } from '../../shared/model/settings';
import { writeAtomic } from '../lib/atomicFile';
import { createSequential } from '../lib/sequential';
import { systemCode, throwFileFailure } from '../lib/systemError';
import { type ParsedSettings, parseSettings, unreadableSettings } from './parseSettings';

export type UserSettingsFile = {
  readonly file: string;
  get(): UserSettings;
  problems(): SettingsProblem[];
  /** False while the file on disk is broken. */
  writable(): boolean;
  /** Applies a change and writes it; rejects with `settingsInvalid` while the file is broken. */
  change(edit: (settings: UserSettings) => UserSettings): Promise<void>;
  /** Reads the file again if it changed on disk; true when it did. */
  reload(): boolean;
};

export function openUserSettings(file: string): UserSettingsFile {
  let stamp = stampOf(file);
  let parsed: ParsedSettings = read(file);
  const inOrder = createSequential();

  const reload = () => {
    const now = stampOf(file);
    if (now === stamp) return false;
    stamp = now;
    parsed = read(file);
    return true;
  };

  return {
    file,
    get: () => parsed.settings,
    problems: () => parsed.problems,
    writable: () => parsed.problems.length === 0,
    reload,
    change: (edit) =>
      inOrder.run(async () => {
        reload();
        if (parsed.problems.length > 0) {
          throw new FailureError(
            makeFailure('settingsInvalid', 'settings.json holds something that is not understood, so it is left as it is.', {
              detail: { path: file },
            }),
          );
        }
        const settings = edit(parsed.settings);
        const raw = { ...parsed.raw, ...settings };
        try {
          await writeAtomic(file, `${JSON.stringify(raw, null, 2)}\n`, { mode: 0o600 });
        } catch (error) {
          throwFileFailure(error, file);
        }
        parsed = { settings, problems: [], raw };
        stamp = stampOf(file);
      }),
  };
}

/** Changes whenever the file does; empty when there is none. */
function stampOf(file: string): string {
  const stat = statSync(file, { throwIfNoEntry: false });
  return stat ? `${stat.mtimeMs}:${stat.size}:${stat.ino}` : '';
}

function read(file: string): ParsedSettings {
  try {
    return parseSettings(readFileSync(file, 'utf8'));
  } catch (error) {
    const code = systemCode(error);
    if (code === undefined) throw error;
    return code === 'ENOENT' ? parseSettings(null) : unreadableSettings(error instanceof Error ? error.message : code);
  }
}
