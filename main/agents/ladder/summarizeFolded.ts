// From what is to be folded to the body of a memory: the card, what of files comes with it, the task list as it stands (M4 to M6).
import type { MemoryBody } from '../../../shared/model/memoryRecord';
import type { TouchedFile } from '../../../shared/model/touchedFile';
import { deterministicCard } from '../../context/card/deterministicCard';
import { type Card, cardOfText } from '../../context/card/sections';
import { type Task, taskLines, tasksOnPath } from '../../context/tasks';
import { type Found, touchedAfter, touchesOf, type WorkspacePlace } from '../../context/touchedFiles';
import { usedAgents } from '../../store/usedAgents';
import type { LadderDeps, Summarize, SummaryArgs } from './ladderDeps';
import { type SummarizeArgs, summarizeSimple } from './summarize';

/** Files touched last that are named beside the card where nobody chose better ones (M5). */
const namedFiles = 5;

export function summarizeFolded({ db, models }: Pick<LadderDeps, 'db' | 'models'>, place: WorkspacePlace): Summarize {
  return async (args, signal) => {
    const { stand, numbers, folded, steps, focus } = args;
    const tasks = tasksOf(args);
    const files = touchedFiles(args, place);
    const asked: SummarizeArgs = {
      own: stand.agent.model,
      messages: folded,
      steps,
      agentNames: new Map(usedAgents(db, stand.conversationId).map(({ id, name }) => [id, name])),
      previous: previousCard(args),
      focus,
      tasks,
      files,
      place,
      cardTokens: numbers.cardTokens,
    };
    const made = args.mode === 'none' ? withoutModel(asked) : await summarizeSimple({ models }, asked, signal);
    if (made.type === 'stopped') return made;
    const { text, method, refused, spent, cost } = made;
    const model = made.type === 'card' ? made.model : undefined;
    return { type: 'card', method, model, refused, spent, cost, body: bodyOf(args, text, files, tasks) };
  };
}

function withoutModel(args: SummarizeArgs): Extract<Awaited<ReturnType<typeof summarizeSimple>>, { type: 'deterministic' }> {
  return { type: 'deterministic', method: 'deterministic', ...deterministicCard(args), refused: [] };
}

/** The text of pages is no card. */
function previousCard({ previous }: SummaryArgs): Card | null {
  return previous?.body && previous.kind !== 'pages' ? cardOfText(previous.body.text) : null;
}

function bodyOf({ previous }: SummaryArgs, text: string, files: readonly TouchedFile[], tasks: readonly Task[] | undefined): MemoryBody {
  const body: MemoryBody = { text, pages: [], files: [], references: referencesOf(files, previous?.body) };
  const lines = tasks ? taskLines(tasks) : previous?.body?.tasks;
  return lines ? { ...body, tasks: lines } : body;
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
