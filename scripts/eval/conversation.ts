// The conversation that plants the facts: what the person says, what the agent answers and calls, which files it reads. Pure.
import { estimateTokens } from '../../shared/text/estimateTokens';
import { seeded } from '../bench/data/random';
import { makeTexts } from '../bench/data/texts';
import type { Fact, Kind } from './facts';

export type PlantedStep = { says: string; call?: { name: string; arguments: Record<string, unknown> } };
export type PlantedTurn = { asks: string; steps: PlantedStep[] };
export type Planted = { turns: PlantedTurn[]; files: Map<string, string>; pictures: string[] };

/** After the facts, so that none stands in what every rung leaves alone. */
const tailTokens = 4_000;

/** About `tokens` long, more where the facts alone are. */
export function conversationOf(facts: readonly Fact[], run: number, tokens: number): Planted {
  const of = (kind: Kind) => facts.filter((fact) => fact.kind === kind);
  const files = new Map<string, string>();
  const filler = fillers(run, files);
  const pictures = ['site-1.png', 'site-2.png'];
  const turns: PlantedTurn[] = [
    {
      asks: `We plan the repairs of a small town. ${[...of('early'), ...of('directive')].map(({ says }) => says).join(' ')}`,
      steps: [noted],
    },
    {
      asks: `Some more. ${of('contradicted')
        .flatMap(({ was }) => was?.says ?? [])
        .join(' ')}`,
      steps: [noted],
    },
    filler(),
    listTasks(of('task')),
    ...of('identifier').map(({ says }, at) => ({
      asks: `Start build ${at + 1}.`,
      steps: [{ says: `Build ${at + 1} has started. ${says}` }],
    })),
    {
      asks: 'Look at both pictures.',
      steps: [...pictures.map((path) => ({ says: 'I look.', call: { name: 'view_image', arguments: { path } } })), noted],
    },
    ...of('result').map(({ says }, at) => readTurn(files, `report-${at + 1}.txt`, says, run * 100 + at)),
    {
      asks: of('contradicted')
        .map(({ says }) => says)
        .join(' '),
      steps: [noted],
    },
  ];
  const length = () => estimateTokens(JSON.stringify(turns)) + [...files.values()].reduce((sum, text) => sum + estimateTokens(text), 0);
  while (length() < tokens - tailTokens) turns.push(filler());
  const end = length() + tailTokens;
  while (length() < end) turns.push(filler());
  return { turns, files, pictures };
}

const noted: PlantedStep = { says: 'I have noted that.' };

function listTasks(facts: readonly Fact[]): PlantedTurn {
  const tasks = [
    { text: 'Measure the fences', state: 'done' },
    ...facts.map(({ says }) => ({ text: `Order it: ${says.charAt(0).toLowerCase()}${says.slice(1)}`, state: 'open' })),
  ];
  return {
    asks: 'Keep a list of what is left to do.',
    steps: [{ says: 'I write it down.', call: { name: 'tasks', arguments: { tasks } } }, noted],
  };
}

/** The fact stands in the file alone, between lines that say nothing. */
function readTurn(files: Map<string, string>, path: string, says: string, seed: number): PlantedTurn {
  const random = seeded(seed);
  const line = (at: number) =>
    `entry ${at}: gauge ${random.between(100, 999)} at ${random.between(10, 23)}:${random.between(10, 59)}, no remark`;
  const lines = (from: number) => Array.from({ length: 12 }, (_, at) => line(from + at));
  files.set(path, [...lines(1), says, ...lines(13)].join('\n'));
  return {
    asks: `Read ${path}.`,
    steps: [{ says: 'I read it.', call: { name: 'read_file', arguments: { path } } }, { says: 'I have read it.' }],
  };
}

/** By turns talk and the reading of a long file. */
function fillers(run: number, files: Map<string, string>): () => PlantedTurn {
  const texts = makeTexts(seeded(1_000 + run));
  let count = 0;
  return () => {
    count++;
    const text = Array.from({ length: 3 }, () => texts.answer().slice(0, 1_200)).join('\n\n');
    if (count % 2 === 1) return { asks: `Tell me about part ${count}.`, steps: [{ says: text.slice(0, 1_500) }] };
    const path = `part-${count}.md`;
    files.set(path, text);
    return {
      asks: `Read ${path}, too.`,
      steps: [{ says: 'I read it.', call: { name: 'read_file', arguments: { path } } }, { says: 'There is nothing of note in it.' }],
    };
  };
}
