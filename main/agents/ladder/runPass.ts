// One pass: the rungs in order of cost until the request is small enough, the check, and the commit in one write (L1, L11). Nothing is written before
// the result is found good; whatever goes wrong leaves the transcript as it was.
import { type RecordFacts, weighed } from '../../context/ladder/records';
import { weigh } from '../../context/ladder/weigh';
import { commitPages } from './commitPages';
import { failureCode, modelNow } from './commitRecord';
import { freeRungs } from './freeRungs';
import type { LadderDeps, PassResult } from './ladderDeps';
import { type PagesFound, pagesRung } from './pagesRung';
import { commit, type Draft, fail, isEnough, isIdle, type PassArgs, type Run } from './passRun';
import { summaryRung } from './summaryRung';
import { timeOn } from './timeOn';

export async function runPass(deps: LadderDeps, args: PassArgs): Promise<PassResult> {
  const { stand, order, raised, signal } = args;
  if (stand.records === null) return { type: 'failed', failures: [{ rung: order.rungs[0] ?? 'elide', reason: 'transcriptUnusable' }] };
  const before = weigh({ context: stand.context, raised });
  const startedAt = timeOn(stand, deps.now());
  const facts: RecordFacts = { id: deps.newId('rec'), trigger: order.trigger, turnId: stand.turnId, before, startedAt, now: startedAt };
  const run: Run = { ...args, deps, facts, before, failures: [], model: modelNow(deps, stand) };
  const draft = freeRungs(run);
  if (isEnough(run, draft.weight) && !order.isThorough) return draft.record ? commitFree(run, draft) : nothing(run);
  const pages = order.rungs.includes('snapshot') && order.measure === 'tokens' ? await pagesRung(run, draft) : null;
  if (signal.aborted) return { type: 'stopped' };
  const enough = pages?.isEnough ? await keptPages(run, pages) : null;
  if (enough) return enough;
  const folded = order.rungs.includes('summary') ? await summaryRung(run, draft) : null;
  if (folded) return folded;
  if (signal.aborted) return { type: 'stopped' };
  const better = pages && !pages.isEnough ? await keptPages(run, pages) : null;
  if (better) return better;
  if (draft.record) return commitFree(run, draft);
  return run.failures.some(({ reason }) => !isIdle(reason)) ? { type: 'failed', failures: run.failures } : nothing(run);
}

/** Null where the disk did not take them: what comes after pages is smaller (L12). */
async function keptPages(run: Run, pages: PagesFound): Promise<PassResult | null> {
  try {
    const result = await commitPages(run, pages);
    return result.type === 'discarded' ? { ...result, rung: 'snapshot' } : result;
  } catch (error) {
    fail(run, 'snapshot', failureCode(error));
    return null;
  }
}

function nothing({ stand, failures }: Run): PassResult {
  return { type: 'nothing', why: stand.context.layout.memory ? 'already' : 'nothing', failures };
}

function commitFree(run: Run, { record, weight }: Draft): PassResult {
  if (!record) return nothing(run);
  return commit(run, weighed(record, weight), record.receipt.createdAt, false);
}
