// The coarse overview that stands in for a digest that would be too long (L18): the first and the last request, counts, files, a line for each
// turn. Made without a model, within the tokens it is given. Pure.
import type { Message } from '../../../shared/model/message';
import type { TouchedFile } from '../../../shared/model/touchedFile';
import { estimateTokens } from '../../../shared/text/estimateTokens';
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
  const files = touchedIn(messages, place);
  put(
    listed({
      title: '[Files, the last touched first]',
      items: files,
      line: fileLine,
      what: 'files',
      tokens: Math.min(room, Math.floor(tokens / 6)),
    }),
  );
  put(listed({ title: '[Turns]', items: turnsOf(entries), line: turnLine, what: 'turns', tokens: room }));
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

function fileLine({ path, changed }: TouchedFile): string {
  return quotedLine(`${oneLine(path, 200)} (${changed > 0 ? 'changed' : 'read'})`);
}

/** A request and what followed it, up to the next. */
function turnsOf(entries: readonly Entry[]): Entry[][] {
  const turns: Entry[][] = [];
  for (const entry of entries) {
    const turn = turns.at(-1);
    if (!turn || entry.isRequest) turns.push([entry]);
    else turn.push(entry);
  }
  return turns;
}

function turnLine(turn: readonly Entry[], at: number): string {
  const asked = turn[0]?.isRequest ? oneLine(turn[0].text, 80) : '';
  const answered = turn.findLast(({ isRequest, text }) => !isRequest && /\S/.test(text));
  const calls = turn.reduce((sum, entry) => sum + entry.calls.length, 0);
  const words = [`${at + 1}.`, asked === '' ? '(no words)' : asked];
  if (calls > 0) words.push(calls === 1 ? '(1 tool call)' : `(${calls} tool calls)`);
  if (answered) words.push('→', oneLine(answered.text, 80));
  return quotedLine(words.join(' '));
}

type Listing<T> = { title: string; items: readonly T[]; line(item: T, at: number): string; what: string; tokens: number };

/** As many lines as fit, from both ends towards the middle; what is left out is counted, and no line of it is made. */
function listed<T>({ title, items, line, what, tokens }: Listing<T>): string[] {
  const gap = (count: number) => `[… ${count} ${what} left out …]`;
  let room = tokens - estimateTokens(`${title}\n${gap(items.length)}\n`);
  const [head, tail]: [string[], string[]] = [[], []];
  const left = () => items.length - head.length - tail.length;
  while (left() > 0) {
    const isHead = head.length === tail.length;
    const at = isHead ? head.length : items.length - 1 - tail.length;
    const next = items.slice(at, at + 1).map((item) => line(item, at))[0] ?? '';
    room -= estimateTokens(`${next}\n`);
    if (room < 0) break;
    (isHead ? head : tail).push(next);
  }
  if (head.length === 0) return [];
  return titled(title, [...head, ...(left() > 0 ? [gap(left())] : []), ...tail.reverse()]);
}
