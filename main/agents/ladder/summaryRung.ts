// The last rung: what is older than the tail becomes a card (L5, M).
import type { MemoryBody } from '../../../shared/model/memoryRecord';
import { textOf } from '../../../shared/model/message';
import { withinRebuilt } from '../../context/ladder/rebuilt';
import { memoryRecord, weighed } from '../../context/ladder/records';
import { foldedContent, stillStands, textHashes } from './commitRecord';
import { type FoldCut, foldCut, isWorthACard } from './foldCut';
import { identifiersKept } from './identifiersKept';
import type { PassResult } from './ladderDeps';
import { commit, type Draft, factsNow, fail, goalOf, type Run, refusal, weightWith, withRecord } from './passRun';

/** Null where there is nothing to fold; the result of the free rungs is left then. */
export async function summaryRung(run: Run, draft: Draft): Promise<PassResult | null> {
  const { deps, stand, numbers, order, signal } = run;
  const cut = foldCut(run, draft);
  if (!cut || !isWorthACard(run, draft, cut)) return null;
  run.onRung('summary');
  const hopeless = refusedAnyway(run, cut);
  if (hopeless) {
    fail(run, 'summary', hopeless);
    return null;
  }
  const content = await foldedContent(deps, stand, cut.folded);
  if (!content) return { type: 'discarded' };
  const hashes = textHashes(content.messages);
  const staying = (await foldedContent(deps, stand, cut.staying))?.messages ?? [];
  const previous = cut.base;
  const summary = await deps.summarize(
    {
      stand,
      numbers,
      folded: content.messages,
      steps: content.steps,
      staying,
      previous,
      focus: order.focus,
      mode: order.mode,
      onWorker: (worker) => run.onRung('summary', worker),
    },
    signal,
  );
  if (summary.type === 'stopped' || signal.aborted) return { type: 'stopped' };
  const facts = factsNow(run);
  const path = stand.built.map(({ id }) => id);
  const whole = memoryRecord(path, facts, { kind: 'card', folded: cut.folded, kept: cut.kept, body: summary.body, previous });
  const bare = withinRebuilt({ record: whole, context: withRecord(stand, whole).context, pins: stand.pins, numbers, goal: goalOf(run) });
  const after = withRecord(stand, bare);
  const weight = weightWith(run, after);
  const why = refusal(run, after, weight);
  if (why) {
    fail(run, 'summary', why);
    return null;
  }
  if (!stillStands(deps, stand, hashes)) return { type: 'discarded' };
  const { method, model, spent, cost, refused } = summary;
  const record = weighed(bare, weight, {
    method,
    ...(model === undefined ? {} : { model }),
    ...(spent ? { spent } : {}),
    ...(cost === undefined ? {} : { cost }),
    ...(refused.length > 0 ? { refused } : {}),
    ...(order.focus === null ? {} : { focus: order.focus }),
    identifiers: identifiersKept(content, after.context, summary.body.text, [previous?.body?.text ?? '', ...staying.map(textOf)]),
  });
  return commit(run, record, facts.now, method === 'deterministic' && order.mode !== 'none');
}

/** Why no card could be committed, however short: then nobody is asked for one. */
function refusedAnyway(run: Run, { folded, base }: FoldCut): string | null {
  const { stand, facts } = run;
  const body: MemoryBody = { text: '', pages: [], files: [], references: [] };
  const path = stand.built.map(({ id }) => id);
  const bare = memoryRecord(path, facts, { kind: 'card', folded, kept: [], body, previous: base });
  const after = withRecord(stand, bare);
  return refusal(run, after, weightWith(run, after));
}
