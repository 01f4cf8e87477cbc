// The workspace, the settings and passing notices, as main last told them.
import { create } from 'zustand';
import type { AppInfo } from '../../shared/contract';
import type { Notice } from '../../shared/model/events';
import type { Failure } from '../../shared/model/failure';
import type { OfferedModel } from '../../shared/model/provider';
import type { SettingsView } from '../../shared/model/settings';
import type { WorkspaceState } from '../../shared/model/workspace';
import { failureOf } from '../bridge';
import { client } from './client';

/** The way back from a deletion; `gone`: checkpoints went with it (C4). `typed`: what had been typed by then. */
export type NoticeAct = { gone: boolean; typed: number; run(): unknown };
export type ShownNotice = Notice & {
  key: number;
  failure?: Failure | undefined;
  act?: NoticeAct | undefined;
  undo?: (() => unknown) | undefined;
};
export type Panel = 'settings' | 'onboarding' | null;
/** A section of the settings dialog, so that an error can lead straight to what mends it. */
export type SettingsSection = 'general' | 'providers' | 'agents' | 'roles' | 'context' | 'workspace' | 'shortcuts';

type AppState = {
  info: AppInfo | null;
  workspace: WorkspaceState | null;
  settings: SettingsView | null;
  models: OfferedModel[] | null;
  modelFailures: { providerId: string; failure: Failure }[];
  notices: ShownNotice[];
  panel: Panel;
  section: SettingsSection;
};

const useApp = create<AppState>(() => ({
  info: null,
  workspace: null,
  settings: null,
  models: null,
  modelFailures: [],
  notices: [],
  panel: null,
  section: 'general',
}));

let nextNotice = 1;

export const useInfo = () => useApp((state) => state.info);
export const useWorkspace = () => useApp((state) => state.workspace);
export const useSettings = () => useApp((state) => state.settings);
export const useModels = () => useApp((state) => state.models);
export const useModelFailures = () => useApp((state) => state.modelFailures);
export const useNotices = () => useApp((state) => state.notices);
export const usePanel = () => useApp((state) => state.panel);
export const useSettingsSection = () => useApp((state) => state.section);
export const appState = () => useApp.getState();

export function setInfo(info: AppInfo): void {
  useApp.setState({ info });
}
export function setWorkspace(workspace: WorkspaceState): void {
  useApp.setState({ workspace });
}
/** Main's answer to opening a folder: one that does not open leaves a working workspace as it is, and is said. */
export function takeWorkspace(next: WorkspaceState): void {
  const { workspace } = useApp.getState();
  const stays = next.status === 'failed' && workspace !== null && workspace.status !== 'failed' && workspace.folder !== next.folder;
  if (stays) showNotice({ code: 'unknown', tone: 'error' }, next.failure);
  else setWorkspace(next);
}
export function setSettings(settings: SettingsView): void {
  useApp.setState((state) => ({ settings, panel: !settings.onboarded && state.panel === null ? 'onboarding' : state.panel }));
}

export function openSettings(section: SettingsSection = 'general'): void {
  useApp.setState({ panel: 'settings', section });
}
export function closePanel(): void {
  useApp.setState({ panel: null });
}

export function showNotice(notice: Notice, failure?: Failure, act?: NoticeAct): void {
  const shown: ShownNotice = { ...notice, key: nextNotice++, failure, act };
  useApp.setState(({ notices }) => ({ notices: [...notices.filter((other) => !isRepeated(other, shown)).slice(-3), shown] }));
}
const thrash: ReadonlySet<string> = new Set(['contextThrash', 'contextThrashBytes']);
/** The same words again, with nothing to take back, or a newer word of the same state: one of them is enough. */
function isRepeated(other: ShownNotice, next: ShownNotice): boolean {
  if (other.act || other.undo || next.act) return false;
  // How much is too much is another number in each turn (L13).
  if (thrash.has(next.code) && thrash.has(other.code)) return other.values?.['agent'] === next.values?.['agent'];
  return JSON.stringify({ ...other, key: 0 }) === JSON.stringify({ ...next, key: 0 });
}
/** A notice of what can be taken back. */
export function showUndoable(notice: Notice, undo: () => unknown): void {
  const key = nextNotice++;
  useApp.setState((state) => ({ notices: [...state.notices.slice(-3), { ...notice, key, undo }] }));
}
/** A failure that has no place of its own on the screen. */
export function showFailure(error: unknown): void {
  const failure = failureOf(error);
  showNotice({ code: 'unknown', tone: 'error' }, failure);
}
export function dismissNotice(key: number): void {
  useApp.setState((state) => ({ notices: state.notices.filter((notice) => notice.key !== key) }));
}

/** Asks main for every model on offer; `refresh` asks the servers again. */
export async function loadModels(refresh = false): Promise<void> {
  try {
    const { models, failures } = await client().settings.models({ refresh });
    useApp.setState({ models, modelFailures: failures });
  } catch (error) {
    showFailure(error);
  }
}
