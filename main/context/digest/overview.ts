// The coarse overview that stands in for a digest that would be too long (L18): the first and the last request, counts, files, a line for each
// turn. Made without a model, within the tokens it is given. Pure.
import type { Message } from '../../../shared/model/message';
import { estimateTokens } from '../estimateTokens';
import { touchedIn, type WorkspacePlace } from '../touchedFiles';
import type { Entry } from './entries';
import { oneLine, overviewHead, quotedLine, quotedWithin } from './frame';

type Stretch = { messages: readonly Message[]; entries: readonly Entry[]; place: WorkspacePlace };

/** Never above `tokens`. */
export function overviewOf({ messages, entries, place, tokens }: Stretch & { tokens: number }): string {
  const requests = entries.filter(({ isRequest, text }) => isRequest && /\S/.test(text));
  const first = requests[0];
  const last = requests.length > 1 ? requests.at(-1) : undefined;
  const text: string[] = [];
  let room = tokens;
  const put = (lines: readonly string[]) => {
    const cost = estimateTokens(`${lines.join('\n')}\n`);
    if (lines.length === 0 || cost > room) return;
    text.push(...lines);
    room -= cost;
  };
  put([overviewHead]);
  if (first) put(titled('[First request]', quotedWithin(first.text, Math.floor(tokens / 4))));
  if (last) put(titled('[Last request]', quotedWithin(last.text, Math.floor(tokens / 4))));
  put(countsOf(entries));
  put(within('[Files, the last touched first]', filesOf(messages, place), Math.min(room, Math.floor(tokens / 6)), 'files'));
  put(within('[Turns]', turnLines(entries), room, 'turns'));
  return text.join('\n');
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : [title, ...lines];
}

function countsOf(entries: readonly Entry[]): string[] {
  const count = (of: (entry: Entry) => number) => entries.reduce((sum, entry) => sum + of(entry), 0);
  const told = [
    `${entries.length} messages`,
    `${count(({ isRequest }) => (isRequest ? 1 : 0))} requests`,
    `${count(({ calls }) => calls.length)} tool calls`,
    `${count(({ images }) => images)} images`,
    `${count(({ files }) => files.length)} files attached`,
  ];
  return ['[Counts]', quotedLine(told.join(', '))];
}

function filesOf(messages: readonly Message[], place: WorkspacePlace): string[] {
  return touchedIn(messages, place).map(({ path, changed }) => quotedLine(`${oneLine(path, 200)} (${changed > 0 ? 'changed' : 'read'})`));
}

/** A request and what followed it, up to the next. */
function turnLines(entries: readonly Entry[]): string[] {
  const turns: Entry[][] = [];
  for (const entry of entries) {
    const turn = turns.at(-1);
    if (!turn || entry.isRequest) turns.push([entry]);
    else turn.push(entry);
  }
  return turns.map((turn, at) => {
    const asked = turn[0]?.isRequest ? oneLine(turn[0].text, 80) : '';
    const answered = turn.findLast(({ isRequest, text }) => !isRequest && /\S/.test(text));
    const calls = turn.reduce((sum, entry) => sum + entry.calls.length, 0);
    const words = [`${at + 1}.`, asked === '' ? '(no words)' : asked];
    if (calls > 0) words.push(`(${calls} tool calls)`);
    if (answered) words.push('→', oneLine(answered.text, 80));
    return quotedLine(words.join(' '));
  });
}

/** As many lines as fit, from both ends towards the middle; what is left out is counted. */
function within(title: string, lines: readonly string[], tokens: number, what: string): string[] {
  const gap = (count: number) => `[… ${count} ${what} left out …]`;
  let room = tokens - estimateTokens(`${title}\n${gap(lines.length)}\n`);
  let [head, tail] = [0, lines.length];
  for (let isHead = true; head < tail; isHead = !isHead) {
    const line = lines[isHead ? head : tail - 1] ?? '';
    room -= estimateTokens(`${line}\n`);
    if (room < 0) break;
    if (isHead) head++;
    else tail--;
  }
  if (room < 0 && head === 0) return [];
  return titled(title, head === tail ? lines : [...lines.slice(0, head), gap(tail - head), ...lines.slice(tail)]);
}
