// Orders of the demo that are one step: what is called, with which arguments, read out of plain words. Pure.
import { call, type DemoCall, type DemoStep, type Tools } from './steps';

const quoted = /[`"“]([^`"”]*)[`"”]/;
/** A file name in running text: with a dot or a slash in it, without the mark that ends a sentence; in quotes it may hold blanks. */
const fileName =
  /[`"“]?((?<=[`"“])[^`"”\n]*[./][^\s`"”]+(?=[`"”])|[\p{L}\p{N}_./~-]*[\p{L}\p{N}_][./][\p{L}\p{N}_./-]*[\p{L}\p{N}_])[`"”]?/u;

/** Null when the words order nothing, or a tool that is not there. */
export function callsOf(words: string, { has, spare }: Tools): DemoStep | null {
  if (/\bcall an? (?:unknown tool|tool that does(?: not|n['’]t) exist)\b/i.test(words))
    return { text: 'I call a tool that does not exist.', calls: [{ name: 'no_such_tool', arguments: '{}' }] };
  if (/\bbroken arguments\b/i.test(words))
    return {
      text: 'My arguments break off.',
      calls: [{ name: has('list_files') ? 'list_files' : spare, arguments: '{"path": "notes' }],
    };
  for (const order of orders) {
    const calls = order(words).filter(({ name }) => has(name));
    if (calls.length > 0) return { text: '', calls };
  }
  return null;
}

/** What follows a word of order, up to the end of its line. */
function after(words: string, verb: RegExp): string {
  const found = verb.exec(words);
  return found ? (words.slice(found.index + found[0].length).split('\n', 1)[0] ?? '') : '';
}

const orders: ((words: string) => DemoCall[])[] = [
  (words) => {
    const label = /\b(?:set|make) (?:a |the )?checkpoint\b\s*(?:called|named)?\s*[`"“]?([^`"”\n]+)[`"”]?/i.exec(words)?.[1];
    return label === undefined ? [] : [call('checkpoint', { label: label.trim() })];
  },
  (words) => {
    const [, label, digest] = /\brewind to\s+[`"“]?([^`"”\n:]+)[`"”]?(?::\s*(.+))?/is.exec(words) ?? [];
    if (label === undefined) return [];
    return [call('rewind', { label: label.trim(), digest: digest?.trim() || 'I was told to go back before I found out anything.' })];
  },
  (words) => {
    const command =
      /\brun\b\s*(?:the command|command)?:?\s*`([^`]+)`/i.exec(words)?.[1] ?? /^\s*run (?:the )?command:?\s+(.+)/i.exec(words)?.[1];
    return command === undefined ? [] : [call('run_command', { command: command.trim() })];
  },
  (words) => {
    const url = /\bfetch\s+[`"“]?(https?:\/\/[^\s`"”]+)/i.exec(words)?.[1];
    return url === undefined ? [] : [call('fetch_url', { url })];
  },
  (words) => {
    const [, rest = ''] = /\bedit\s+(.+)/is.exec(words) ?? [];
    const path = fileName.exec(rest);
    const behind = path ? rest.slice(path.index + path[0].length) : '';
    const [oldText, newText] = [...behind.matchAll(new RegExp(quoted, 'g'))].map(([, text = '']) => text);
    return path?.[1] === undefined || !oldText || newText === undefined ? [] : [call('edit_file', { path: path[1], oldText, newText })];
  },
  (words) => {
    const written = new RegExp(`\\bwrite\\s+(?:to\\s+)?${fileName.source}\\s*:\\s*(.+)`, 'isu').exec(words);
    return written?.[1] === undefined ? [] : [call('write_file', { path: written[1], content: `${written[2]?.trim() ?? ''}\n` })];
  },
  (words) => {
    const path = fileName.exec(after(words, /\b(?:view|look at)\s+/i))?.[1];
    return path !== undefined && /\.(?:png|jpe?g|gif|webp|\w{3,4})$/i.test(path) ? [call('view_image', { path })] : [];
  },
  (words) => {
    const [, rest = ''] = /\bread\s+(.+)/is.exec(words) ?? [];
    return [...rest.matchAll(new RegExp(fileName, 'gu'))].map(([, path = '']) => call('read_file', { path }));
  },
  (words) => {
    const rest = after(words, /\bsearch\s+(?:for\s+)?/i);
    const pattern = quoted.exec(rest)?.[1] ?? /[^\s.,;!?]+/.exec(rest)?.[0];
    return pattern ? [call('search_files', { pattern, literal: true })] : [];
  },
  (words) => {
    const glob = /\blist\s+(?:all\s+)?[`"“]?([\w./{},-]*\*[\w./*{},-]*)/i.exec(words)?.[1];
    if (glob !== undefined) return [call('list_files', { glob: glob.replace(/[.,]+$/, '') })];
    const folder =
      /\blist\s+(?:(?:all|the|my)\s+)*files\s+(?:in|of|under)\s+[`"“]?([\w./-]*\w)/i.exec(words)?.[1] ??
      /\blist\s+(?:the\s+)?(?:folder\s+[`"“]?([\w./-]*\w)|[`"“]?([\w.-][\w./-]*\/)(?!\w))/i.exec(words)?.slice(1).find(Boolean);
    if (folder !== undefined) return [call('list_files', { path: folder.replace(/\/$/, '') })];
    return /\blist\s+(?:(?:all|the|my)\s+)*files\b/i.test(words) ? [call('list_files', {})] : [];
  },
];
