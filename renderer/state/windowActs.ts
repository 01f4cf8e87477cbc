// What each command of the window does, and why it cannot just now (U6). Its title, group and keys are in shared/windowCommands.ts.
import type { WindowCommandId } from '../../shared/windowCommands';
import { focusComposerEvent, focusFindEvent, focusSearchEvent, tellWindow, tellWindowSoon } from '../focusEvents';
import { appState, closePanel, openSettings } from './appSlice';
import { listedConversations, setShowsArchived } from './conversationsSlice';
import { openFind } from './findSlice';
import { askToImport } from './importSlice';
import { setAreaOpen, setNavigatorView, setPanelTab, toggleArea, uncoverTalk } from './layoutSlice';
import { closePalette, openPalette, paletteState } from './paletteSlice';
import { changeTextSize, nextTextSize, savePreferences } from './preferenceActs';
import { openSearch } from './searchSlice';
import { type ActsHere, actsHere, type WhyNot, whyNoConversation, whyReadOnly } from './talkCommands';
import { openConversation, startNewConversation } from './talkSlice';
import { talkState } from './talkStore';
import { openTrash, undoNewest } from './trashSlice';
import { typedSoFar } from './typing';
import { chooseFolder, openNewWindow, revealFolder } from './workspaceActs';

export type { WhyNot };

type Act = {
  /** Null, or missing: it can be run. */
  why?(): WhyNot | null;
  run(nth: number): void;
};

export function newConversation(): void {
  startNewConversation();
  uncoverTalk();
  tellWindowSoon(focusComposerEvent);
}

function openListed(at: number): void {
  const conversation = listedConversations().at(at);
  if (!conversation) return;
  uncoverTalk();
  void openConversation(conversation.id);
  tellWindowSoon(focusComposerEvent);
}
/** The one below or above the open one in the list, round its end. */
function openBeside(by: 1 | -1): void {
  const list = listedConversations();
  const here = list.findIndex(({ id }) => id === talkState().conversationId);
  if (here >= 0) openListed((here + by + list.length) % list.length);
  else openListed(by > 0 ? 0 : -1);
}
const whyNoOther = () => (listedConversations().some(({ id }) => id !== talkState().conversationId) ? null : 'noOther');

const undoable = () => appState().notices.findLast(({ act }) => act !== undefined)?.act;

/** Fields have an undo of their own, which goes first where something was typed after the deletion. */
function isForField(): boolean {
  const element = document.activeElement;
  const isField = element instanceof HTMLElement && (element.isContentEditable || element.matches('input, textarea'));
  return isField && undoable()?.typed !== typedSoFar();
}

function find(): void {
  openFind();
  uncoverTalk();
  tellWindow(focusFindEvent);
  tellWindowSoon(focusFindEvent);
}
function search(): void {
  setAreaOpen('sidebar', true);
  openSearch();
  tellWindow(focusSearchEvent);
  tellWindowSoon(focusSearchEvent);
}
function showTreeAs(view: 'outline' | 'map'): void {
  setPanelTab('branches');
  setNavigatorView(view);
  setAreaOpen('panel', true);
}
function showTab(tab: 'memory' | 'files'): void {
  setPanelTab(tab);
  setAreaOpen('panel', true);
}
function showArchive(): void {
  setAreaOpen('sidebar', true);
  setShowsArchived(true);
}

const isTheme = (theme: 'system' | 'light' | 'dark') => () =>
  appState().settings?.preferences.theme === theme ? ('already' as const) : null;
const noSize = (direction: -1 | 0 | 1) => () => (nextTextSize(direction) === null ? ('already' as const) : null);
/** Keys of one control, which answers to them itself. */
const ofControl: Act = { why: () => 'already', run: () => undefined };

const acts: ActsHere & Record<Exclude<WindowCommandId, keyof ActsHere>, Act> = {
  ...actsHere,
  newConversation: { run: newConversation },
  nextConversation: { why: whyNoOther, run: () => openBeside(1) },
  previousConversation: { why: whyNoOther, run: () => openBeside(-1) },
  openNth: { run: openListed },
  rename: ofControl,
  send: ofControl,
  steer: ofControl,
  newline: ofControl,
  trash: { run: openTrash },
  archive: { run: showArchive },
  composer: {
    run: () => {
      uncoverTalk();
      tellWindowSoon(focusComposerEvent);
    },
  },
  undoDelete: { why: () => (undoable() ? null : 'nothingDeleted'), run: undoNewest },
  search: { run: search },
  find: { why: whyNoConversation, run: find },
  palette: { run: () => (paletteState().open ? closePalette() : openPalette()) },
  sidebar: { run: () => toggleArea('sidebar') },
  panel: { run: () => toggleArea('panel') },
  outline: { run: () => showTreeAs('outline') },
  map: { run: () => showTreeAs('map') },
  memory: { run: () => showTab('memory') },
  files: { run: () => showTab('files') },
  import: { why: whyReadOnly, run: () => askToImport() },
  themeSystem: { why: isTheme('system'), run: () => savePreferences({ theme: 'system' }) },
  themeLight: { why: isTheme('light'), run: () => savePreferences({ theme: 'light' }) },
  themeDark: { why: isTheme('dark'), run: () => savePreferences({ theme: 'dark' }) },
  textLarger: { why: noSize(1), run: () => changeTextSize(1) },
  textSmaller: { why: noSize(-1), run: () => changeTextSize(-1) },
  textUsual: { why: noSize(0), run: () => changeTextSize(0) },
  settings: { run: () => openSettings() },
  providers: { run: () => openSettings('providers') },
  agents: { run: () => openSettings('agents') },
  roles: { run: () => openSettings('roles') },
  contextSettings: { run: () => openSettings('context') },
  workspaceSettings: { run: () => openSettings('workspace') },
  newWindow: { run: openNewWindow },
  openWorkspace: { run: () => chooseFolder(false) },
  revealWorkspace: { run: revealFolder },
  shortcuts: { run: () => openSettings('shortcuts') },
};

/** Null when the command can be run. */
export const whyNot = (id: WindowCommandId): WhyNot | null => acts[id].why?.() ?? null;

/** False where it cannot be run: its keys are left to whoever else wants them. */
export function runWindowCommand(id: WindowCommandId, nth = 0): boolean {
  if (whyNot(id) !== null) return false;
  acts[id].run(nth);
  return true;
}

/** What keys and the native menu ask for, unless the window is not ready for it or a dialog has it. */
export function dispatch(id: WindowCommandId, nth: number): boolean {
  const { panel, workspace } = appState();
  if (panel === 'onboarding' || workspace?.status === 'failed') return false;
  if (panel === 'settings') {
    if (id === 'settings') closePanel();
    if (id === 'shortcuts') openSettings('shortcuts');
    return true;
  }
  if (paletteState().open) {
    if (id === 'palette') closePalette();
    return id !== 'stop';
  }
  // Another dialog: what lies under it stays as it is.
  if (document.querySelector('[data-modal]')) return id !== 'undoDelete' && id !== 'stop';
  if (id === 'undoDelete' && isForField()) return false;
  return runWindowCommand(id, nth);
}
