// From what is to be folded to the body of a memory: the card, what of files comes with it, the task list as it stands (M4 to M6).
import type { MemoryBody } from '../../../shared/model/memoryRecord';
import { deterministicCard } from '../../context/card/deterministicCard';
import { type Card, cardOfText } from '../../context/card/sections';
import { type Task, taskLines, tasksOnPath } from '../../context/tasks';
import { touchedIn, type WorkspacePlace } from '../../context/touchedFiles';
import { usedAgents } from '../../store/usedAgents';
import type { LadderDeps, Summarize, SummaryArgs } from './ladderDeps';
import { nothingChosen, referencesOf } from './references';
import { type SummarizeArgs, summarizeSimple } from './summarize';
import type { WorkerPlace } from './worker/runWorkerCall';
import { summarizeWorker, type WorkerSummary } from './worker/summarizeWorker';
import { takesWorker } from './worker/takesWorker';

export type FoldedDeps = Pick<LadderDeps, 'db' | 'models' | 'now' | 'logger'> & { tools: Omit<WorkerPlace, 'report' | 'now'> };
type Made = Exclude<WorkerSummary, { type: 'stopped' }>;

export function summarizeFolded(deps: FoldedDeps, place: WorkspacePlace): Summarize {
  return async (args, signal) => {
    const { stand, numbers, folded, steps, staying, focus } = args;
    const tasks = tasksOf(args);
    const files = touchedIn(folded, place);
    const asked: SummarizeArgs = {
      own: stand.agent.model,
      messages: folded,
      steps,
      staying,
      agentNames: new Map(usedAgents(deps.db, stand.conversationId).map(({ id, name }) => [id, name])),
      previous: previousCard(args),
      focus,
      tasks,
      files,
      place,
      cardTokens: numbers.cardTokens,
    };
    const made = await summaryOf(deps, args, asked, signal);
    if (made.type === 'stopped') return made;
    const { text, method, refused, spent, cost, chosen } = made;
    const model = made.type === 'card' ? made.model : undefined;
    const named = await referencesOf({ chosen, files, previous: args.previous?.body, workspace: deps.tools.workspace });
    const lines = tasks ? taskLines(tasks) : args.previous?.body?.tasks;
    const body: MemoryBody = { text, pages: [], files: chosen.files, references: named, ...(lines ? { tasks: lines } : {}) };
    return { type: 'card', method, model, refused, spent, cost, body };
  };
}

async function summaryOf(deps: FoldedDeps, args: SummaryArgs, asked: SummarizeArgs, signal: AbortSignal): Promise<WorkerSummary> {
  if (args.mode === 'none') return withoutModel(asked);
  if (args.mode === 'auto' && takesWorker(args.numbers, args.stand.agent.tools, asked.files.length > 0)) {
    const report = (cause: unknown) => deps.logger.log('error', 'a tool failed', { cause });
    const tools = { ...deps.tools, now: deps.now, report };
    return summarizeWorker(deps, { ...asked, numbers: args.numbers, tools, onWorker: args.onWorker }, signal);
  }
  const made = await summarizeSimple(deps, asked, signal);
  return made.type === 'stopped' ? made : { ...made, chosen: nothingChosen };
}

function withoutModel(args: SummarizeArgs): Made {
  return { type: 'deterministic', method: 'deterministic', ...deterministicCard(args), refused: [], chosen: nothingChosen };
}

function previousCard({ previous }: SummaryArgs): Card | null {
  return previous?.body ? cardOfText(previous.body.text) : null;
}

function tasksOf({ folded, steps }: SummaryArgs): readonly Task[] | undefined {
  return tasksOnPath(folded.flatMap(({ id }) => steps.get(id) ?? []));
}
