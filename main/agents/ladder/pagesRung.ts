// The rung before the last: what is older than the tail becomes pages that a model which sees reads as pictures (L4, S). No model, key or network.
import type { MemoryBody, PagesReceipt } from '../../../shared/model/memoryRecord';
import { referenceOf } from '../../context/ladder/rebuilt';
import { memoryRecord, weighed } from '../../context/ladder/records';
import { pagesLegend } from '../../context/snapshot/legend';
import type { Pages, PagesArgs, PagesOutcome } from '../../context/snapshot/makePages';
import { familyOf, mostPagesFor } from '../../context/suits';
import { taskLines, tasksOnPath } from '../../context/tasks';
import { usedAgents } from '../../store/usedAgents';
import { lookFor } from '../pathContent';
import { type FoundPages, filesOf, type PageFiles, pageOf } from './commitPages';
import { type FoldedContent, foldedContent, textHashes } from './commitRecord';
import { type FoldCut, foldCut } from './foldCut';
import { type Draft, factsNow, fail, goalOf, isEnough, type Run, refusal, weightWith, withRecord } from './passRun';

/** Pages that were checked and could be committed. `isEnough`: nothing more is asked for. */
export type PagesFound = FoundPages & { isEnough: boolean };

/** Where more than this share had to be dropped, a card of all of it is the better memory; after a refusal it has to be worse (L16). */
const mostDropped = { overflow: 0.5, else: 0.1 };

/** Null where there are none to be had; the ladder goes on. */
export async function pagesRung(run: Run, draft: Draft): Promise<PagesFound | null> {
  const { deps, stand, order } = run;
  const reason = unasked(run);
  if (reason) {
    fail(run, 'snapshot', reason);
    return null;
  }
  const cut = foldCut(run, draft);
  if (!cut || cut.fresh.length === 0) return null;
  run.onRung('snapshot');
  const content = await foldedContent(deps, stand, cut.folded);
  if (!content) return null;
  const hashes = textHashes(content.messages);
  const { holding } = draft.stand.context.layout.path;
  const elided = holding.flatMap((record) => record.elided);
  const outcome = await made(run, cut, { ...content, elided });
  if (run.signal.aborted || !outcome) return null;
  if (!outcome.ok) {
    fail(run, 'snapshot', outcome.refusal === 'blind' ? 'noVision' : outcome.refusal);
    return null;
  }
  const { pages } = outcome;
  const files = pages.pages.map(filesOf);
  const body = bodyOf(pages, files, cut, content);
  const path = stand.built.map(({ id }) => id);
  const bare = memoryRecord(path, factsNow(run), { kind: 'pages', folded: cut.folded, kept: cut.kept, body, previous: cut.base });
  const after = withRecord(stand, bare);
  const weight = weightWith(run, after);
  const why = refusal(run, after, weight);
  if (why) {
    fail(run, 'snapshot', why);
    return null;
  }
  const record = weighed(bare, weight, { pages: receiptOf(pages) });
  const most = order.trigger === 'overflow' ? mostDropped.overflow : mostDropped.else;
  const isWhole = pages.dropped <= most * (pages.dropped + charactersOf(pages));
  const isSmall = order.line === null || isEnough(run, weight);
  return { record, files, hashes, isEnough: isNamed(order.rungs) || (isWhole && isSmall) };
}

/** Why nobody is asked for any. */
function unasked({ deps, stand: { model }, numbers, order }: Run): string | null {
  if (numbers.snapshotMode === 'off' && !isNamed(order.rungs)) return 'off';
  if (model.vision !== true) return 'noVision';
  return familyOf(model) === null || !deps.makePages ? 'reader' : null;
}

/** Asked for by name, by hand. */
const isNamed = (rungs: readonly string[]): boolean => rungs.length === 1;

async function made(run: Run, cut: FoldCut, content: FoldedContent & Pick<PagesArgs, 'elided'>): Promise<PagesOutcome | null> {
  const { deps, stand, before } = run;
  const { model, conversationId } = stand;
  const { texts } = await lookFor(deps.blobs, content.messages, content.steps.values());
  try {
    return (
      (await deps.makePages?.({
        ...content,
        texts,
        agentNames: new Map(usedAgents(deps.db, conversationId).map(({ id, name }) => [id, name])),
        reader: { modelId: model.id, imageRule: model.imageRule },
        vision: model.vision,
        room: roomForPages(run, cut),
        most: mostPagesFor(model),
        otherImages: imagesBeside(run, cut),
        textRatio: before.scale,
      })) ?? null
    );
  } catch (cause) {
    deps.logger.log('error', 'pages could not be made', { cause });
    fail(run, 'snapshot', 'internal');
    return null;
  }
}

/** Tokens that are left below the goal once everything else is there; a page weighs more where a refusal raised all estimates. */
function roomForPages(run: Run, { folded, base }: FoldCut): number {
  const { stand, numbers, before } = run;
  const body: MemoryBody = { text: base?.body?.text ?? '', pages: [], files: [], references: base?.body?.references ?? [] };
  const path = stand.built.map(({ id }) => id);
  const bare = memoryRecord(path, factsNow(run), { kind: 'card', folded, kept: [], body, previous: base });
  const goal = goalOf(run) ?? before.estimate - 1;
  const most = run.order.line === null && numbers.window !== null ? Math.min(goal, numbers.window / 2 / before.scale) : goal;
  return Math.floor((most * before.scale - weightWith(run, withRecord(stand, bare)).tokens) / Math.max(1, run.raised));
}

/** Pictures that are sent as they are. */
function imagesBeside({ stand }: Run, { folded }: FoldCut): number {
  const gone = new Set(folded);
  return stand.context.sent.reduce((sum, one) => sum + (gone.has(one.id) ? 0 : one.images.length), 0);
}

function bodyOf(pages: Pages, files: readonly PageFiles[], { base }: FoldCut, { messages, steps }: FoldedContent): MemoryBody {
  const before = base?.body;
  const references = [...(before?.references ?? []), ...(before?.files ?? []).map(referenceOf)];
  const tasks = tasksOnPath(messages.flatMap(({ id }) => steps.get(id) ?? []));
  const lines = tasks ? taskLines(tasks) : before?.tasks;
  return {
    text: before?.text ?? '',
    pages: files.map(pageOf),
    frame: { family: pages.shape, legend: pagesLegend(pages), head: pages.head.trimEnd(), tail: pages.tail.trimEnd() },
    files: [],
    references: [...new Map(references.map((one) => [one.path, one])).values()],
    ...(lines ? { tasks: lines } : {}),
  };
}

const charactersOf = ({ pages }: Pages): number => pages.reduce((sum, { text }) => sum + text.length, 0);

function receiptOf(pages: Pages): PagesReceipt {
  const { missing, dropped, unprintable, pageTokens, pagedTextTokens } = pages;
  const characters = charactersOf(pages);
  return { count: pages.pages.length, characters, missing, dropped, unprintable, tokens: pageTokens, textTokens: pagedTextTokens };
}
