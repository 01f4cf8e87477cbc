// The card that needs no model, key or network (M3): the previous card, requests verbatim, files, tasks, and where it stood. Always within the
// limits; the same input gives the same card. Pure.
import { type Message, textOf } from '../../../shared/model/message';
import type { TouchedFile } from '../../../shared/model/touchedFile';
import { readCallArguments } from '../../lib/callArguments';
import { oneLine } from '../digest/frame';
import { type Task, taskLines } from '../tasks';
import { chooseDirectives, quoteWithin, requestsOf, shareOf } from './directives';
import { quoteOdd } from './faults';
import { itemsOf, joinItems } from './items';
import { type Card, emptyCard, type NamedPart, renderCard } from './sections';
import { byNeed, type CardRoom, cardRoom, fits, shrinkCard } from './shrinkCard';

export type DeterministicArgs = {
  previous: Card | null;
  /** Folded since the previous card, oldest first. */
  messages: readonly Message[];
  /** What the person asked and is not folded, oldest first. */
  staying?: readonly Message[] | undefined;
  /** The list that stands now. */
  tasks: readonly Task[] | undefined;
  /** The last touched first. */
  files: readonly Pick<TouchedFile, 'path' | 'changed'>[];
  /** In force for the window (L21). */
  cardTokens: number;
};

export const madeWithoutModel = 'This card was put together without a model, from the messages themselves.';

/** Parts of Current work that each such card makes anew. */
const made = { tasks: 'Open tasks', state: 'Where it stood' } as const;

export function deterministicCard(args: DeterministicArgs): { card: Card; text: string } {
  const room = cardRoom(args.cardTokens);
  const card = fitted(args, tamed(wholeCard(args, room)), room);
  return { card, text: renderCard(card) };
}

/** Everything but the directives, of any size. */
function wholeCard({ previous, messages, staying = [], tasks = [], files }: DeterministicArgs, room: CardRoom): Card {
  const before = previous ?? emptyCard();
  const open = tasks.filter(({ state }) => state !== 'done');
  const [request] = requestsOf([...staying.slice(0, 1), ...messages, ...staying.slice(1)]);
  const first = request === undefined ? 'Go on with the conversation.' : `First request: ${oneLine(request, 240)}`;
  return {
    ...before,
    task: before.task === '' ? first : before.task,
    directives: '',
    completed: [...before.completed, ...donePart(tasks, before.completed)],
    current: currentOf(before.current, open, messages, room),
    files: filesOf(before.files, files),
    next: nextOf(messages, open),
  };
}

function donePart(tasks: readonly Task[], known: readonly NamedPart[]): NamedPart[] {
  const names = new Set(known.map(({ name }) => name));
  return tasks
    .filter(({ text, state }) => state === 'done' && !names.has(text))
    .slice(-10)
    .map(({ text }) => ({ name: text, text: '' }));
}

function currentOf(before: readonly NamedPart[], open: readonly Task[], messages: readonly Message[], room: CardRoom): NamedPart[] {
  const own: readonly string[] = Object.values(made);
  const kept = before.filter(({ name }) => !own.includes(name));
  const tasks = open.length === 0 ? [] : [{ name: made.tasks, text: taskLines(open) }];
  return [...kept, ...tasks, { name: made.state, text: stateOf(messages, room) }];
}

const toldCalls = 5;

function stateOf(messages: readonly Message[], room: CardRoom): string {
  const answer = messages.findLast((message) => message.role === 'assistant' && /\S/.test(textOf(message)));
  const quote = answer === undefined ? '' : quoteWithin(textOf(answer), 0.12, room);
  const broke = messages.at(-1)?.status === 'interrupted' ? ' The last answer broke off.' : '';
  const calls = messages
    .slice(-50)
    .flatMap(({ parts }) => parts.filter((part) => part.type === 'toolCall'))
    .slice(-toldCalls)
    .map((part) => {
      const read = readCallArguments(part.arguments);
      const path = 'value' in read ? read.value['path'] : undefined;
      const what = [part.name, typeof path === 'string' ? path : '', part.isError ? '(failed)' : ''].filter((word) => word !== '');
      return `- ${oneLine(what.join(' '), 160)}: ${oneLine(part.summary ?? 'no result', 160)}`;
    });
  const parts = [madeWithoutModel + broke];
  if (quote !== '') parts.push(`The last answer said:\n\n${quote}`);
  if (calls.length > 0) parts.push(`The last calls:\n${calls.join('\n')}`);
  return parts.join('\n\n');
}

const mostFiles = 30;

/** The newest first; what an earlier card says of a file stays. */
function filesOf(before: string, files: readonly Pick<TouchedFile, 'path' | 'changed'>[]): string {
  const names = files.slice(0, mostFiles).filter(({ path }) => !before.includes(path));
  const lines = names.map(({ path, changed }) => `- \`${oneLine(path, 240).replaceAll('`', "'")}\` (${changed > 0 ? 'changed' : 'read'})`);
  return joinItems([...lines, ...itemsOf(before)].slice(0, mostFiles));
}

function nextOf(messages: readonly Message[], open: readonly Task[]): string {
  const task = open.find(({ state }) => state === 'doing') ?? open[0];
  if (messages.at(-1)?.role === 'user') return 'Answer the newest request.';
  return task === undefined ? 'Go on from the newest messages.' : `Go on with: ${oneLine(task.text, 240)}`;
}

/** Nothing in it can be taken for a frame, a call or another speaker, also where an earlier card was written by hand. */
function tamed(card: Card): Card {
  const parts = (list: readonly NamedPart[]) => list.map(({ name, text }) => ({ name: plainName(name), text: quoteOdd(text) }));
  return {
    task: quoteOdd(card.task),
    directives: quoteOdd(card.directives),
    decisions: quoteOdd(card.decisions),
    completed: parts(card.completed),
    current: parts(card.current),
    files: quoteOdd(card.files),
    verified: quoteOdd(card.verified),
    questions: quoteOdd(card.questions),
    next: quoteOdd(card.next),
  };
}

function plainName(name: string): string {
  return oneLine(name, 200).replaceAll('[', '(').replaceAll(']', ')');
}

/** Directives take what is free, and half of the card where less is; then all gives way but Task, directives and Next step, then these. */
function fitted({ previous, messages }: DeterministicArgs, card: Card, room: CardRoom): Card {
  const requests = requestsOf(messages);
  const before = quoteOdd(previous?.directives ?? '');
  const within = (of: Card, share: number) => ({ ...of, directives: chooseDirectives(before, requests, share, room) });
  const free = 0.98 - shareOf(`${renderCard(card)}\n\n## User directives\n`, room);
  const whole = shrinkCard(within(card, Math.max(0.5, free)), room, byNeed);
  if (fits(whole, room)) return whole;
  const short: Card = { ...card, task: cut(card.task, 0.2, room), next: cut(card.next, 0.1, room) };
  for (let share = 0.5; share > 0.05; share *= 0.7) {
    const shrunk = shrinkCard(within(short, share), room, byNeed);
    if (fits(shrunk, room)) return shrunk;
  }
  const bare = { ...emptyCard(), task: short.task, next: short.next };
  return fits(bare, room) ? bare : emptyCard();
}

/** Never to nothing: what is not even worth two ends keeps its start. */
function cut(text: string, share: number, room: CardRoom): string {
  if (shareOf(text, room) <= share) return text;
  const quote = quoteWithin(text, share, room);
  if (quote !== '') return quote;
  let start = oneLine(text, 80);
  while (start.length > 2 && shareOf(start, room) > share) start = oneLine(start, Math.floor(start.length * 0.8));
  return `> ${start}`;
}
