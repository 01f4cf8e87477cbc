// What the demo does with tools: orders in plain words become steps with calls. Pure: the same conversation gives the same next step.
import type { ModelRequest, RequestMessage, ToolDefinition, ToolResultRequestPart } from '../../../shared/model/request';
import { joinText } from '../repair';

/** `arguments` is text, so that it can be broken on order. */
export type DemoCall = { name: string; arguments: string };
export type DemoStep = { text: string; calls: DemoCall[] };

const maxSteps = 200;
const maxQuote = 400;
const numbers: readonly string[] = [
  'zero',
  'one',
  'two',
  'three',
  'four',
  'five',
  'six',
  'seven',
  'eight',
  'nine',
  'ten',
  'eleven',
  'twelve',
];
const quoted = /[`"“]([^`"”]*)[`"”]/;
/** A file name in running text: with a dot or a slash in it, without the mark that ends a sentence. */
const fileName = /[`"“]?([\w./~-]*\w[./][\w./-]*\w)[`"”]?/;

/** Lines for the help, only where tools are there to be used. */
export const toolHelp = [
  'With tools I also follow these:',
  [
    '- `read notes.txt`, `read a.txt and b.txt`, `list files`, `search for oak`',
    '- `edit notes.txt "old" to "new"`, `write notes.txt: some text`, `` run `ls` ``, `fetch https://example.com/`',
    '- `run twelve steps`, `run five steps at once`, `repeat one call forever`',
    '- `call a tool with broken arguments`, `call an unknown tool`',
  ].join('\n'),
].join('\n\n');

/** The next step of what the user ordered, or the words at its end; null without an order, and for tools that the request does not carry. */
export function nextToolStep(request: ModelRequest): DemoStep | null {
  const tools = request.tools ?? [];
  if (tools.length === 0) return null;
  const found = findOrder(request.messages, tools);
  if (!found) return null;
  const done = request.messages.slice(found.at + 1).filter(({ role }) => role === 'tool');
  const step = found.steps(done.length);
  return step ?? { text: report(done), calls: [] };
}

type Steps = (done: number) => DemoStep | null;

/** Words of the user behind a result are a remark on the way: the order before them still stands. */
function findOrder(messages: readonly RequestMessage[], tools: readonly ToolDefinition[]): { at: number; steps: Steps } | null {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== 'user') continue;
    const steps = readSteps(joinText(message.parts).replace(/<file name="[^"\n]*">\n[\s\S]*?\n<\/file>/g, ' '), tools);
    if (steps) return { at, steps };
    if (messages[at - 1]?.role !== 'tool') return null;
  }
  return null;
}

function readSteps(words: string, tools: readonly ToolDefinition[]): Steps | null {
  const first = tools[0];
  const harmless = tools.find(({ name }) => name === 'list_files') ?? first;
  if (!harmless) return null;
  const many = manySteps(words, harmless.name);
  if (many) return many;
  if (/\bcall an? unknown tool\b/i.test(words))
    return once('I call a tool that does not exist.', [{ name: 'no_such_tool', arguments: '{}' }]);
  if (/\bbroken arguments\b/i.test(words)) return once('My arguments break off.', [{ name: harmless.name, arguments: '{"path": "notes' }]);
  for (const order of orders) {
    const calls = order(words).filter(({ name }) => tools.some((tool) => tool.name === name));
    if (calls.length > 0) return once('', calls);
  }
  return null;
}

function once(text: string, calls: DemoCall[]): Steps {
  return (done) => (done === 0 ? { text, calls } : null);
}

function manySteps(words: string, name: string): Steps | null {
  if (/\bforever\b/i.test(words) && /\b(?:call|repeat)\b/i.test(words)) return () => ({ text: '', calls: [call(name, {})] });
  const said = /\brun\s+(\w+)\s+steps?\b(\s+(?:at once|in parallel))?/i.exec(words);
  const count = said?.[1] === undefined ? 0 : countOf(said[1].toLowerCase());
  if (count === 0) return null;
  if (said?.[2])
    return once(
      `${count} at once.`,
      Array.from({ length: count }, () => call(name, {})),
    );
  return (done) => (done < count ? { text: `Step ${done + 1} of ${count}.`, calls: [call(name, {})] } : null);
}

function countOf(word: string): number {
  const count = /^\d+$/.test(word) ? Number(word) : numbers.indexOf(word);
  return Math.min(maxSteps, Math.max(0, count));
}

const orders: ((words: string) => DemoCall[])[] = [
  (words) => {
    const command = /\brun\b\s*(?:the command|command)?:?\s*`([^`]+)`/i.exec(words)?.[1];
    return command === undefined ? [] : [call('run_command', { command })];
  },
  (words) => {
    const url = /\bfetch\s+(https?:\/\/[^\s`"”]+)/i.exec(words)?.[1];
    return url === undefined ? [] : [call('fetch_url', { url })];
  },
  (words) => {
    const [, rest = ''] = /\bedit\s+(.+)/is.exec(words) ?? [];
    const path = fileName.exec(rest);
    const after = path ? rest.slice(path.index + path[0].length) : '';
    const [oldText, newText] = [...after.matchAll(new RegExp(quoted, 'g'))].map(([, text = '']) => text);
    return path?.[1] === undefined || !oldText || newText === undefined ? [] : [call('edit_file', { path: path[1], oldText, newText })];
  },
  (words) => {
    const written = new RegExp(`\\bwrite\\s+(?:to\\s+)?${fileName.source}\\s*:\\s*(.+)`, 'is').exec(words);
    return written?.[1] === undefined ? [] : [call('write_file', { path: written[1], content: `${written[2]?.trim() ?? ''}\n` })];
  },
  (words) => {
    const [, rest = ''] = /\bread\s+(.+)/is.exec(words) ?? [];
    return [...rest.matchAll(new RegExp(fileName, 'g'))].map(([, path = '']) => call('read_file', { path }));
  },
  (words) => {
    const rest = /\bsearch\s+(?:for\s+)?(.+)/i.exec(words)?.[1];
    const pattern = rest === undefined ? undefined : (quoted.exec(rest)?.[1] ?? /[^\s.,;!?]+/.exec(rest)?.[0]);
    return pattern ? [call('search_files', { pattern, literal: true })] : [];
  },
  (words) => (/\blist\s+(?:all\s+|the\s+|my\s+)*files\b/i.test(words) ? [call('list_files', {})] : []),
];

function call(name: string, args: Record<string, unknown>): DemoCall {
  return { name, arguments: JSON.stringify(args) };
}

/** The end of a turn with tools: how many calls there were, and what the last ones said. */
function report(done: readonly RequestMessage[]): string {
  const results = done.map(({ parts }) => parts.flatMap((part) => (part.type === 'toolResult' ? [part] : [])));
  const count = results.reduce((sum, { length }) => sum + length, 0);
  const last = (results.at(-1) ?? []).slice(0, 3);
  return [`That was ${count === 1 ? 'one call' : `${count} calls`}.`, ...last.map(resultText)].join('\n\n');
}

function resultText({ name, content, isError }: ToolResultRequestPart): string {
  const text = content.length > maxQuote ? `${content.slice(0, maxQuote)} …` : content;
  const quote = text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
  return `\`${name}\` ${isError ? 'failed' : 'said'}:\n\n${quote}`;
}
