// The slash command grammar (section K): what a line in the composer means. Commands act here and never reach the model (K1).
// A command is one entry of the table below; one that does not work yet is not in it.
import { checkpointLabel } from './model/checkpoint';
import { type ExportFormat, type ExportScope, exportFormat } from './model/export';
import { type ForkScope, forkScope } from './model/fork';
import { type Rung, rungSchema } from './model/memoryView';

export type Command =
  | { name: 'checkpoint'; label: string }
  | { name: 'rewind'; label: string; digest: string }
  | { name: 'retry' }
  | { name: 'fork'; scope: ForkScope | null }
  | { name: 'export'; format: ExportFormat | null; scope: ExportScope | null }
  | { name: 'agent'; agent: string | null }
  | { name: 'model'; model: string | null }
  | { name: 'title'; title: string }
  | { name: 'label'; label: string }
  | { name: 'tree' }
  | { name: 'branch'; label: string | null }
  | { name: 'search'; words: string }
  | { name: 'compact'; rung: Rung | null; focus: string | null }
  | { name: 'shake'; what: 'results' | 'images' | null }
  | { name: 'context' }
  | { name: 'undo-compact' }
  | { name: 'help' };
export type CommandName = Command['name'];

/** Why a line that begins like a command is none. All but `unknown` and `manyLines` are about what follows the name. */
export type CommandError =
  | { type: 'unknown'; typed: string; nearest: CommandName | null }
  | { type: 'missing' | 'extra' | 'unclosed' | 'longLabel' | 'manyLines' | 'noFocus' | 'longFocus'; name: CommandName };
export type ParsedCommand = { type: 'command'; command: Command } | { type: 'error'; error: CommandError };

/** What the end of the line can be completed with. */
export type Completes = 'label' | 'agent' | 'model' | 'rung' | 'leftOut';
/** Characters, as the search box takes them. */
const longestSearch = 500;
/** As memory.compact takes them. */
const longestFocus = 2000;
type Read = Command | Exclude<CommandError['type'], 'unknown'>;
type CommandEntry = {
  name: CommandName;
  /** What follows the name, as help shows it; brackets mean it may be left out. The help line is `commands:help.<name>`. */
  pattern: string;
  completes: Completes | null;
  /** `labels`: the live checkpoints of the path, which need no quotation marks. */
  read(rest: string, labels: readonly string[]): Read;
};

export const commandTable: readonly CommandEntry[] = [
  { name: 'checkpoint', pattern: 'LABEL', completes: null, read: readCheckpoint },
  { name: 'rewind', pattern: 'LABEL [digest words]', completes: 'label', read: readRewind },
  { name: 'retry', pattern: '', completes: null, read: (rest) => (rest === '' ? { name: 'retry' } : 'extra') },
  { name: 'fork', pattern: '[path|siblings|all]', completes: null, read: readFork },
  { name: 'export', pattern: '[md|html|json|jsonl|pdf] [path|tree]', completes: null, read: readExport },
  { name: 'agent', pattern: '[NAME]', completes: 'agent', read: (rest) => ({ name: 'agent', agent: rest === '' ? null : rest }) },
  { name: 'model', pattern: '[MODEL]', completes: 'model', read: (rest) => ({ name: 'model', model: rest === '' ? null : rest }) },
  { name: 'title', pattern: 'TEXT', completes: null, read: (rest) => (rest === '' ? 'missing' : { name: 'title', title: rest }) },
  { name: 'label', pattern: 'TEXT', completes: null, read: (rest) => withLabel(rest, (label) => ({ name: 'label', label })) },
  { name: 'tree', pattern: '', completes: null, read: (rest) => (rest === '' ? { name: 'tree' } : 'extra') },
  {
    name: 'branch',
    pattern: '[LABEL]',
    completes: null,
    read: (rest) => (rest === '' ? { name: 'branch', label: null } : withLabel(rest, (label) => ({ name: 'branch', label }))),
  },
  { name: 'search', pattern: '[WORDS]', completes: null, read: (rest) => ({ name: 'search', words: rest.slice(0, longestSearch) }) },
  { name: 'compact', pattern: '[elide|images|snapshot|summary] [focus words]', completes: 'rung', read: readCompact },
  { name: 'shake', pattern: '[results|images]', completes: 'leftOut', read: readShake },
  { name: 'context', pattern: '', completes: null, read: (rest) => (rest === '' ? { name: 'context' } : 'extra') },
  { name: 'undo-compact', pattern: '', completes: null, read: (rest) => (rest === '' ? { name: 'undo-compact' } : 'extra') },
  { name: 'help', pattern: '', completes: null, read: (rest) => (rest === '' ? { name: 'help' } : 'extra') },
];

export const takesMore = ({ pattern }: Pick<CommandEntry, 'pattern'>) => pattern !== '';
export const commandNamed = (name: string) => commandTable.find((entry) => entry.name === name.toLowerCase());

/**
 * A line that begins with `/` and a letter, and whose first word holds no further `/`: what it means, or what is wrong with it.
 * Null: the text is a message. So are `//text`, `/usr/bin is a path` and anything behind a space; several lines are a message too,
 * unless they begin with a command's name, which is never sent.
 */
export function parseCommand(text: string, labels: readonly string[] = []): ParsedCommand | null {
  const [, typed, rest] = /^\/(\p{L}[^\s/]*)(?!\S)([\s\S]*)$/u.exec(text.trimEnd()) ?? [];
  if (typed === undefined || rest === undefined) return null;
  const entry = commandNamed(typed);
  const manyLines = /[\n\r]/.test(rest);
  if (!entry) return manyLines ? null : wrong({ type: 'unknown', typed, nearest: nearestTo(typed, namesOfCommands) });
  if (manyLines) return wrong({ type: 'manyLines', name: entry.name });
  const read = entry.read(rest.trim(), labels);
  return typeof read === 'string' ? wrong({ type: read, name: entry.name }) : { type: 'command', command: read };
}

const wrong = (error: CommandError): ParsedCommand => ({ type: 'error', error });
const namesOfCommands = commandTable.map(({ name }) => name);

/** Without a scope the choice is asked for. */
function readFork(rest: string): Read {
  if (rest === '') return { name: 'fork', scope: null };
  const scope = forkScope.safeParse(rest.toLowerCase());
  return scope.success ? { name: 'fork', scope: scope.data } : 'extra';
}

/** A first word that is no rung begins the focus words, which only a summary listens to. */
function readCompact(rest: string): Read {
  const [first = '', ...more] = rest.split(/\s+/);
  const named = rungSchema.safeParse(first.toLowerCase());
  const rung = named.success ? named.data : null;
  const focus = rung === null ? rest : rest.slice(first.length).trim();
  if (focus.length > longestFocus) return 'longFocus';
  if (rung !== null && rung !== 'summary' && more.length > 0) return 'noFocus';
  return { name: 'compact', rung, focus: focus === '' ? null : focus };
}

function readShake(rest: string): Read {
  const what = rest.toLowerCase();
  if (what === '') return { name: 'shake', what: null };
  return what === 'results' || what === 'images' ? { name: 'shake', what } : 'extra';
}

function readCheckpoint(rest: string): Read {
  const quoted = readQuoted(rest);
  if (quoted === 'unclosed') return quoted;
  if (quoted && quoted.rest !== '') return 'extra';
  return withLabel(quoted?.label ?? rest, (label) => ({ name: 'checkpoint', label }));
}

/** In either order, each once. */
function readExport(rest: string): Read {
  const read: Extract<Command, { name: 'export' }> = { name: 'export', format: null, scope: null };
  for (const word of rest.toLowerCase().split(/\s+/).filter(Boolean)) {
    const format = exportFormat.safeParse(word === 'md' ? 'markdown' : word);
    if (format.success && read.format === null) read.format = format.data;
    else if ((word === 'path' || word === 'tree') && read.scope === null) read.scope = word;
    else return 'extra';
  }
  return read;
}

function readRewind(rest: string, labels: readonly string[]): Read {
  const quoted = readQuoted(rest);
  if (quoted === 'unclosed') return quoted;
  const live = labels.filter((label) => rest === label || rest.startsWith(`${label} `)).sort((a, b) => b.length - a.length)[0];
  const bare = live ?? /^\S*/.exec(rest)?.[0] ?? '';
  const { label, rest: words } = quoted ?? { label: bare, rest: rest.slice(bare.length).trim() };
  return withLabel(label, (named) => ({ name: 'rewind', label: named, digest: words }));
}

function withLabel(label: string, make: (label: string) => Command): Read {
  if (label.trim() === '') return 'missing';
  const checked = checkpointLabel.safeParse(label);
  return checked.success ? make(checked.data) : 'longLabel';
}

const closing: Record<string, string> = { '"': '"', '“': '”' };
function readQuoted(rest: string): { label: string; rest: string } | 'unclosed' | null {
  const mark = closing[rest.charAt(0)];
  if (!mark) return null;
  const end = rest.indexOf(mark, 1);
  return end < 0 ? 'unclosed' : { label: rest.slice(1, end), rest: rest.slice(end + 1).trim() };
}

/** A label as `/rewind` reads it whatever follows. */
export function quoteLabel(label: string): string {
  if (!/[\s"“]/.test(label)) return label;
  return label.includes('"') ? `“${label}”` : `"${label}"`;
}

/** Of `known` the one most like what was typed, or null when none is like it: for "did you mean". */
export function nearestTo<Name extends string>(typed: string, known: readonly Name[]): Name | null {
  const scored = known.map((name) => ({ name, score: likeness(typed.toLowerCase(), name.toLowerCase()) }));
  const [best] = scored.sort((a, b) => b.score - a.score);
  return best && best.score >= 0.35 ? best.name : null;
}

/** From 0 to 1: one begins the other, or the share of pairs of neighbouring letters that both have. */
function likeness(typed: string, name: string): number {
  if (typed !== '' && (name.startsWith(typed) || typed.startsWith(name))) return 1;
  const pairs = (word: string) => [...`^${word}`].map((letter, at) => letter + (word.charAt(at) || '$'));
  const left = pairs(name);
  const all = left.length + typed.length + 1;
  const shared = pairs(typed).filter((pair) => {
    const at = left.indexOf(pair);
    if (at >= 0) left.splice(at, 1);
    return at >= 0;
  });
  return (2 * shared.length) / all;
}
