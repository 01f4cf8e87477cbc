// A program of its own that runs a turn whose model sees, so that pages are made before its first request, and ends itself (kill -9) at the point it is
// told. Speaks in lines of JSON.
import { writeSync } from 'node:fs';
import type { ConversationId } from '../../shared/model/ids';
import type { ModelInfo } from '../../shared/model/provider';
import type { ModelRequest, ProviderEvent } from '../../shared/model/request';
import { listConversations } from '../store/conversations';
import { runMaintenance } from '../store/maintenance';
import { type OpenedWorkspace, openWorkspace } from '../workspace/openWorkspace';
import type { Faults } from './faultsFixture';
import type { ModelAccess } from './modelAccess';
import { sendAndWait, smallModel, type Told } from './passCrashFixture';

/** A page holds up to 12,288 characters for 1,445 tokens. */
export const seer: ModelInfo = { id: 'gpt-4o', imageRule: 'gpt-4o', vision: true, contextWindow: 32_000, maxOutput: 500 };
export const seeing = (says: ProviderEvent[][], heard?: (request: ModelRequest) => void): ModelAccess => smallModel(says, heard, seer);

const prose = (nth: number): string =>
  Array.from(
    { length: 120 },
    (_, at) => `Line ${at} of answer ${nth}: OAK-${nth * 1000 + at} was moved to the shelf behind the door.`,
  ).join('\n');

export const preparedTurns = 10;
/** Turns that leave the window fuller than a turn may begin with. */
export async function prepareSeen(workspace: OpenedWorkspace): Promise<void> {
  let id: ConversationId | null = null;
  for (let at = 1; at <= preparedTurns; at++) {
    const models = seeing([[{ type: 'text', text: prose(at) }]]);
    const done: Awaited<ReturnType<typeof sendAndWait>> = await sendAndWait(workspace, { text: `Keep PX-7${at}.`, id, models });
    id = done.conversationId;
    await done.agents.close();
  }
}

/** `armed`: told when pages begin to be made, and when the request that they are made for goes out. */
export function turnWithPages(
  workspace: OpenedWorkspace,
  options: { told: Told; faults: Faults; arm(on: boolean): void; heard?: (request: ModelRequest) => void },
) {
  const [conversation] = listConversations(workspace.store.db, { archived: false });
  const models = seeing([[{ type: 'text', text: 'Done.' }]], (request) => {
    options.arm(false);
    options.heard?.(request);
  });
  const told: Told = (event) => {
    if (event.type === 'passChanged' && event.pass?.rung === 'snapshot') options.arm(true);
    options.told(event);
  };
  return sendAndWait(workspace, { text: 'Go on with it.', id: conversation?.id ?? null, models, faults: options.faults, told });
}

async function main(folder: string, deadly: string): Promise<void> {
  const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);
  const workspace = await openWorkspace({ folder, now: Date.now, run: runMaintenance });
  if (workspace.status !== 'open') throw new Error(workspace.status);
  let point = 0;
  let armed = false;
  const after = () => {
    point += armed ? 1 : 0;
    if (armed && String(point) === deadly) process.kill(process.pid, 'SIGKILL');
  };
  const { agents } = await turnWithPages(workspace, {
    faults: { before: () => undefined, after },
    arm: (on) => {
      armed = on;
    },
    told: (event) => {
      if (event.type === 'stepEnded') say({ answered: event.messageId });
      if (event.type === 'context.compacted') say({ remembered: event.receipt.record?.id });
    },
  });
  say({ points: point });
  await agents.close();
  workspace.close();
}

const [order, folder = '', deadly = '0'] = process.argv.slice(2);
if (order === 'pages') void main(folder, deadly);
