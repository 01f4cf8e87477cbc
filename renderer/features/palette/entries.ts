// What the palette offers for what was typed: ranked, in groups, what was chosen last first. Pure.
import { fitOf, readyTitle, type Title, wordsTyped } from '../../../shared/text/fuzzy';

export type Entry = {
  /** Kept among those chosen last, if `recallable`. */
  key: string;
  title: string;
  group: string;
  /** The slash command that does the same, found by its name too. */
  slash?: string | undefined;
  keys?: string | undefined;
  /** Behind the title, quieter. */
  detail?: string | undefined;
  /** It cannot be chosen just now, and why. */
  why?: string | undefined;
  recallable: boolean;
  /** Not before letters are typed. */
  found?: boolean | undefined;
  /** The palette stays and asks on. */
  asks?: boolean | undefined;
  run(): void;
};
/** `places`: the letters of the title that fit. */
export type Shown = { entry: Entry; places: readonly number[] };
export type Group = { title: string; items: Shown[] };

type Ranked = Shown & { score: number };
const mostOfGroup = 8;
const pointsForRecent = 3;
const pointsForBlocked = -6;

export function groupsFor(typed: string, entries: readonly Entry[], recent: readonly string[], recentTitle: string): Group[] {
  return typed.trim() === '' ? untyped(entries, recent, recentTitle) : typedGroups(typed, entries, recent);
}

function untyped(entries: readonly Entry[], recent: readonly string[], recentTitle: string): Group[] {
  const shown = entries.filter(({ found }) => found !== true);
  const last = recent.flatMap((key) => shown.find((entry) => entry.key === key && entry.why === undefined) ?? []);
  const rest = shown.filter((entry) => !last.includes(entry));
  const groups = grouped(rest.map((entry) => ({ entry, places: [] })));
  return last.length > 0 ? [{ title: recentTitle, items: last.map((entry) => ({ entry, places: [] })) }, ...groups] : groups;
}

function typedGroups(typed: string, entries: readonly Entry[], recent: readonly string[]): Group[] {
  const bySlash = typed.trimStart().startsWith('/');
  const words = wordsTyped(bySlash ? typed.replace(/^\s*\//, '') : typed);
  const ranked = entries.flatMap((entry) => rank(words, bySlash, entry, recent.includes(entry.key))).sort((a, b) => b.score - a.score);
  return grouped(ranked).map(({ title, items }) => ({ title, items: items.slice(0, mostOfGroup) }));
}

/** Made ready once: there may be thousands of conversations. */
const ready = new WeakMap<Entry, Title>();
function titleOf(entry: Entry): Title {
  const known = ready.get(entry) ?? readyTitle(entry.title);
  ready.set(entry, known);
  return known;
}

function rank(words: readonly string[], bySlash: boolean, entry: Entry, isRecent: boolean): Ranked[] {
  const title = bySlash ? null : fitOf(words, titleOf(entry));
  const slash = entry.slash === undefined ? null : fitOf(words, readyTitle(entry.slash));
  const best = Math.max(title?.score ?? Number.NEGATIVE_INFINITY, (slash?.score ?? Number.NEGATIVE_INFINITY) - 1);
  if (best === Number.NEGATIVE_INFINITY) return [];
  const score = best + (isRecent ? pointsForRecent : 0) + (entry.why === undefined ? 0 : pointsForBlocked);
  return [{ entry, places: title?.places ?? [], score }];
}

/** In the order of the first of each. */
function grouped(items: readonly Shown[]): Group[] {
  const groups = new Map<string, Shown[]>();
  for (const item of items) groups.set(item.entry.group, [...(groups.get(item.entry.group) ?? []), item]);
  return [...groups].map(([title, shown]) => ({ title, items: shown }));
}
