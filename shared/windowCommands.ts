// Every command of the window in one list: the palette, the list of shortcuts and the native menu are drawn from it (U6).
// Its title is `palette:what.<id>`; what it does and when it can is in renderer/state/windowActs.ts.
import type { CommandName } from './commands';

export const commandGroups = ['conversations', 'messages', 'agents', 'search', 'view', 'settings', 'workspace', 'help'] as const;
export type CommandGroup = (typeof commandGroups)[number];
type Keys = string | { mac: string; other: string };
type Entry = {
  id: string;
  group: CommandGroup;
  /** By the place of the key. */
  keys?: Keys;
  /** They belong to one control, or to what everybody knows, and stay. */
  fixed?: true;
  /** Only keys: there is nothing to choose in the palette. */
  keysOnly?: true;
  /** The native menu it stands in. */
  menu?: 'file' | 'edit' | 'view' | 'help';
  /** The slash command that does the same. */
  slash?: CommandName;
  /** What it asks for before it runs, as the slash command takes it. */
  asks?: 'text' | 'checkpoint' | 'agent' | 'model';
};

const all = [
  { id: 'newConversation', group: 'conversations', keys: 'Mod+KeyN', menu: 'file' },
  { id: 'nextConversation', group: 'conversations', keys: 'Mod+BracketRight', menu: 'view' },
  { id: 'previousConversation', group: 'conversations', keys: 'Mod+BracketLeft', menu: 'view' },
  { id: 'openNth', group: 'conversations', keys: 'Mod+Digit1', fixed: true, keysOnly: true },
  { id: 'title', group: 'conversations', slash: 'title', asks: 'text' },
  { id: 'rename', group: 'conversations', keys: 'F2', fixed: true, keysOnly: true },
  { id: 'pinConversation', group: 'conversations' },
  { id: 'archiveConversation', group: 'conversations' },
  { id: 'fork', group: 'conversations', slash: 'fork', menu: 'file' },
  { id: 'export', group: 'conversations', keys: 'Mod+KeyE', slash: 'export', menu: 'file' },
  { id: 'import', group: 'conversations', keys: 'Mod+KeyO', menu: 'file' },
  { id: 'deleteConversation', group: 'conversations', keys: 'Mod+Shift+Backspace', menu: 'file' },
  { id: 'trash', group: 'conversations' },
  { id: 'archive', group: 'conversations' },
  { id: 'composer', group: 'messages', keys: 'Mod+KeyL' },
  { id: 'send', group: 'messages', keys: 'Enter', fixed: true, keysOnly: true },
  { id: 'steer', group: 'messages', keys: 'Mod+Enter', fixed: true, keysOnly: true },
  { id: 'newline', group: 'messages', keys: 'Shift+Enter', fixed: true, keysOnly: true },
  { id: 'stop', group: 'messages', keys: 'Escape', fixed: true },
  { id: 'regenerate', group: 'messages', keys: 'Mod+Shift+KeyR' },
  { id: 'continue', group: 'messages' },
  { id: 'retry', group: 'messages', slash: 'retry' },
  { id: 'copyAnswer', group: 'messages', keys: 'Mod+Shift+KeyC' },
  { id: 'editPrompt', group: 'messages' },
  { id: 'label', group: 'messages', slash: 'label', asks: 'text' },
  { id: 'pinMessage', group: 'messages' },
  { id: 'checkpoint', group: 'messages', slash: 'checkpoint', asks: 'text' },
  { id: 'rewind', group: 'messages', slash: 'rewind', asks: 'checkpoint' },
  { id: 'branch', group: 'messages', slash: 'branch' },
  { id: 'compare', group: 'messages' },
  { id: 'deleteMessage', group: 'messages' },
  { id: 'undoDelete', group: 'messages', keys: 'Mod+KeyZ', fixed: true },
  { id: 'agent', group: 'agents', slash: 'agent', asks: 'agent' },
  { id: 'model', group: 'agents', keys: 'Mod+Shift+KeyM', slash: 'model', asks: 'model' },
  { id: 'compact', group: 'agents', slash: 'compact' },
  { id: 'shake', group: 'agents', slash: 'shake' },
  { id: 'context', group: 'agents', slash: 'context' },
  { id: 'undoCompact', group: 'agents', slash: 'undo-compact' },
  { id: 'search', group: 'search', keys: 'Mod+Shift+KeyF', menu: 'edit' },
  { id: 'find', group: 'search', keys: 'Mod+KeyF', menu: 'edit' },
  { id: 'palette', group: 'view', keys: 'Mod+KeyK', menu: 'view', keysOnly: true },
  { id: 'sidebar', group: 'view', keys: 'Mod+KeyB', menu: 'view' },
  { id: 'panel', group: 'view', keys: 'Mod+Shift+KeyB', menu: 'view' },
  { id: 'tree', group: 'view', keys: 'Mod+Shift+KeyT', slash: 'tree', menu: 'view' },
  { id: 'outline', group: 'view' },
  { id: 'map', group: 'view' },
  { id: 'memory', group: 'view' },
  { id: 'files', group: 'view' },
  { id: 'themeSystem', group: 'view' },
  { id: 'themeLight', group: 'view' },
  { id: 'themeDark', group: 'view' },
  { id: 'textLarger', group: 'view' },
  { id: 'textSmaller', group: 'view' },
  { id: 'textUsual', group: 'view' },
  { id: 'settings', group: 'settings', keys: 'Mod+Comma', menu: 'file' },
  { id: 'providers', group: 'settings' },
  { id: 'agents', group: 'settings' },
  { id: 'roles', group: 'settings' },
  { id: 'contextSettings', group: 'settings' },
  { id: 'workspaceSettings', group: 'settings' },
  { id: 'newWindow', group: 'workspace', keys: 'Mod+Shift+KeyN', menu: 'file' },
  { id: 'openWorkspace', group: 'workspace', menu: 'file' },
  { id: 'revealWorkspace', group: 'workspace' },
  { id: 'shortcuts', group: 'help', keys: 'Mod+Slash', menu: 'help' },
  { id: 'help', group: 'help', slash: 'help', menu: 'help' },
] as const satisfies readonly Entry[];

export type WindowCommandId = (typeof all)[number]['id'];
export type WindowCommandEntry = Omit<Entry, 'id'> & { id: WindowCommandId };
export const windowCommands: readonly WindowCommandEntry[] = all;
const byId = new Map(windowCommands.map((entry) => [entry.id as string, entry]));
export const windowCommandOf = (id: string): WindowCommandEntry | undefined => byId.get(id);

/** What a person chose, by id; null: none. Ids that are not known here are kept and do nothing. */
export type ChosenKeys = Readonly<Record<string, string | null>>;

export function usualKeys({ keys }: Pick<Entry, 'keys'>, mac: boolean): string | null {
  if (keys === undefined) return null;
  if (typeof keys === 'string') return keys;
  return mac ? keys.mac : keys.other;
}

/** The keys of every command. What was chosen comes before what is usual, and of two the same the first in the list has them. */
export function keysInUse(chosen: ChosenKeys, mac: boolean): ReadonlyMap<WindowCommandId, string> {
  const found = new Map<WindowCommandId, string>();
  const taken = new Set<string>();
  const take = (entry: WindowCommandEntry, keys: string | null) => {
    if (keys === null || taken.has(keys)) return;
    taken.add(keys);
    found.set(entry.id, keys);
  };
  const isChosen = (entry: WindowCommandEntry) => entry.fixed !== true && chosen[entry.id] !== undefined;
  for (const entry of windowCommands) if (entry.fixed === true) take(entry, usualKeys(entry, mac));
  for (const nth of places) taken.add(`Mod+Digit${nth}`);
  for (const entry of windowCommands) if (isChosen(entry)) take(entry, chosen[entry.id] ?? null);
  for (const entry of windowCommands) if (entry.fixed !== true && !isChosen(entry)) take(entry, usualKeys(entry, mac));
  return found;
}
const places = [1, 2, 3, 4, 5, 6, 7, 8, 9];

/** Which command these keys mean; `nth` counts from 0 and belongs to `openNth`. */
export function commandOfKeys(keys: string, chosen: ChosenKeys, mac: boolean): { id: WindowCommandId; nth: number } | null {
  const [, digit] = /^Mod\+Digit([1-9])$/.exec(keys) ?? [];
  if (digit !== undefined) return { id: 'openNth', nth: Number(digit) - 1 };
  for (const [id, used] of keysInUse(chosen, mac)) if (used === keys) return { id, nth: 0 };
  return null;
}
