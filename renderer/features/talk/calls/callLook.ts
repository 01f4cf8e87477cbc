// What the one line of a tool call says: how it stands, what it is about, and what of its result is news. Pure.
import type { LiveCall } from '../../../../shared/model/live';
import type { CallOutcome, ToolCallPart } from '../../../../shared/model/message';
import { toolNames } from '../../../../shared/model/tool';

export type CallStatus = 'writing' | 'waiting' | 'needsYou' | 'running' | 'done' | 'failed' | 'denied' | 'cancelled' | 'refused';
/** Where the call is: in a running step (with what is known of it), or in a message. */
export type CallPlace = { live: false } | { live: true; call: LiveCall | undefined; modelDone: boolean };

export function statusOf(part: ToolCallPart, place: CallPlace): CallStatus {
  if (!place.live) return part.summary === undefined ? 'cancelled' : endedAs(part);
  const { call, modelDone } = place;
  if (!call) return modelDone ? 'waiting' : 'writing';
  switch (call.state) {
    case 'waiting':
      return call.needs && call.needs.length > 0 ? 'needsYou' : 'waiting';
    case 'approved':
    case 'running':
      return 'running';
    case 'done':
      return endedAs(call);
  }
}

/** What an older version kept says no more than that it failed. */
function endedAs({ isError, outcome }: { isError?: boolean | undefined; outcome?: CallOutcome | undefined }): CallStatus {
  return outcome ?? (isError ? 'failed' : 'done');
}

export type Tense = 'doing' | 'done' | 'plain';
/** What has not begun or did not come to its end is named by the plain word: it may never have happened. */
export function tenseOf(status: CallStatus): Tense {
  if (status === 'done') return 'done';
  return status === 'writing' || status === 'running' ? 'doing' : 'plain';
}

const longest = 300;
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, longest);
const textAt = (values: Readonly<Record<string, unknown>>, name: string): string => {
  const value = values[name];
  return typeof value === 'string' || typeof value === 'number' ? oneLine(String(value)) : '';
};

/** What the call is about: a path, a command line, a pattern, an address. Empty when nothing is known yet. */
export function objectOf(name: string, values: Readonly<Record<string, unknown>>): string {
  switch (name) {
    case 'list_files': {
      const [path, glob] = [textAt(values, 'path'), textAt(values, 'glob')];
      return glob ? (path && path !== '.' ? `${glob} in ${path}` : glob) : path === '.' ? '' : path;
    }
    case 'search_files':
      return textAt(values, 'pattern');
    case 'run_command':
      return textAt(values, 'command');
    case 'fetch_url':
      return textAt(values, 'url').replace(/^https?:\/\//i, '');
    case 'checkpoint':
    case 'rewind':
      return textAt(values, 'label');
    case 'tasks':
      return '';
    default:
      return textAt(values, 'path') || firstText(values);
  }
}

function firstText(values: Readonly<Record<string, unknown>>): string {
  const found = Object.values(values).find((value) => typeof value === 'string' && value.trim() !== '');
  return typeof found === 'string' ? oneLine(found) : '';
}

/** `recall` comes with the ladder; transcripts of later versions may hold it. */
const knownTools = toolNames;
export type KnownTool = (typeof knownTools)[number];
export const knownTool = (name: string): KnownTool | undefined => knownTools.find((tool) => tool === name);

/** A summary without what the line says already: its verb, its object, its time. */
export function noteOf(summary: string, object: string): string {
  const said = oneLine(summary);
  const about = object.slice(0, 80);
  const opening = /^(?:Read|Listed|Wrote|Edited|Ran|Viewed|Fetched)\b\s*/.exec(said)?.[0] ?? '';
  let rest = said.slice(opening.length);
  if (about !== '') {
    const at = rest.replace(/^https?:\/\//i, '').startsWith(about) ? rest.indexOf(about) : -1;
    // Main shortens long objects in its own way: what is left of one is not news.
    if (at !== -1) rest = rest.slice(at + about.length).replace(object.length > 80 ? /^(?:(?! \().)*?(?=,| \(|$)/ : '', '');
    else rest = rest.replace(/(?:: | for )(\S.*)$/, (whole: string, tail: string) => (tail.startsWith(about) ? '' : whole));
  } else rest = rest.replace(/: \.$/, '');
  const facts = /^\s*\((.*)\)$/s.exec(rest)?.[1] ?? rest.replace(/^[\s,:]+/, '');
  return facts
    .split(', ')
    .filter((fact) => !/^\d+(?:\.\d+)? s$/.test(fact))
    .join(', ')
    .trim();
}
