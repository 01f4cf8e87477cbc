// Reads settings.json as far as it makes sense: what is right is used, what is wrong is said with its place, and nothing is lost.
import * as z from 'zod/mini';
import { agentSchema } from '../../shared/model/agent';
import { compactionSettingsSchema } from '../../shared/model/compaction';
import { providerConfigSchema } from '../../shared/model/provider';
import { preferencesSchema, rolesSchema, type SettingsProblem, type UserSettings, userSettingsSchema } from '../../shared/model/settings';
import { toolNames } from '../../shared/model/tool';

export type ParsedSettings = {
  settings: UserSettings;
  problems: SettingsProblem[] /** The whole document, so that keys we do not know survive a save. */;
  raw: Record<string, unknown>;
};

export const emptySettings = (onboarded: boolean): UserSettings => ({ ...z.parse(userSettingsSchema, { version: 1 }), onboarded });

/** A file that is there and cannot be read: its owner may be another, or it is a folder. */
export function unreadableSettings(message: string): ParsedSettings {
  return broken('', message);
}

/** `text` null: there is no file, and the first run is ahead. */
export function parseSettings(text: string | null): ParsedSettings {
  if (text === null) return { settings: emptySettings(false), problems: [], raw: {} };
  let document: unknown;
  try {
    document = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch (error) {
    return broken('', error instanceof Error ? error.message : String(error));
  }
  if (typeof document !== 'object' || document === null || Array.isArray(document)) return broken('', 'the file must hold one JSON object');
  const raw: Record<string, unknown> = { ...document };
  if (raw.version !== 1)
    return broken('version', `version ${JSON.stringify(raw.version) ?? 'missing'} is not known; this program reads version 1`);
  return readSections(raw);
}

function readSections(raw: Record<string, unknown>): ParsedSettings {
  const problems: SettingsProblem[] = [];
  const base = emptySettings(true);
  const section = <T>(name: keyof UserSettings, schema: z.ZodMiniType<T>, fallback: T): T => {
    if (raw[name] === undefined) return fallback;
    const result = z.safeParse(schema, raw[name]);
    if (result.success) return result.data;
    problems.push(...issuesOf(result.error, [name]));
    const rest = z.safeParse(schema, withoutKeys(raw[name], new Set(result.error.issues.map(({ path }) => String(path[0])))));
    return rest.success ? rest.data : fallback;
  };
  const list = <T>(name: keyof UserSettings, schema: z.ZodMiniType<T>): T[] => {
    const entries = raw[name];
    if (entries === undefined) return [];
    if (!Array.isArray(entries)) {
      problems.push({ file: 'user', path: name, message: 'must be a list' });
      return [];
    }
    return entries.flatMap((entry: unknown, index) => {
      const result = z.safeParse(schema, entry);
      if (result.success) return [result.data];
      problems.push(...issuesOf(result.error, [name, String(index)]));
      return [];
    });
  };
  const settings: UserSettings = {
    version: 1,
    providers: unique(list('providers', providerConfigSchema), 'providers', problems),
    agents: unique(list('agents', agentSchema), 'agents', problems),
    roles: section('roles', rolesSchema, base.roles),
    compaction: section('compaction', compactionSettingsSchema, base.compaction),
    preferences: section('preferences', preferencesSchema, base.preferences),
    onboarded: section('onboarded', z.boolean(), true),
  };
  problems.push(...unknownTools(raw.agents));
  return { settings, problems, raw };
}

/** A section without what is wrong in it, so that one bad number does not undo the others. */
function withoutKeys(section: unknown, wrong: ReadonlySet<string>): unknown {
  if (typeof section !== 'object' || section === null || Array.isArray(section)) return section;
  return Object.fromEntries(Object.entries(section).filter(([key]) => !wrong.has(key)));
}

/** They do nothing; said, because it may be a slip of the pen. */
function unknownTools(agents: unknown): SettingsProblem[] {
  const known: ReadonlySet<unknown> = new Set(toolNames);
  const lists = z.safeParse(z.array(z.catch(z.object({ tools: z.array(z.unknown()) }), { tools: [] })), agents);
  return (lists.data ?? []).flatMap(({ tools }, index) =>
    tools.flatMap((tool, at): SettingsProblem[] => {
      if (typeof tool !== 'string' || known.has(tool)) return [];
      return [{ file: 'user', path: `agents.${index}.tools.${at}`, message: `must be one of ${toolNames.join(', ')}` }];
    }),
  );
}

function unique<T extends { id: string }>(entries: T[], name: string, problems: SettingsProblem[]): T[] {
  const seen = new Set<string>();
  return entries.filter((entry) => {
    if (!seen.has(entry.id)) return seen.add(entry.id);
    problems.push({ file: 'user', path: name, message: `the id "${entry.id}" is used twice; the first one counts` });
    return false;
  });
}

function issuesOf(error: z.core.$ZodError, at: string[]): SettingsProblem[] {
  return error.issues.map((issue) => ({ file: 'user', path: [...at, ...issue.path.map(String)].join('.'), message: describe(issue) }));
}

function describe(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return `must be a ${issue.expected}`;
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `must be at least ${issue.minimum}`;
    case 'too_big':
      return `must be at most ${issue.maximum}`;
    case 'invalid_format':
      return 'has the wrong form';
    default:
      return issue.message || 'is not understood';
  }
}

function broken(path: string, message: string): ParsedSettings {
  return { settings: emptySettings(true), problems: [{ file: 'user', path, message }], raw: {} };
}
