// The rungs that cost nothing and lose nothing that anyone would read again: old results, then old images (L2, L3).
import { planDropImages } from '../../context/ladder/dropImages';
import { planElide } from '../../context/ladder/elide';
import { noOmissions, type Omissions, omissionRecord } from '../../context/ladder/records';
import { type Draft, factsNow, isEnough, type Run, weightWith, withRecord } from './passRun';

/** The rungs that cost nothing; each only as far as it is needed. */
export function freeRungs(run: Run): Draft {
  const { stand, order, numbers, before } = run;
  let draft: Draft = { omissions: noOmissions, stand, record: null, weight: before };
  if (order.rungs.includes('elide')) {
    run.onRung('elide');
    const occasion = order.trigger === 'hand' ? 'hand' : 'pass';
    const plan = planElide({
      sent: stand.context.sent,
      before: stand.context.layout.path.elided,
      pins: stand.pins,
      numbers,
      scale: before.scale,
      occasion,
    });
    if (plan) draft = withOmissions(run, { ...draft.omissions, elided: plan.elided });
  }
  if (!order.rungs.includes('images') || isEnough(run, draft.weight)) return draft;
  run.onRung('images');
  // Distance in tokens says little about bytes: where those press, any but the newest go.
  const protections = order.measure === 'bytes' ? [numbers.protectTokens, 0] : [numbers.protectTokens];
  for (const protectTokens of protections) draft = withoutImages(run, draft, protectTokens);
  return draft;
}

function withoutImages(run: Run, from: Draft, protectTokens: number): Draft {
  const { stand, numbers, before } = run;
  const { droppedImages } = from.stand.context.layout.path;
  const { sent } = from.stand.context;
  const plan = planDropImages({
    sent,
    before: droppedImages,
    pins: stand.pins,
    numbers: { ...numbers, protectTokens },
    scale: before.scale,
  });
  let draft = from;
  for (const source of ['tool', 'user'] as const) {
    if (plan[source].length === 0 || isEnough(run, draft.weight)) continue;
    draft = withOmissions(run, { ...draft.omissions, droppedImages: [...draft.omissions.droppedImages, ...plan[source]] });
  }
  return draft;
}

function withOmissions(run: Run, omissions: Omissions): Draft {
  const path = run.stand.built.map(({ id }) => id);
  const record = omissionRecord(path, factsNow(run), omissions);
  const stand = withRecord(run.stand, record);
  return { omissions, stand, record, weight: weightWith(run, stand) };
}
