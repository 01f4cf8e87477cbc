// recall: brings back what was folded away or left out, word for word: found by words, read by id (A2). It reads what is on record and changes nothing.
import * as z from 'zod/mini';
import type { ToolResult } from '../../../shared/model/tool';
import { linesOf } from '../../lib/textFile';
import { defineTool, type PastPlace, type ToolContext, ToolError, textResult } from './common/definition';
import { oneLine, shortenLine } from './common/output';

const input = z.object({
  query: z.optional(
    z
      .string()
      .check(z.minLength(2), z.maxLength(300), z.describe('Words to look for in the earlier conversation; all must be in one place')),
  ),
  id: z.optional(z.string().check(z.maxLength(500), z.describe('The id of a result or message to read, as it was named to you'))),
  from: z.optional(z.int().check(z.minimum(1), z.describe('First line to read, counted from 1'))),
  to: z.optional(z.int().check(z.minimum(1), z.describe('Last line to read'))),
});
type Input = z.output<typeof input>;

export const recallTool = defineTool({
  name: 'recall',
  description:
    'Reads what stands earlier in this conversation and is no longer in front of you: folded messages, and contents of results that were left out or cut. Give an id (with from and to for a range of lines) to read one whole, or a query to find where something was said. Use it rather than guess an exact value.',
  input,
  plan: (asked, context) => ({ needs: [], run: () => recall(asked, context) }),
});

async function recall(asked: Input, context: ToolContext): Promise<ToolResult> {
  if (asked.id !== undefined) return readOne(asked.id, asked, context);
  if (asked.query === undefined) throw new ToolError('Give an id to read or a query to look for.');
  const found = await context.past.search(asked.query, context.signal);
  if (found.length === 0) return { summary: `Nothing earlier holds ${JSON.stringify(oneLine(asked.query, 80))}`, useless: true };
  const lines = found.map((place) => `- ${nameOf(place)}, id ${JSON.stringify(place.id)}: ${oneLine(place.excerpt, 300)}`);
  return textResult(`Found ${found.length === 1 ? 'one place' : `${found.length} places`}, the newest first`, lines.join('\n'));
}

function nameOf({ kind, name, line }: PastPlace): string {
  if (kind === 'result') return `result of ${name}${line === undefined ? '' : `, line ${line}`}`;
  return `${name} said`;
}

async function readOne(id: string, { from, to }: Input, context: ToolContext): Promise<ToolResult> {
  const found = await context.past.read(id, context.signal);
  if (found === null) throw new ToolError(`Nothing in this conversation has the id ${id}. Look for words with query instead.`);
  const lines = linesOf(found.text);
  const start = from ?? 1;
  if (start > Math.max(1, lines.length)) throw new ToolError(`It has only ${lines.length} lines.`);
  const end = Math.min(to ?? lines.length, lines.length);
  if (end < start) throw new ToolError('The last line comes before the first.');
  const shown = withinBudget(lines.slice(start - 1, end), context.limits.outputBytes);
  const last = start + shown.length - 1;
  const rest = last < end ? [`[Lines ${last + 1} to ${end} follow: recall ${JSON.stringify({ id, from: last + 1, to: end })}]`] : [];
  return textResult(`Recalled ${found.name}, lines ${start} to ${last} of ${lines.length}`, [...shown, ...rest].join('\n'));
}

/** Whole lines as many as fit, at least one. */
function withinBudget(lines: readonly string[], budget: number): string[] {
  const shown: string[] = [];
  let room = budget;
  for (const line of lines) {
    const short = shortenLine(line);
    room -= Buffer.byteLength(short) + 1;
    if (room < 0 && shown.length > 0) break;
    shown.push(short);
  }
  return shown;
}
