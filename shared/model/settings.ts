// The user's settings (`<user-data>/settings.json`) and what a workspace may say (`.bough/settings.json`, W2).
import * as z from 'zod/mini';
import { problemWithKeys } from '../keys';
import { type ChosenKeys, windowCommandOf } from '../windowCommands';
import { type Agent, agentSchema } from './agent';
import { type LeavingChoice, leavingChoices } from './carry';
import { type CompactionSettings, compactionSettingsSchema } from './compaction';
import { type ExportChoice, exportChoice } from './export';
import { type ForkScope, forkScope } from './fork';
import { type KeySource, type ProviderConfig, providerConfigSchema } from './provider';

export type RoleName = 'title' | 'compaction';
export type Roles = Partial<Record<RoleName, string | undefined>>;

export type Preferences = {
  theme: 'system' | 'light' | 'dark';
  /** BCP 47 tag of a bundled locale, or `system`. */
  language: string;
  /** Percent of the normal text size. */
  textSize: number;
  sendKey: 'enter' | 'modEnter';
  reducedMotion: 'system' | 'on';
  /** Characters from which pasted text becomes a file; 0 never. */
  longPaste: number;
  /** Ask the title role for a title after the first answer. */
  autoTitle: boolean;
  /** What happens when a move leaves a branch (T11). */
  leavingBranch: LeavingChoice;
  /** Keys that were chosen, by command (U6). */
  shortcuts: ChosenKeys;
};

export type UserSettings = {
  version: 1;
  providers: ProviderConfig[];
  agents: Agent[];
  roles: Roles;
  compaction: CompactionSettings;
  preferences: Preferences;
  /** False until the first run's choice is made; a settings file written by hand counts as made. */
  onboarded: boolean;
};

export const defaultPreferences: Preferences = {
  theme: 'system',
  language: 'system',
  textSize: 100,
  sendKey: 'enter',
  reducedMotion: 'system',
  longPaste: 5000,
  autoTitle: true,
  leavingBranch: 'nothing',
  shortcuts: {},
};

const model = z.optional(z.string().check(z.regex(/^[^/]+\/.+$/)));
export const rolesSchema = z.object({ title: model, compaction: model });

/** Ids that are not known stay: another version may know them. */
const chosenKeys: z.ZodMiniType<ChosenKeys> = z
  .record(z.string().check(z.maxLength(80)), z.nullable(z.string().check(z.maxLength(80))))
  .check(({ value, issues }) => {
    for (const [id, keys] of Object.entries(value)) {
      const known = windowCommandOf(id) !== undefined && keys !== null;
      if (known && problemWithKeys(keys, true) !== null && problemWithKeys(keys, false) !== null) {
        issues.push({ code: 'custom', path: [id], message: 'must be keys like Mod+Shift+KeyF, or null', input: keys });
      }
    }
  });

const preference = {
  theme: z.enum(['system', 'light', 'dark']),
  language: z.string(),
  textSize: z.number().check(z.minimum(75), z.maximum(200)),
  sendKey: z.enum(['enter', 'modEnter']),
  reducedMotion: z.enum(['system', 'on']),
  longPaste: z.int().check(z.minimum(0)),
  autoTitle: z.boolean(),
  leavingBranch: z.enum(leavingChoices),
  shortcuts: chosenKeys,
};
export const preferencesSchema = z.object({
  theme: z._default(preference.theme, defaultPreferences.theme),
  language: z._default(preference.language, defaultPreferences.language),
  textSize: z._default(preference.textSize, defaultPreferences.textSize),
  sendKey: z._default(preference.sendKey, defaultPreferences.sendKey),
  reducedMotion: z._default(preference.reducedMotion, defaultPreferences.reducedMotion),
  longPaste: z._default(preference.longPaste, defaultPreferences.longPaste),
  autoTitle: z._default(preference.autoTitle, defaultPreferences.autoTitle),
  leavingBranch: z._default(preference.leavingBranch, defaultPreferences.leavingBranch),
  shortcuts: z._default(preference.shortcuts, () => ({})),
});
/** Some preferences. Without defaults: a partial schema with defaults would fill in, and so reset, all that was not named. */
export const preferencesChangeSchema = z.partial(z.object(preference));

export const userSettingsSchema = z.object({
  version: z.literal(1),
  providers: z._default(z.array(providerConfigSchema), () => []),
  agents: z._default(z.array(agentSchema), () => []),
  roles: z._default(rolesSchema, () => ({})),
  compaction: z._default(compactionSettingsSchema, () => ({})),
  preferences: z._default(preferencesSchema, () => ({ ...defaultPreferences })),
  onboarded: z._default(z.boolean(), true),
});

/** What the side panel shows, and how the navigator shows the tree (U5). */
export const panelTab = z.enum(['branches', 'memory', 'files']);
export const navigatorView = z.enum(['outline', 'map']);
export type PanelTab = z.infer<typeof panelTab>;
export type NavigatorView = z.infer<typeof navigatorView>;

/** Interface state, conversation defaults and compaction numbers; everything else in the file is ignored with a notice (W2). */
export type WorkspaceSettings = {
  interface: {
    sidebarWidth?: number | undefined;
    panelWidth?: number | undefined;
    sidebarOpen?: boolean | undefined;
    panelOpen?: boolean | undefined;
    panelTab?: PanelTab | undefined;
    navigatorView?: NavigatorView | undefined;
    lastConversationId?: string | undefined;
    /** Chosen last (T9). */
    forkScope?: ForkScope | undefined;
    /** Chosen last (I1). */
    exportChoice?: ExportChoice | undefined;
    /** Commands chosen in the palette, the newest first. */
    recentCommands?: readonly string[] | undefined;
  };
  conversation: { agentId?: string | undefined };
  compaction: CompactionSettings;
};

export const interfaceStateSchema = z.object({
  sidebarWidth: z.optional(z.number()),
  panelWidth: z.optional(z.number()),
  sidebarOpen: z.optional(z.boolean()),
  panelOpen: z.optional(z.boolean()),
  panelTab: z.optional(panelTab),
  navigatorView: z.optional(navigatorView),
  lastConversationId: z.optional(z.string()),
  forkScope: z.optional(forkScope),
  exportChoice: z.optional(exportChoice),
  recentCommands: z.optional(z.array(z.string())),
});

export const workspaceSettingsSchema = z.object({
  interface: z._default(interfaceStateSchema, () => ({})),
  conversation: z._default(z.object({ agentId: z.optional(z.string()) }), () => ({})),
  compaction: z._default(compactionSettingsSchema, () => ({})),
});

/** A place in a settings file that could not be used: `path` like `providers.0.kind`, `message` in plain words. */
export type SettingsProblem = { file: 'user' | 'workspace'; path: string; message: string };

/** The settings as a window sees them: keys replaced by where they come from. */
export type SettingsView = Omit<UserSettings, 'providers'> & {
  providers: (Omit<ProviderConfig, 'apiKey'> & {
    keySource: KeySource /** The name in `${NAME}`, when the key reads the environment. */;
    keyVariable?: string | undefined;
  })[];
  problems: SettingsProblem[];
  /** False while the file on disk is broken: nothing is written over it. */
  writable: boolean;
  workspace: WorkspaceSettings;
};
