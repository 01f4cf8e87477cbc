// From what is to be folded to the body of a memory: the card, what of files comes with it, the task list as it stands (M4 to M6).
import type { MemoryBody } from '../../../shared/model/memoryRecord';
import type { TouchedFile } from '../../../shared/model/touchedFile';
import { deterministicCard } from '../../context/card/deterministicCard';
import { parseCard } from '../../context/card/sections';
import { type Task, taskLines, tasksOnPath } from '../../context/tasks';
import { type Found, touchedAfter, touchesOf, type WorkspacePlace } from '../../context/touchedFiles';
import type { Summarize, SummaryArgs } from './ladderDeps';

/** Files touched last that are named beside the card where nobody chose better ones (M5). */
const namedFiles = 5;

export function summarizeFolded(place: WorkspacePlace): Summarize {
  return async (args) => {
    const files = touchedFiles(args, place);
    const tasks = tasksOf(args);
    const previous = args.previous?.body ? parseCard(args.previous.body.text) : null;
    const made = deterministicCard({ previous, messages: args.folded, tasks, files, cardTokens: args.numbers.cardTokens });
    const body: MemoryBody = { text: made.text, pages: [], files: [], references: referencesOf(files, args.previous?.body) };
    const lines = tasks ? taskLines(tasks) : args.previous?.body?.tasks;
    return { type: 'card', method: 'deterministic', refused: [], body: lines ? { ...body, tasks: lines } : body };
  };
}

/** Newest first. */
function touchedFiles({ folded }: SummaryArgs, place: WorkspacePlace): TouchedFile[] {
  const found = folded.map((message, depth): Found => ({ touches: touchesOf(message, place), messageId: message.id, depth }));
  return [...touchedAfter(new Map(), found).values()].reverse();
}

function tasksOf({ folded, steps }: SummaryArgs): readonly Task[] | undefined {
  return tasksOnPath(folded.flatMap(({ id }) => steps.get(id) ?? []));
}

function referencesOf(files: readonly TouchedFile[], previous: MemoryBody | undefined): MemoryBody['references'] {
  const named = files.map(({ path, changed }) => ({ path, why: changed > 0 ? 'changed' : 'read' }));
  const known = new Set(named.map(({ path }) => path));
  return [...named, ...(previous?.references ?? []).filter(({ path }) => !known.has(path))].slice(0, namedFiles);
}
