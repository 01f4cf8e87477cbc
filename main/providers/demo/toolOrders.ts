// What the demo does with tools: orders in plain words become steps with calls. Pure: the same conversation gives the same next step.
import type { ModelRequest, RequestMessage, ToolDefinition, ToolResultRequestPart } from '../../../shared/model/request';
import { joinText } from '../repair';
import { callsOf } from './callOrders';
import { journeyOf } from './journeys';
import { type DemoStep, resultsIn, type Steps, type Tools } from './steps';

const maxQuote = 400;

const acting = ['edit_file', 'write_file', 'run_command', 'fetch_url'];
const actingOrders = '`edit notes.txt "old" to "new"`, `write notes.txt: some text`, `` run `ls` ``, `fetch https://example.com/`';

/** Lines for the help, only where tools are there to be used; for those that are not, the way to them. */
export const toolHelp = (tools: readonly Pick<ToolDefinition, 'name'>[]) =>
  [
    'With tools I also follow these:',
    [
      '- `read notes.txt`, `read a.txt and b.txt`, `list files`, `list src/`, `search for oak`, `view picture.png`',
      tools.some(({ name }) => acting.includes(name))
        ? `- ${actingOrders}`
        : `- ${actingOrders}, once the tools for them are ticked in Settings, Agents: each asks you first`,
      '- `plan tasks`, `explore then rewind`, `set checkpoint "start"`, `rewind to "start"`',
      '- `run twelve steps`, `call forty tools at once`, `loop on one call`',
      '- `call a tool that does not exist`, `call a tool with broken arguments`',
    ].join('\n'),
  ].join('\n\n');

/** The next step of what the user ordered, or the words at its end; null without an order, and for tools that the request does not carry. */
export function nextToolStep(request: ModelRequest): DemoStep | null {
  const tools = request.tools ?? [];
  if (tools.length === 0) return null;
  const found = findOrder(request.messages, tools);
  if (!found) return null;
  const done = request.messages.slice(found.at + 1);
  const digest = done.map(digestOf).findLast((text) => text !== null) ?? null;
  // Steps that were explored are not in the request any more: they must not be taken again.
  if (digest !== null) return { text: `I went back. What I found is in the digest:\n\n${quoteOf(digest)}`, calls: [] };
  const step = found.steps({ done, before: request.messages.slice(0, found.at) });
  return step ?? { text: report(done), calls: [] };
}

/** Words of the user behind a result are a remark on the way, a digest is no order: the one before them still stands. */
function findOrder(messages: readonly RequestMessage[], tools: readonly ToolDefinition[]): { at: number; steps: Steps } | null {
  for (let at = messages.length - 1; at >= 0; at -= 1) {
    const message = messages[at];
    if (message?.role !== 'user') continue;
    const words = orderWords(message);
    const steps = readSteps(words, tools);
    if (steps) return { at, steps };
    const onlyDigest = words.trim() === '' && digestOf(message) !== null;
    if (messages[at - 1]?.role !== 'tool' && !onlyDigest) return null;
  }
  return null;
}

const file = /<file name="[^"\n]*">\n[\s\S]*?\n<\/file>/g;
const digestFrame = /\[Digest\.[^\n]*\]\n([\s\S]*?)\n\[End of the digest\.\]/g;

/** Without attached files and digests. */
function orderWords(message: RequestMessage): string {
  return joinText(message.parts).replace(file, ' ').replace(digestFrame, ' ');
}

/** What was taken along when steps were left (T11, C3). */
function digestOf(message: RequestMessage): string | null {
  if (message.role !== 'user') return null;
  return [...joinText(message.parts).matchAll(digestFrame)].at(-1)?.[1] ?? null;
}

function readSteps(words: string, tools: readonly ToolDefinition[]): Steps | null {
  const kit: Tools = { has: (name) => tools.some((tool) => tool.name === name), spare: tools[0]?.name ?? '' };
  const journey = journeyOf(words, kit);
  if (journey) return journey;
  const calls = callsOf(words, kit);
  return calls ? ({ done }) => (resultsIn(done).length === 0 ? calls : null) : null;
}

/** The end of a turn with tools: how many calls there were, and what the last ones said. */
function report(done: readonly RequestMessage[]): string {
  const results = resultsIn(done);
  const count = results.reduce((sum, { length }) => sum + length, 0);
  const last = (results.at(-1) ?? []).slice(0, 3);
  return [`That was ${count === 1 ? 'one call' : `${count} calls`}.`, ...last.map(resultText)].join('\n\n');
}

function resultText({ name, content, isError }: ToolResultRequestPart): string {
  return `\`${name}\` ${isError ? 'failed' : 'said'}:\n\n${quoteOf(content)}`;
}

function quoteOf(content: string): string {
  const text = content.length > maxQuote ? `${content.slice(0, maxQuote)} …` : content;
  return text
    .split('\n')
    .map((line) => `    ${line}`)
    .join('\n');
}
