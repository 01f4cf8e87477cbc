// `.bough/settings.json`: interface state, conversation defaults and compaction numbers. The folder may come from a stranger: anything else
// in the file is ignored and said (W2). A broken file is kept as it is.

import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import * as z from 'zod/mini';
import { compactionDefaults } from '../../shared/model/compaction';
import { FailureError, makeFailure } from '../../shared/model/failure';
import { type SettingsProblem, type WorkspaceSettings, workspaceSettingsSchema } from '../../shared/model/settings';
import { writeAtomic } from '../lib/atomicFile';
import { createSequential } from '../lib/sequential';
import { systemCode, throwFileFailure } from '../lib/systemError';

export type WorkspaceSettingsFile = {
  get(): WorkspaceSettings;
  problems(): SettingsProblem[];
  /** False while the file on disk is broken or the workspace is read-only. */
  writable(): boolean;
  /** Applies a change and writes it. Rejects with `settingsInvalid` while the file is broken, `workspaceReadOnly`, `diskFull` or `workspaceGone`. */
  change(edit: (settings: WorkspaceSettings) => WorkspaceSettings): Promise<void>;
};

type Parsed = { settings: WorkspaceSettings; problems: SettingsProblem[]; broken: boolean; raw: Record<string, unknown> };

const sections = ['interface', 'conversation', 'compaction'] as const;
/** One that is missing here is a type error, not a setting that is thrown away at the next start. */
const interfaceKeys: Record<keyof WorkspaceSettings['interface'], true> = {
  sidebarWidth: true,
  panelWidth: true,
  sidebarOpen: true,
  panelOpen: true,
  panelTab: true,
  navigatorView: true,
  lastConversationId: true,
  forkScope: true,
  exportChoice: true,
  recentCommands: true,
};
const known: Record<(typeof sections)[number], readonly string[]> = {
  interface: Object.keys(interfaceKeys),
  conversation: ['agentId'],
  compaction: Object.keys(compactionDefaults),
};
const empty = (): WorkspaceSettings => ({ interface: {}, conversation: {}, compaction: {} });
const problem = (path: string, message: string): SettingsProblem => ({ file: 'workspace', path, message });

export function openWorkspaceSettings(options: { file: string; readOnly: boolean }): WorkspaceSettingsFile {
  const { file, readOnly } = options;
  const inOrder = createSequential();
  let parsed = parseWorkspaceSettings(readText(file));
  return {
    get: () => parsed.settings,
    problems: () => parsed.problems,
    writable: () => !readOnly && !parsed.broken,
    change: (edit) =>
      inOrder.run(async () => {
        if (readOnly)
          throw new FailureError(makeFailure('workspaceReadOnly', 'This workspace is open for reading only.', { detail: { path: file } }));
        parsed = parseWorkspaceSettings(readText(file));
        if (parsed.broken) {
          throw new FailureError(
            makeFailure('settingsInvalid', 'The settings of this workspace cannot be read, so they are left as they are.', {
              detail: { path: file },
            }),
          );
        }
        const settings = edit(parsed.settings);
        // What others put into the file stays there; it only has no effect.
        const raw = { ...parsed.raw, ...settings };
        try {
          await writeAtomic(file, `${JSON.stringify(raw, null, 2)}\n`, { inside: dirname(file) });
        } catch (error) {
          throwFileFailure(error, file);
        }
        parsed = { ...parsed, settings, raw };
      }),
  };
}

function readText(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return null;
  }
}

/** Takes what is meant for it and usable, and says of the rest where it is and why it is ignored. */
function parseWorkspaceSettings(text: string | null): Parsed {
  if (text === null || text.trim() === '') return { settings: empty(), problems: [], broken: false, raw: {} };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    return { settings: empty(), problems: [problem('', `The file is no JSON: ${error.message}`)], broken: true, raw: {} };
  }
  const object = z.record(z.string(), z.unknown()).safeParse(json);
  if (!object.success) return { settings: empty(), problems: [problem('', 'The file must hold one JSON object.')], broken: true, raw: {} };
  const problems = Object.keys(object.data)
    .filter((key) => !(sections as readonly string[]).includes(key))
    .map((key) => problem(key, 'A workspace cannot set this; it is ignored.'));
  const settings = empty();
  for (const section of sections) Object.assign(settings[section], readSection(section, object.data[section], problems));
  return { settings, problems, broken: false, raw: object.data };
}

/** Field by field, so that one wrong value does not cost the others. */
function readSection(section: (typeof sections)[number], value: unknown, problems: SettingsProblem[]): Record<string, unknown> {
  if (value === undefined) return {};
  const object = z.record(z.string(), z.unknown()).safeParse(value);
  if (!object.success) {
    problems.push(problem(section, 'This must be an object; it is ignored.'));
    return {};
  }
  const taken: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(object.data)) {
    const path = `${section}.${key}`;
    const result = workspaceSettingsSchema.safeParse({ [section]: { [key]: field } });
    if (!known[section].includes(key)) problems.push(problem(path, 'A workspace cannot set this; it is ignored.'));
    else if (!result.success) problems.push(problem(path, result.error.issues[0]?.message ?? 'This value cannot be used; it is ignored.'));
    else taken[key] = field;
  }
  return taken;
}
