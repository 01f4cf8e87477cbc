// The demo as the one that keeps the state card: put together from what it was told, and with tools it reads a file, marks it, names another and
// hands the card in. Pure.
import type { ModelRequest } from '../../../shared/model/request';
import { joinText } from '../repair';
import { call, type DemoCall, type DemoStep } from './steps';

export function isForCard({ system }: Pick<ModelRequest, 'system'>): boolean {
  return /^you keep the state card/i.test(system.trim());
}

/** The card as text, or the next step on the way to it. */
export function cardStep({ messages, tools = [] }: Pick<ModelRequest, 'messages' | 'tools'>): DemoStep {
  const told = joinText(messages.find(({ role }) => role === 'user')?.parts ?? []);
  const has = (name: string) => tools.some((tool) => tool.name === name);
  if (!has('write_summary')) return { text: cardOf(told), calls: [] };
  const [first, second] = filesIn(told);
  const chosen = [
    ...(first === undefined ? [] : [call('mark_read_required', { path: first, limit: 60 })]),
    ...(second === undefined ? [] : [call('add_reference', { path: second, why: 'touched just before' })]),
  ];
  const steps: DemoCall[][] = [
    first === undefined ? [] : [call('read_file', { path: first, limit: 60 })],
    chosen,
    [call('write_summary', { card: cardOf(told) })],
  ].map((calls) => calls.filter(({ name }) => has(name)));
  const done = messages.filter(({ role, parts }) => role === 'assistant' && parts.some(({ type }) => type === 'toolCall')).length;
  return { text: '', calls: [], ...withCalls(steps.filter((calls) => calls.length > 0)[done]) };
}

function withCalls(calls: DemoCall[] | undefined): Partial<DemoStep> {
  return calls ? { calls } : { text: 'done' };
}

/** Quoted lines under a mark of the program. */
function quotedUnder(told: string, mark: string): string[] {
  const from = told.indexOf(`${mark}\n`);
  if (from === -1) return [];
  const lines = told.slice(from + mark.length + 1).split('\n');
  const end = lines.findIndex((line) => !line.startsWith('|'));
  return lines.slice(0, end === -1 ? undefined : end).map((line) => line.replace(/^\| ?/, ''));
}

function filesIn(told: string): string[] {
  return quotedUnder(told, '[Files, the last touched first]').map((line) => line.replace(/ \((?:changed|read)\)$/, ''));
}

const mostWords = 160;
const mostQuotes = 6;
/** In front of it nothing passes for a heading or a refusal. */
const asking = 'Asked first: ';
const asWords = new RegExp(`^${asking}`);
const marks: Readonly<Record<string, string>> = { '"': "'", '[': '(', ']': ')' };
const short = (line: string) => cut(line).replaceAll(/["[\]]/g, (mark) => marks[mark] ?? mark);
/** After a whole sentence where one is long enough, so that half a statement does not stand for another one. */
function cut(line: string): string {
  if (line.length <= mostWords) return line;
  const head = line.slice(0, mostWords - 1);
  const sentence = head.lastIndexOf('. ') + 1;
  return sentence > mostWords / 3 ? `${head.slice(0, sentence)} …` : `${head}…`;
}

/** What the agent goes on having: it tells the task, and a card that quoted it, cut short, would say less beside more. */
const staying = /^\[Requests that stay[^\n]*\n((?:(?:\[User\]|\|)[^\n]*\n?)*)/m;
const saidIn = (told: string) => [...told.matchAll(/^\[(User|Assistant)[^\]\n]*\]\n\| ([^\n]*)/gm)];
const askedIn = (said: ReturnType<typeof saidIn>) =>
  said.flatMap(([, who, line = '']) => (who === 'User' && line.trim() !== '' ? [short(line)] : []));

/** Valid whatever it was told. */
export function cardOf(told: string): string {
  const said = saidIn(told.replace(staying, ''));
  const asked = askedIn(said);
  const [stays] = askedIn(saidIn(staying.exec(told)?.[1] ?? ''));
  const answer = said.findLast(([, who]) => who === 'Assistant')?.[2];
  const before = quotedUnder(told, '[Previous card]');
  const first = before[before.indexOf('## Task') + 1]?.replace(asWords, '').trim() || stays || asked[0] || 'nothing';
  const tasks = quotedUnder(told, '[Open tasks, as the agent keeps them]').filter((line) => line.startsWith('- [ ]'));
  const quotes = [...new Set([...asked.slice(0, 1), ...asked.slice(1 - mostQuotes)])].map((line) => `- "${line}"`);
  const files = filesIn(told).slice(0, 10);
  const sections: [heading: string, lines: string[]][] = [
    ['Task', [`${asking}${short(first)}`]],
    ['User directives', quotes],
    [
      'Current work',
      answer === undefined && tasks.length === 0
        ? []
        : ['### The talk', ...tasks.slice(0, 10), ...(answer === undefined ? [] : [`The last answer began: "${short(answer)}"`])],
    ],
    ['Files and artifacts', files.map((path) => `- \`${short(path)}\``)],
    ['Next step', ['Go on from the newest messages. A real model would tell more; the demo only repeats.']],
  ];
  return sections
    .filter(([, lines]) => lines.length > 0)
    .map(([heading, lines]) => `## ${heading}\n${lines.join('\n')}`)
    .join('\n\n');
}
