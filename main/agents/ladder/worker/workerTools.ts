// The tools of a worker (M5): they read, and choose for its desk; none asks anybody or changes anything.
import { stat } from 'node:fs/promises';
import * as z from 'zod/mini';
import type { CardFault } from '../../../context/card/faults';
import { faultLines } from '../../../context/card/prompts';
import { oneLine } from '../../../context/digest/frame';
import { systemCode } from '../../../lib/systemError';
import { locate } from '../../tools/common/confine';
import { defineTool, type Tool, type ToolContext, ToolError, type ToolPlan } from '../../tools/common/definition';
import { readFileTool } from '../../tools/readFile';
import { mostPath } from '../references';
import { readForMemory } from './readForMemory';
import type { WorkerDesk } from './workerDesk';

const part = {
  path: z.string().check(z.minLength(1), z.describe('Path of the file, relative to the workspace folder')),
  offset: z.optional(z.int().check(z.minimum(1), z.describe('First line, counted from 1; left out: the whole file'))),
  limit: z.optional(z.int().check(z.minimum(1), z.describe('How many lines'))),
};
const mostWhy = 160;
export const writeSummary = 'write_summary';

/** `told`: what became of the last card. */
export type CardTold = (end: { repeated: boolean; faults: readonly CardFault[] }) => void;

export function workerTools(desk: WorkerDesk, told: CardTold): Tool[] {
  const mark = defineTool({
    name: 'mark_read_required',
    description: 'Puts the contents of a file, or of a part of it, behind the card.',
    input: z.object(part),
    plan: (asked, context) => plain(() => marked(desk, asked, context)),
  });
  const refer = defineTool({
    name: 'add_reference',
    description: 'Names a file behind the card, with why it matters, without its contents.',
    input: z.object({ ...part, why: z.string().check(z.minLength(1), z.describe('Why it matters, in a few words')) }),
    plan: (asked, context) => plain(() => referred(desk, asked, context)),
  });
  const write = defineTool({
    name: writeSummary,
    description: 'Hands in the whole card as Markdown. The last one counts.',
    input: z.object({ card: z.string().check(z.describe('The whole card, from "## Task" to "## Next step"')) }),
    plan: ({ card }) => plain(async () => written(desk, card, told)),
  });
  return [readFileTool, mark, refer, write];
}

/** It needs nobody's word. */
function plain(run: () => Promise<string>): ToolPlan {
  return { needs: [], run: async () => ({ summary: await run() }) };
}

async function marked(desk: WorkerDesk, asked: z.output<z.ZodMiniObject<typeof part>>, context: ToolContext): Promise<string> {
  const read = await readForMemory(asked, context);
  if (read.type === 'refused') {
    desk.refer({ path: read.path, why: read.why });
    throw new ToolError(`${read.path} ${read.why}. It is named as a reference instead.`);
  }
  const { path, from, to } = read.file;
  const shown = from === undefined ? path : `${path}:${from}-${to}`;
  const end = desk.mark(read.file);
  switch (end.type) {
    case 'kept':
      return `${shown} will stand behind the card. Room for about ${Math.max(0, desk.room)} tokens of contents is left.`;
    case 'known':
      return `${shown} is marked already.`;
    case 'tooMany':
      throw new ToolError('No more files can be marked.');
    case 'tooLarge':
      throw new ToolError(
        `${shown} is about ${end.tokens} tokens, and there is room for ${Math.max(0, end.room)}. It is named as a reference instead; a smaller part can be marked with offset and limit.`,
      );
  }
}

type Referred = z.output<z.ZodMiniObject<typeof part>> & { why: string };

async function referred(desk: WorkerDesk, { path: asked, offset, limit, why }: Referred, context: ToolContext): Promise<string> {
  const place = await locate(context.workspace, asked, context.platform);
  // What lies outside is not even looked for.
  if (!place.outside && !(await isThere(place.path))) throw new ToolError(`${place.shown} does not exist.`);
  const path = oneLine(context.hideKeys(place.shown), mostPath);
  if (!desk.refer({ path, why: `${plainWords(context.hideKeys(why))}${linesOf(offset, limit)}` }))
    throw new ToolError('No more references can be added.');
  return `${path} is named behind the card.`;
}

/** Nothing in it passes for a frame. */
function plainWords(why: string): string {
  return oneLine(why, mostWhy).replaceAll('[', '(').replaceAll(']', ')');
}

function linesOf(offset: number | undefined, limit: number | undefined): string {
  if (offset === undefined && limit === undefined) return '';
  const from = offset ?? 1;
  return limit === undefined ? `; from line ${from}` : `; lines ${from} to ${from + limit - 1}`;
}

async function isThere(path: string): Promise<boolean> {
  try {
    await stat(path);
    return true;
  } catch (error) {
    if (systemCode(error) === undefined) throw error;
    return false;
  }
}

function written(desk: WorkerDesk, card: string, told: CardTold): string {
  const { faults, repeated } = desk.write(card);
  told({ repeated, faults });
  if (faults.length > 0) throw new ToolError(`The card could not be used: ${faultLines(faults).join(' ').replaceAll('- ', '')}`);
  return 'The card is kept. To change it, hand in a whole new one; if nothing is left to do, answer with the one word "done".';
}
