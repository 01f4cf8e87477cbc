// Orders of the demo that take several steps. What was done so far is read out of the conversation, so that each next step follows from it.
import type { RequestMessage } from '../../../shared/model/request';
import { argumentsObject } from '../toolArguments';
import { call, type DemoCall, resultsIn, type Steps, type Tools } from './steps';

const maxSteps = 200;
const small = 'zero one two three four five six seven eight nine ten eleven twelve'.split(' ');
const tens: Readonly<Record<string, number>> = { twenty: 20, thirty: 30, forty: 40, fifty: 50, hundred: 100 };

export function journeyOf(words: string, { has, spare }: Tools): Steps | null {
  const name = has('list_files') ? 'list_files' : spare;
  if (/\bexplore\b.*\brewind\b/is.test(words) && has('checkpoint') && has('rewind')) return explore(words, has);
  if (/\bplan\b[^.\n]*\btasks\b/i.test(words) && has('tasks')) return planTasks;
  if ((/\bforever\b/i.test(words) && /\b(?:call|repeat)\b/i.test(words)) || /\bloop\b[^.\n]*\bone call\b/i.test(words))
    return () => ({ text: '', calls: [call(name, {})] });
  const atOnce =
    countIn(/\bcall\s+(\w+)\s+tools?\b[^.\n]*\b(?:at once|in parallel)\b/i, words) ||
    countIn(/\brun\s+(\w+)\s+steps?\s+(?:at once|in parallel)\b/i, words);
  if (atOnce > 0) return ({ done }) => (resultsIn(done).length === 0 ? { text: `${atOnce} at once.`, calls: many(name, atOnce) } : null);
  const count = countIn(/\brun\s+(\w+)\s+steps?\b/i, words);
  if (count === 0) return null;
  return ({ done }) => {
    const step = resultsIn(done).length;
    return step < count ? { text: `Step ${step + 1} of ${count}.`, calls: many(name, step + 1).slice(-1) } : null;
  };
}

/** Each call another one: the same over and over would be stopped as a loop. */
function many(name: string, count: number): DemoCall[] {
  return Array.from({ length: count }, (_, at) => call(name, name === 'list_files' ? { limit: at + 1 } : {}));
}

function countIn(pattern: RegExp, words: string): number {
  const word = pattern.exec(words)?.[1]?.toLowerCase() ?? '';
  const count = /^\d+$/.test(word) ? Number(word) : (tens[word] ?? small.indexOf(word));
  return Math.min(maxSteps, Math.max(0, count));
}

const plan = ['Look at what is there', 'Think about it', 'Say what I found'];

/** One task after the other, each step saying where the list stands. */
const planTasks: Steps = ({ done }) => {
  const step = resultsIn(done).length;
  if (step > plan.length) return null;
  const stateOf = (at: number) => (at < step ? 'done' : at === step ? 'doing' : 'open');
  return {
    text: step === 0 ? 'I make a plan.' : `Done: ${plan[step - 1]}.`,
    calls: [call('tasks', { tasks: plan.map((text, at) => ({ text, state: stateOf(at) })) })],
  };
};

/** A checkpoint, a few looks around, and back with what was found. Behind the digest nextToolStep says the end. */
function explore(words: string, has: Tools['has']): Steps {
  const pattern = /\bexplore\s+(?:for\s+)?[`"“]?([\w-]+)/i.exec(words)?.[1] ?? '';
  const wanted = /^(?:and|then|a|the|files?|first|something)$/i.test(pattern) || pattern === '' ? 'the' : pattern;
  return ({ done, before }) => {
    const label = checkpointIn(done);
    if (label === null) {
      const used = [...before, ...done].flatMap(callsIn).filter(({ name }) => name === 'checkpoint').length;
      // A label that is taken is refused: the next one is tried, but not for ever.
      if (resultsIn(done).length >= 3) return null;
      return {
        text: 'I set a checkpoint, then I look around.',
        calls: [call('checkpoint', { label: used === 0 ? 'explore' : `explore ${used + 1}` })],
      };
    }
    if (done.flatMap(callsIn).some(({ name }) => name === 'rewind')) return null;
    const looks = looksAround(wanted, has, done);
    const next = looks[done.flatMap(callsIn).filter(({ name }) => name !== 'checkpoint').length];
    if (next) return { text: '', calls: [next] };
    return { text: 'That is enough. I go back.', calls: [call('rewind', { label, digest: digestOf(done, wanted) })] };
  };
}

function looksAround(wanted: string, has: Tools['has'], done: readonly RequestMessage[]): DemoCall[] {
  const path = firstFile(done);
  return [
    call('list_files', { limit: 20 }),
    call('search_files', { pattern: wanted, literal: true, limit: 5 }),
    ...(path === null ? [] : [call('read_file', { path, limit: 20 })]),
  ].filter(({ name }) => has(name));
}

/** The first text file that a list named. */
function firstFile(done: readonly RequestMessage[]): string | null {
  const listed = resultsIn(done)
    .flat()
    .find(({ name, isError }) => name === 'list_files' && !isError);
  return listed?.content.split('\n').find((line) => /^[^[\]]+\.(?:txt|md|ts|js|json|csv|html)$/.test(line)) ?? null;
}

function digestOf(done: readonly RequestMessage[], wanted: string): string {
  const results = resultsIn(done)
    .flat()
    .filter(({ name }) => name !== 'checkpoint');
  const files = results.find(({ name }) => name === 'list_files')?.content.split('\n').length ?? 0;
  const lines = results.map(({ name, content, isError }) => `- ${name}: ${isError ? 'failed' : `${content.length} characters`}`);
  return [
    `I looked around in ${results.length} steps: ${files} ${files === 1 ? 'line' : 'lines'} of file names, and a search for “${wanted}”.`,
    ...lines,
  ].join('\n');
}

/** The label of a checkpoint that was set in this turn. */
function checkpointIn(done: readonly RequestMessage[]): string | null {
  const failed = new Set(
    resultsIn(done)
      .flat()
      .flatMap(({ callId, isError }) => (isError ? [callId] : [])),
  );
  const set = done.flatMap(callsIn).findLast(({ name, callId }) => name === 'checkpoint' && !failed.has(callId));
  const label = set ? argumentsObject(set.arguments)['label'] : undefined;
  return typeof label === 'string' ? label : null;
}

function callsIn(message: RequestMessage): { callId: string; name: string; arguments: string }[] {
  return message.parts.flatMap((part) => (part.type === 'toolCall' ? [part] : []));
}
