// What the demo says to a whole request: titles, continued answers, attachments, orders.
import type { ModelRequest, RequestMessage } from '../../../shared/model/request';
import type { Connection } from '../port';
import { joinText } from '../repair';
import { lookUp } from './lookUp';
import { type Plan, readOrder } from './orders';
import { cardStep, isForCard } from './stateCard';
import { nextToolStep, toolHelp } from './toolOrders';

const continueWords = /answer above broke off|(?:continue|go on) exactly where/i;
const fileMark = /<file name="([^"\n]*)">\n([\s\S]*?)\n<\/file>/g;

/** `orders`: the messages as they are read for orders; what is known is looked up in the whole request. */
export async function planAnswer(request: ModelRequest, orders: RequestMessage[], connection: Connection): Promise<Plan> {
  const last = orders.findLast((message) => message.role === 'user');
  const words = last ? joinText(last.parts) : '';
  if (/^write a title/i.test(request.system.trim()))
    return { ...readOrder(''), thoughts: '', text: titleOf(words), isOrder: true, speed: 'fast' };
  if (/^you write the digest/i.test(request.system.trim()))
    return { ...readOrder(''), thoughts: '', text: branchDigestOf(words), isOrder: true, speed: 'fast' };
  if (isForCard(request)) return { ...readOrder(''), thoughts: '', ...cardStep(request), isOrder: true, speed: 'fast' };
  const found = lookUp(request, words.replace(fileMark, ' '));
  if (found !== null) return { ...readOrder(''), text: found, isOrder: true };
  const step = nextToolStep({ ...request, messages: orders });
  const plan = readOrder(words.replace(fileMark, ' '));
  if (step) return { ...plan, ...step, thoughts: orders.at(-1)?.role === 'tool' ? '' : plan.thoughts, isOrder: true };
  if (continueWords.test(words)) return continued(orders);
  if (plan.isOrder || !last) return plan;
  if (request.tools?.length) plan.text = `${plan.text}\n\n${toolHelp(request.tools)}`;
  const received = [...(await pictures(last, connection)), ...files(words)];
  return received.length === 0
    ? plan
    : { ...plan, text: `I received ${listed(received)}. As a demo I do not look inside.\n\n${plan.text}` };
}

/** The first words of the user, as a title: no order words, no marks. */
export function titleOf(excerpt: string): string {
  const user = /^User:[ \t]*(.*?)(?:\n\s*Assistant:|$)/is.exec(excerpt)?.[1] ?? excerpt;
  const words = user
    .replace(fileMark, ' ')
    .replace(/[`*_#>|"“”]/g, ' ')
    .trim()
    .split(/\s+/)
    .slice(0, 6)
    .join(' ')
    .replace(/[.,;:!?]+$/, '');
  if (words === '') return 'Demo conversation';
  return words.charAt(0).toUpperCase() + words.slice(1, 60);
}

/** What was asked, and how the last answer began: the demo does not read on. */
function branchDigestOf(told: string): string {
  const said = [...told.matchAll(/^\[(User|Assistant)[^\]\n]*\]\n\| ([^\n]*)/gm)];
  const asked = said.flatMap(([, who, line = '']) => (who === 'User' ? [`“${line.slice(0, 120)}”`] : []));
  const answer = said.findLast(([, who]) => who === 'Assistant')?.[2];
  return [
    asked.length === 0 ? 'Nothing was asked in that branch.' : `In that branch you asked ${listed(asked.slice(0, 5))}.`,
    ...(answer === undefined ? [] : [`The last answer began: “${answer.slice(0, 200)}”.`]),
    'A real model would tell what was found out; the demo only repeats.',
  ].join(' ');
}

/** The rest of the answer that broke off, word for word, when it was the demo's own. */
function continued(messages: readonly RequestMessage[]): Plan {
  const answers = messages.slice(0, -1);
  const asked = answers.findLast((message) => message.role === 'user' && !continueWords.test(joinText(message.parts)));
  const from = asked ? answers.indexOf(asked) : -1;
  const said = answers.slice(from + 1).flatMap((message) => (message.role === 'assistant' ? [joinText(message.parts)] : []));
  const plan = readOrder(asked ? joinText(asked.parts) : '');
  const rest = restOf(plan.text, said);
  return { ...plan, thoughts: '', failure: null, text: rest === '' ? 'There is nothing left to say.' : rest };
}

function restOf(whole: string, said: readonly string[]): string {
  let rest = whole;
  for (const piece of said) {
    const trimmed = rest.trimStart();
    const start = piece.trim();
    if (!trimmed.startsWith(start)) return whole;
    rest = trimmed.slice(start.length);
  }
  return rest;
}

async function pictures(message: RequestMessage, connection: Connection): Promise<string[]> {
  const images = message.parts.flatMap((part) => (part.type === 'image' ? [part] : []));
  return Promise.all(
    images.map(async (image) => `the picture “${image.name}” (${size((await connection.readBlob(image.hash)).byteLength)}, ${image.mime})`),
  );
}

function files(words: string): string[] {
  return [...words.matchAll(fileMark)].map(([, name, text = '']) => `the file “${name}” (${size(Buffer.byteLength(text))} of text)`);
}

function size(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  return bytes < 1_000_000 ? `${Math.round(bytes / 1000)} kB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}

function listed(items: readonly string[]): string {
  return items.length === 1 ? `${items[0]}` : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}
