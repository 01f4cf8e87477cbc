// A program of its own that runs a turn in a window so small that results are left out, a card is made between two steps, and then undoes and
// redoes it by hand; it ends itself (kill -9) at the point it is told. Speaks in lines of JSON.
import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../shared/model/agent';
import type { WindowEvent } from '../../shared/model/events';
import type { AgentId, ConversationId } from '../../shared/model/ids';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, ProviderEvent } from '../../shared/model/request';
import { words } from '../context/ladder/ladderFixture';
import { listConversations } from '../store/conversations';
import { runMaintenance } from '../store/maintenance';
import { type OpenedWorkspace, openWorkspace } from '../workspace/openWorkspace';
import { agentsOf } from './crashFixture';
import type { Faults } from './faultsFixture';
import type { ModelAccess } from './modelAccess';
import { callOf, scriptedModel } from './scriptedModelFixture';

export const reader: Agent = {
  id: 'worker' as AgentId,
  name: 'Worker',
  model: 'scripted/small',
  systemPrompt: 'Work.',
  tools: ['read_file'],
  approval: 'auto-edit',
  parameters: {},
};
export const small: ModelInfo = { id: 'small', contextWindow: 8192, maxOutput: 500 };

const read = (callId: string, path: string) => callOf(callId, 'read_file', { path });
/** Tokens of the files it reads. */
const files = { 'one.txt': 1200, 'two.txt': 20, 'three.txt': 20 };
/** What the model says, step by step: the first result is left out before the third request, a card is made before the fourth. */
export const answers: ProviderEvent[][] = [
  [{ type: 'text', text: 'I read one.' }, read('c1', 'one.txt')],
  [{ type: 'text', text: words(1250, 'thought') }, read('c2', 'two.txt')],
  [{ type: 'text', text: words(1600, 'idea') }, read('c3', 'three.txt')],
  [{ type: 'text', text: 'Done: all three.' }],
];
export const card = '## Task\nRead the files.\n\n## User directives\n- "Keep PX-77."\n\n## Next step\nGo on.';

/** Written at once, so that a line the parent has read is an acknowledgement. */
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);
export const isForCard = ({ system }: Pick<ModelRequest, 'system'>) => system.includes('You keep the state card');

/** Says what it is told to, one answer after the other; `heard` may end the process. */
export function smallModel(
  says: readonly ProviderEvent[][],
  heard: (request: ModelRequest) => void = () => undefined,
  model: ModelInfo = small,
): ModelAccess {
  let next = 0;
  return scriptedModel({
    agent: reader,
    model,
    answer: (request) => {
      heard(request);
      return isForCard(request) ? [{ type: 'text', text: card }] : (says[next++] ?? [{ type: 'text', text: 'On.' }]);
    },
  });
}

export type Told = (event: WindowEvent) => void;

/** Sends, and resolves with the end of the turn. */
export async function sendAndWait(
  workspace: OpenedWorkspace,
  options: { text: string; id: ConversationId | null; models: ModelAccess; faults?: Faults; told?: Told },
) {
  const { text, id, models, faults, told } = options;
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const agents = await agentsOf(workspace, {
    models,
    ...(faults ? { faults } : {}),
    told: (event) => {
      told?.(event);
      if (event.type === 'stepEnded' && !event.goesOn) over();
    },
  });
  const sent = agents.scheduler.start({ conversationId: id, text, attachments: [], agentId: null });
  await ended;
  return { agents, conversationId: sent.conversationId };
}

const linesOf = (tokens: number, word: string) => `${words(20, word)}\n`.repeat(Math.round(tokens / 20));

export const preparedSteps = 3;
/** Turns of one answer that leave little room. */
export async function prepare(workspace: OpenedWorkspace): Promise<void> {
  for (const [name, tokens] of Object.entries(files)) writeFileSync(join(workspace.folder, name), linesOf(tokens, name.slice(0, -4)));
  let id: ConversationId | null = null;
  for (let at = 1; at <= preparedSteps; at++) {
    const models = smallModel([[{ type: 'text', text: words(1300, `answer${at}`) }]]);
    const done: Awaited<ReturnType<typeof sendAndWait>> = await sendAndWait(workspace, { text: `Keep PX-7${at}.`, id, models });
    id = done.conversationId;
    await done.agents.close();
  }
}

/** The turn with its records, then the undo of the newest memory; told what a window would show as done. */
export async function actOut(
  workspace: OpenedWorkspace,
  tell: (line: Record<string, unknown>) => void,
  models: ModelAccess,
  faults?: Faults,
) {
  const [conversation] = listConversations(workspace.store.db, { archived: false });
  const id = conversation?.id as ConversationId;
  const told: Told = (event) => {
    if (event.type === 'stepEnded') tell({ answered: event.messageId });
    if (event.type === 'context.compacted') tell({ remembered: event.receipt.record?.id });
  };
  const { agents } = await sendAndWait(workspace, { text: 'Read all three.', id, models, told, ...(faults ? { faults } : {}) });
  const place = { conversationId: id, agentId: null };
  const undone = (await agents.memory.undo(place, null)).receipts.find(({ record }) => record?.undone)?.record?.id;
  tell({ undone });
  if (undone) await agents.memory.redo(place, undone);
  tell({ redone: undone });
  return agents;
}

async function main(folder: string, deadly: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const workspace = await openWorkspace({ folder, now: Date.now, run: runMaintenance });
  if (workspace.status !== 'open') throw new Error(workspace.status);
  let point = 0;
  // What a step writes by itself is the other matrix: here counts what comes around passes, one step between them, and what the hand does.
  let armed = false;
  const after = () => {
    point += armed ? 1 : 0;
    if (armed && String(point) === deadly) process.kill(process.pid, 'SIGKILL');
  };
  let asked = 0;
  const heard = (request: ModelRequest) => {
    if (deadly === 'asked' && isForCard(request)) process.kill(process.pid, 'SIGKILL');
    if (!isForCard(request)) asked += 1;
    armed = armed && asked < answers.length;
  };
  let ended = 0;
  const tell = (line: Record<string, unknown>) => {
    say(line);
    if (line['answered'] !== undefined) ended += 1;
    armed = armed || ended === 2 || ended === answers.length;
  };
  const agents = await actOut(workspace, tell, smallModel(answers, heard), { before: () => undefined, after });
  say({ points: point });
  await agents.close();
  workspace.close();
}

const [order, folder = '', deadly = '0'] = process.argv.slice(2);
if (order === 'pass') void main(folder, deadly);
