// What can be completed where the caret stands (U4): commands at the start of an empty message, what follows them, and agents after `@`. Pure.
import { type CommandName, type Completes, commandNamed, commandTable, quoteLabel, takesMore } from '../../../shared/commands';
import { mentionedAgents } from '../../../shared/mentions';
import type { AgentId } from '../../../shared/model/ids';
import { rungs } from '../../../shared/model/memoryView';

/** The text from `from` up to the caret is replaced by what is chosen. `optional`: the line means something without it too. */
export type Trigger = { kind: 'command' | 'mention' | Completes; from: number; query: string; optional: boolean };
export type Option = {
  id: string;
  label: string;
  /** Behind the label, quieter: what the command takes. */
  pattern?: string | undefined;
  /** A command's help is looked up by its name. */
  command?: CommandName | undefined;
  detail?: string | undefined;
  /** What a rung does is looked up by its name. */
  rung?: (typeof rungs)[number] | 'results' | undefined;
  insert: string;
  /** The line is not whole yet. */
  more: boolean;
};
export type Sources = {
  agents: readonly { id: AgentId; name: string }[];
  models: readonly { ref: string; id: string; name?: string | undefined; providerName: string }[];
  /** Newest last. */
  labels: readonly string[];
};

/** Longer lines are no command that is being typed. */
const longestLine = 400;
const longestName = 80;
const shownAtMost = 50;

export function triggerAt(text: string, caret: number): Trigger | null {
  return text.startsWith('/') && text.length <= longestLine ? commandAt(text, caret) : mentionAt(text, caret);
}

function commandAt(text: string, caret: number): Trigger | null {
  if (caret !== text.length || text.includes('\n')) return null;
  const [, name, space, rest = ''] = /^\/((?:\p{L}[\p{L}-]*)?)(?:(\s+)(.*))?$/u.exec(text) ?? [];
  if (name === undefined) return null;
  if (space === undefined) return { kind: 'command', from: 0, query: name, optional: false };
  const entry = commandNamed(name);
  if (!entry?.completes) return null;
  return { kind: entry.completes, from: text.length - rest.length, query: rest, optional: entry.pattern.startsWith('[') };
}

function mentionAt(text: string, caret: number): Trigger | null {
  const from = text.lastIndexOf('@', caret - 1);
  if (caret === 0 || from < 0 || caret - from - 1 > longestName) return null;
  const query = text.slice(from + 1, caret);
  if (/^\s|[\n@`]/.test(query) || /[\p{L}\p{N}_]/u.test(text.charAt(caret))) return null;
  return addresses(text, from) ? { kind: 'mention', from, query, optional: false } : null;
}

/** Whether a name after this sign would address anyone: asked of the rule itself, with a name that nobody writes. Code that is still open is closed. */
function addresses(text: string, at: number): boolean {
  const probe = { id: 'probe' as AgentId, name: '\u{10FFFD}' };
  return mentionedAgents(`${text.slice(Math.max(0, at - 50_000), at)}@${probe.name}\``, [probe]).length > 0;
}

export function optionsFor(trigger: Trigger, sources: Sources): Option[] {
  const options = allFor(trigger, sources);
  const query = folded(trigger.kind === 'label' ? trigger.query.replace(/^["“]/, '') : trigger.query);
  const ranked = options.map((option) => ({ option, rank: rankOf(folded(option.label), folded(option.insert), query) }));
  const found = ranked
    .filter(({ rank }) => rank < 3)
    .sort((a, b) => a.rank - b.rank)
    .map(({ option }) => option);
  const [only] = found;
  // Nothing is left to complete: the list would only be in the way of Enter.
  if (found.length === 1 && only && !only.command && isWhole(trigger, only)) return [];
  return found.slice(0, shownAtMost);
}

/** True when what is typed is this option already. */
export function isWhole(trigger: Trigger, option: Option): boolean {
  const typed = folded(trigger.query);
  return typed === folded(option.label.replace(/^\//, '')) || typed === folded(option.insert.replace(/^[/@]/, '').trimEnd());
}

const folded = (text: string) => text.normalize('NFC').toLocaleLowerCase();
/** 0: begins so; 1: a later word does; 2: holds it (models, whose names begin alike); 3: not this one. */
function rankOf(label: string, insert: string, query: string): number {
  const name = label.replace(/^\//, '');
  if (name.startsWith(query) || insert.startsWith(query)) return 0;
  if (name.split(/[\s/:._-]+/).some((word) => word.startsWith(query))) return 1;
  return query.length > 1 && insert.includes('/') && insert.includes(query) ? 2 : 3;
}

function allFor({ kind }: Trigger, { agents, models, labels }: Sources): Option[] {
  switch (kind) {
    case 'command':
      return commandTable.map((entry) => ({
        id: entry.name,
        label: `/${entry.name}`,
        pattern: entry.pattern,
        command: entry.name,
        insert: takesMore(entry) ? `/${entry.name} ` : `/${entry.name}`,
        more: takesMore(entry) && !entry.pattern.startsWith('['),
      }));
    case 'mention':
      return agents.map(({ id, name }) => ({ id, label: name, insert: `@${name} `, more: false }));
    case 'agent':
      return agents.map(({ id, name }) => ({ id, label: name, insert: name, more: false }));
    case 'model':
      return models.map((model) => ({
        id: model.ref,
        label: model.name ?? model.id,
        detail: model.providerName,
        insert: model.ref,
        more: false,
      }));
    case 'rung':
      return rungs.map((rung) => ({ id: rung, label: rung, rung, insert: rung === 'summary' ? `${rung} ` : rung, more: false }));
    case 'leftOut':
      return (['results', 'images'] as const).map((rung) => ({ id: rung, label: rung, rung, insert: rung, more: false }));
    case 'label':
      return [...labels].reverse().map((label) => ({ id: label, label, insert: `${quoteLabel(label)} `, more: false }));
  }
}
