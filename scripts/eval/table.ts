// The table of an evaluation: a line for each rung, a column for each kind of fact. Pure.
import { kinds } from './facts';
import { type Answer, type Tally, tally } from './score';

/** One rung in all runs. `why`: why there was nothing to ask after. `cost` in US dollars; null where a price is not known. */
export type RungResult = {
  rung: string;
  why: string | null;
  how: string[];
  /** What was remembered, where a card or pages were made. */
  memories: string[];
  answers: Answer[];
  tokensBefore: number;
  tokensAfter: number;
  cost: number | null;
  seconds: number;
};

const head = ['rung', ...kinds, 'all kept', 'tokens', 'US$', 'time', 'how'];
const none = '–';

function cell({ kept, honest, wrong, failed }: Tally): string {
  return `${kept}/${honest}/${wrong}${failed > 0 ? ` (${failed} failed)` : ''}`;
}

function cells({ rung, why, how, answers, tokensBefore, tokensAfter, cost, seconds }: RungResult): string[] {
  if (why !== null) return [rung, ...kinds.map(() => none), none, none, none, none, why];
  const found = tally(answers);
  const asked = answers.length;
  const all = asked === 0 ? none : `${Math.round((100 * found.all.kept) / asked)} % of ${asked}`;
  const tokens = tokensBefore === tokensAfter ? `${tokensBefore}` : `${tokensBefore} → ${tokensAfter}`;
  return [
    rung,
    ...kinds.map((kind) => cell(found[kind])),
    all,
    tokens,
    cost === null ? 'no price' : cost.toFixed(4),
    `${seconds.toFixed(1)} s`,
    [...new Set(how)].join(', ') || none,
  ];
}

export function evaluationTable(results: readonly RungResult[]): string {
  const rows = [head, ...results.map(cells)];
  const widths = head.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const lines = rows.map((row) =>
    row
      .map((text, column) => text.padEnd(widths[column] ?? 0))
      .join(' | ')
      .trimEnd(),
  );
  return [...lines, '', 'Each cell: kept/honest/wrong. Kept: the value that holds; a directive: followed. Honest: said not to know.'].join(
    '\n',
  );
}
