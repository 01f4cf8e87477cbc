// What a memory keeps, rung by rung: the same planted conversation once as it is and once after each rung, then a question for every fact.
import { costOf } from '../../main/context/costOf';
import { mergeModels } from '../../main/providers/catalog';
import { splitModel } from '../../shared/model/agent';
import type { Receipt } from '../../shared/model/memoryRecord';
import type { PassEnd } from '../../shared/model/memoryView';
import type { ModelInfo, ProviderConfig } from '../../shared/model/provider';
import { conversationOf } from './conversation';
import { factsOf } from './facts';
import { Play, type PlayOptions } from './play';
import { type Answer, verdictOf } from './score';
import type { RungResult } from './table';

export const rungs = ['elide', 'images', 'snapshot', 'summary'] as const;
export type EvaluatedRung = (typeof rungs)[number];
type Played = EvaluatedRung | 'baseline';

export type Evaluation = PlayOptions & {
  rungs: readonly EvaluatedRung[];
  runs: number;
  /** Of each kind. */
  facts: number;
  /** Of the conversation, about. */
  tokens: number;
  say(text: string): void;
};

export async function evaluate(options: Evaluation): Promise<RungResult[]> {
  const results: RungResult[] = [];
  for (const rung of ['baseline' as const, ...options.rungs]) {
    const why = whyNotPlayed(options, rung);
    const played: RungResult[] = [];
    for (let run = 0; run < options.runs && why === null; run++) {
      options.say(`${rung}, run ${run + 1} of ${options.runs}`);
      played.push(await playRung(options, rung, run));
    }
    results.push(why === null ? together(rung, played) : { ...empty(rung), why });
  }
  return results;
}

/** Pages are for models that see: others are never sent any (S10), so there would be nothing to ask after. */
function whyNotPlayed({ model, providers }: Evaluation, rung: Played): string | null {
  if (rung !== 'snapshot') return null;
  const { vision } = infoOf(model, providers);
  return vision === true ? null : vision === false ? 'this model does not see' : 'not known to see';
}

const empty = (rung: string): RungResult => ({
  rung,
  why: null,
  how: [],
  memories: [],
  answers: [],
  tokensBefore: 0,
  tokensAfter: 0,
  cost: 0,
  seconds: 0,
});

async function playRung(options: Evaluation, rung: Played, run: number): Promise<RungResult> {
  const facts = factsOf(run, options.facts);
  const play = await Play.begin(options);
  try {
    await play.plant(conversationOf(facts, run, options.tokens));
    const start = performance.now();
    const result = { ...empty(rung), ...(await made(play, rung, options)) };
    if (result.why !== null) return result;
    const model = infoOf(options.model, options.providers);
    for (const fact of facts) {
      const asked = await play.ask(fact.question);
      const verdict = asked.failure === null ? verdictOf(fact, asked.text) : 'failed';
      result.answers.push({ fact, text: asked.failure ?? asked.text, verdict });
      result.cost = added(result.cost, asked.failure === null ? costOf(asked.usage, model) : 0);
    }
    result.seconds = (performance.now() - start) / 1000;
    return result;
  } finally {
    await play.close();
  }
}

async function made(play: Play, rung: Played, options: Evaluation): Promise<Partial<RungResult>> {
  const tokens = await play.tokens();
  if (rung === 'baseline') return { how: ['as it is'], tokensBefore: tokens, tokensAfter: tokens };
  const end = await play.pass(rung);
  if (end.type !== 'done') return { why: whyNot(end) };
  const { record } = end.receipt;
  const how = [howMade(record?.receipt, options), ...(record?.receipt.refused ?? []).map((reason) => `(${reason})`)].join(' ');
  const { spent, cost } = record?.receipt ?? {};
  return {
    how: [how],
    memories: [(await play.remembered()) ?? []].flat(),
    tokensBefore: record?.receipt.tokensBefore ?? tokens,
    tokensAfter: record?.receipt.tokensAfter ?? (await play.tokens()),
    cost: cost ?? (spent ? null : 0),
  };
}

/** The demo takes pictures and looks at none: of pages it knows what stands beside them as text. */
function howMade(receipt: Partial<Pick<Receipt, 'method' | 'pages'>> | undefined, { model, providers }: Evaluation): string {
  if (!receipt?.pages) return receipt?.method ?? 'free';
  const { count, dropped } = receipt.pages;
  const isDemo = providers.find(({ id }) => id === splitModel(model).providerId)?.kind === 'demo';
  return [`${count} pages`, dropped > 0 ? `${dropped} characters dropped` : [], isDemo ? 'the demo reads none' : []].flat().join('; ');
}

function whyNot(end: PassEnd): string {
  const reasons = 'failures' in end ? end.failures.map(({ reason }) => reason).join(', ') : '';
  return reasons === '' ? end.type : `${end.type}: ${reasons}`;
}

/** Sums over the runs; tokens of a run in the middle. */
function together(rung: string, played: readonly RungResult[]): RungResult {
  const whole = played.filter(({ why }) => why === null);
  if (whole.length === 0) return { ...empty(rung), why: played[0]?.why ?? 'nothing' };
  const mean = (pick: (one: RungResult) => number) => Math.round(whole.reduce((sum, one) => sum + pick(one), 0) / whole.length);
  return {
    ...empty(rung),
    how: whole.flatMap(({ how }) => how),
    memories: whole.flatMap(({ memories }) => memories),
    answers: whole.flatMap(({ answers }): Answer[] => answers),
    tokensBefore: mean(({ tokensBefore }) => tokensBefore),
    tokensAfter: mean(({ tokensAfter }) => tokensAfter),
    cost: whole.reduce((sum: number | null, one) => added(sum, one.cost ?? undefined), 0),
    seconds: whole.reduce((sum, one) => sum + one.seconds, 0),
  };
}

function added(sum: number | null, more: number | undefined): number | null {
  return sum === null || more === undefined ? null : sum + more;
}

/** As the program knows it without asking the server. */
export function infoOf(modelRef: string, providers: readonly ProviderConfig[]): ModelInfo {
  const { providerId, modelId } = splitModel(modelRef);
  const provider = providers.find(({ id }) => id === providerId);
  if (!provider) return { id: modelId };
  const known = mergeModels(provider, []).find(({ id }) => id === modelId);
  return known ?? mergeModels({ ...provider, models: [{ id: modelId }] }, [])[0] ?? { id: modelId };
}
