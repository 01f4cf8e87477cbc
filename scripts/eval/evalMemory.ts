// The evaluation as `npm run eval:memory` runs it: options in words, the table on the console, every answer in a file when asked for.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { type EvaluatedRung, evaluate, rungs } from './evaluate';
import { EvaluationProblem } from './evaluationProblem';
import { mostFacts } from './facts';
import { providersOf, settingsFile } from './providers';
import { evaluationTable } from './table';

export { EvaluationProblem };

const options = {
  model: { type: 'string' },
  summarizer: { type: 'string' },
  settings: { type: 'string' },
  rungs: { type: 'string' },
  runs: { type: 'string', default: '1' },
  facts: { type: 'string', default: '3' },
  tokens: { type: 'string', default: '12000' },
  worker: { type: 'boolean', default: false },
  recall: { type: 'boolean', default: false },
  json: { type: 'string' },
} as const;

export async function evalMemory(args: string[], say: (text: string) => void): Promise<void> {
  const { values } = parsed(args);
  const model = values.model;
  if (!model?.includes('/')) throw new EvaluationProblem('Which model? For example --model demo/demo-large, or openai/gpt-4.1-mini.');
  const file = values.settings ?? settingsFile();
  const numbers = {
    runs: numberOf('runs', values.runs, 1, 100),
    facts: numberOf('facts', values.facts, 1, mostFacts),
    tokens: numberOf('tokens', values.tokens, 1_000, 1_000_000),
  };
  const { worker, recall, summarizer = null } = values;
  const providers = await providersOf(file, summarizer ? [model, summarizer] : [model]);
  const results = await evaluate({ model, summarizer, providers, worker, recall, rungs: rungsOf(values.rungs), ...numbers, say });
  say(`\n${evaluationTable(results)}`);
  if (values.json) writeFileSync(values.json, `${JSON.stringify({ model, summarizer, worker, recall, ...numbers, results }, null, 2)}\n`);
}

function parsed(args: string[]) {
  try {
    return parseArgs({ args, options });
  } catch (error) {
    throw new EvaluationProblem(error instanceof Error ? error.message : String(error));
  }
}

function rungsOf(list: string | undefined): EvaluatedRung[] {
  const named = list?.split(',').map((name) => name.trim()) ?? [...rungs];
  const unknown = named.filter((name) => !rungs.some((rung) => rung === name));
  if (unknown.length > 0) throw new EvaluationProblem(`Unknown: ${unknown.join(', ')}. There are ${rungs.join(', ')}.`);
  return rungs.filter((rung) => named.includes(rung));
}

function numberOf(name: string, text: string, least: number, most: number): number {
  const value = Number(text);
  if (Number.isInteger(value) && value >= least && value <= most) return value;
  throw new EvaluationProblem(`--${name} is a whole number from ${least} to ${most}.`);
}
