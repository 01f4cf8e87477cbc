// N9: what stands between a saved step and the next call: reading and building the request, beside parsing the same bytes.
import { readFileSync } from 'node:fs';
import { type AnsweringDeps, requestFor, standpointFor } from '../../../main/agents/answering';
import { BuiltPaths } from '../../../main/agents/builtPaths';
import type { BuiltContext } from '../../../main/context/buildRequest';
import { weigh } from '../../../main/context/ladder/weigh';
import type { Agent } from '../../../shared/model/agent';
import type { MessageId } from '../../../shared/model/ids';
import type { RequestMessage, ToolDefinition } from '../../../shared/model/request';
import { benchAgent, benchModel } from '../data/grow';
import type { Measurement } from '../goals';
import { contest, contestAsync, type Effort } from '../measure';
import { addStep, grow, makeRun } from './runs';

const agent: Agent = {
  id: benchAgent,
  name: 'A',
  model: benchModel,
  systemPrompt: 'Be brief.',
  tools: [],
  approval: 'ask',
  parameters: {},
};
const tool: ToolDefinition = { name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object' } };
const model = { id: 'demo-large', contextWindow: 4_000_000 };

export async function measurePlanning(cache: string, effort: Effort): Promise<Measurement[]> {
  const run = makeRun(cache);
  try {
    let last = grow(run, 1000, 4300);
    const bytes = readFileSync(run.transcriptFile);
    const deps = (more: Partial<AnsweringDeps> = {}): AnsweringDeps => ({ db: run.db, blobs: run.blobs, transcripts: run.open(), ...more });
    const plan = (from: AnsweringDeps, parentId: MessageId) => requestFor(from, { parentId, agent, model, tools: [tool] });
    const floor = () => void JSON.parse(bytes.toString('utf8'));
    const cold = await contestAsync({ ours: async () => void (await plan(deps(), last)), floor }, effort);
    const { context } = await standpointFor(deps(), { parentId: last, agent, model, tools: [tool] });
    const first = contest(weighing(context), effort);
    const kept = deps({ paths: new BuiltPaths() });
    await plan(kept, last);
    const between = () => {
      last = addStep(run, kept.transcripts, last, 4300);
    };
    const warm = await contestAsync({ ours: async () => void (await plan(kept, last)), floor, between }, { ...effort, rounds: 200 });
    const size = `${(bytes.length / 1e6).toFixed(1)} MB`;
    return [
      {
        id: 'N9',
        operation: `plan a request, 1,000 steps, ${size}, after a start; floor: JSON.parse of its bytes`,
        unit: 'ms',
        ...cold,
        goal: { kind: 'ratio', max: 1.5 },
      },
      {
        id: 'N9',
        operation: 'the same when one step was added',
        unit: 'ms',
        ours: warm.ours,
        rounds: warm.rounds,
        goal: { kind: 'absolute', max: 2 },
      },
      {
        id: 'N9',
        operation: 'weigh that request for the first time; floor: make JSON of it, and a loop over the characters',
        unit: 'ms',
        ...first,
        goal: { kind: 'ratio', max: 2 },
      },
    ];
  } finally {
    run.close();
  }
}

/** What was weighed is not weighed again: each time the messages are lists of their own. */
function weighing(context: BuiltContext) {
  let fresh = context;
  const between = () => {
    fresh = { ...context, sent: context.sent.map((one) => ({ ...one, messages: [...one.messages] })) };
  };
  const floor = () => {
    for (const { messages } of fresh.sent) seen.total += charactersIn(messages) + Buffer.byteLength(JSON.stringify(messages));
  };
  return { ours: () => void weigh({ context: fresh }), floor, between };
}

/** So that the loop is not left out as useless. */
const seen = { total: 0 };

function charactersIn(messages: readonly RequestMessage[]): number {
  let sum = 0;
  for (const { parts } of messages)
    for (const part of parts) {
      const text = part.type === 'text' ? part.text : part.type === 'toolResult' ? part.content : '';
      for (let at = 0; at < text.length; at++) sum += text.charCodeAt(at);
    }
  return sum;
}
