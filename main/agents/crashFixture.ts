// A program of its own that runs a real turn of eleven steps with real tools, and ends itself (kill -9) at the point it is told: after each write
// to a file, each flush, each rename, and each statement that changes the database, inside a transaction or at its end. Speaks in lines of JSON.
import { mkdirSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '../../shared/model/agent';
import type { WindowEvent } from '../../shared/model/events';
import type { AgentId } from '../../shared/model/ids';
import type { ModelRequest, ProviderEvent } from '../../shared/model/request';
import { shippedGlyphs } from '../context/snapshot/glyphsFixture';
import { makePages } from '../context/snapshot/makePages';
import { disk } from '../lib/disk';
import { createNewId } from '../lib/newId';
import { addBlobRow } from '../store/blobRows';
import { runMaintenance } from '../store/maintenance';
import { createBlobStore } from '../transcript/blobs';
import { createTranscripts } from '../transcript/transcripts';
import { type OpenedWorkspace, openWorkspace } from '../workspace/openWorkspace';
import { EventHub } from './eventHub';
import { type Faults, faultyDisk, makeFaulty } from './faultsFixture';
import type { ModelAccess } from './modelAccess';
import { callOf, scriptedModel } from './scriptedModelFixture';
import { scopeKey } from './tools/approvals/policy';
import { ripgrepIn } from './tools/common/ripgrep';
import { allTools } from './tools/registry';
import { openAgents, type WorkspaceAgents } from './workspaceAgents';

export const agent: Agent = {
  id: 'worker' as AgentId,
  name: 'Worker',
  model: 'scripted/one',
  systemPrompt: 'Work.',
  tools: allTools.map(({ name }) => name),
  approval: 'auto-edit',
  parameters: {},
};
const command = 'seq 1 30000';

/** What the model says, step by step; the fifth floods, the seventh says more than stays in the file, the ninth goes back. */
const steps: ProviderEvent[][] = [
  [{ type: 'text', text: 'I look.' }, callOf('c1', 'read_file', { path: 'notes.txt' })],
  [callOf('c2', 'checkpoint', { label: 'clean' })],
  [
    { type: 'reasoning', text: 'A file is needed.', source: 'thought' },
    { type: 'vendor', on: 'reasoning', vendor: { family: 'gemini', json: '{"thoughtSignature":"AbC+/="}' } },
    callOf('c3', 'write_file', { path: 'a.txt', content: 'one\ntwo\n' }),
  ],
  [callOf('c4', 'edit_file', { path: 'a.txt', oldText: 'two', newText: 'three' })],
  [callOf('c5', 'run_command', { command })],
  [callOf('c6', 'list_files', {}), callOf('c7', 'search_files', { pattern: 'oak' })],
  [{ type: 'text', text: 'long '.repeat(15_000) }, callOf('c8', 'tasks', { tasks: [{ text: 'Finish', state: 'doing' }] })],
  [callOf('c9', 'read_file', { path: 'missing.txt' })],
  [callOf('c10', 'rewind', { label: 'clean', digest: 'It is about an oak.' })],
  [callOf('c11', 'read_file', { path: 'a.txt' })],
  [{ type: 'text', text: 'Done: an oak.' }],
];

/** Written at once, so that a line the parent has read is an acknowledgement. */
const say = (value: unknown) => writeSync(1, `${JSON.stringify(value)}\n`);

function saying(heard: (request: ModelRequest) => void): ModelAccess {
  let next = 0;
  return scriptedModel({
    agent,
    model: { id: 'one' },
    info: null,
    answer: (request) => {
      heard(request);
      const step = steps[next++] ?? [];
      return [...step, { type: 'usage', usage: { input: 10 * next, output: 5 } }];
    },
  });
}

/** The agents of the workspace as the program puts them together, on a disk and a database that may fail or end the process. */
export function agentsOf(
  workspace: OpenedWorkspace,
  options: { faults?: Faults; heard?: (request: ModelRequest) => void; told?: (event: WindowEvent) => void; models?: ModelAccess } = {},
): Promise<WorkspaceAgents> {
  const { store, layout, folder } = workspace;
  if (options.faults) makeFaulty(store.db, options.faults);
  const use = options.faults ? faultyDisk(options.faults) : disk;
  const atOnce = createBlobStore({ folder: layout.blobs, record: (blob) => addBlobRow(store.db, { ...blob, createdAt: 1 }), disk: use });
  // The same parts in the same order; what waits for the disk by itself knows no other disk.
  const blobs = options.faults ? { ...atOnce, write: async (bytes: Uint8Array, mime: string) => atOnce.writeNow(bytes, mime) } : atOnce;
  const logger = { log: () => undefined, with: () => logger };
  const hub = new EventHub('crash');
  hub.publish = (event) => options.told?.(event);
  const allowed = new Set([scopeKey({ kind: 'command', line: command, folder })]);
  return openAgents({
    db: store.db,
    transcripts: createTranscripts({ folder: layout.transcripts, blobs, disk: use, sealAbove: 12_000 }),
    blobs,
    hub,
    models: options.models ?? saying(options.heard ?? (() => undefined)),
    makePages: async (args) => makePages(shippedGlyphs(), args),
    compaction: () => [],
    grants: { keysOf: () => allowed, add: async () => undefined },
    tools: {
      workspace: folder,
      platform: process.platform,
      environment: process.env,
      hideKeys: (text) => text,
      ripgrep: ripgrepIn(process.env['BOUGH_ROOT'] ?? process.cwd(), process.platform, process.arch),
    },
    newId: createNewId(Date.now),
    now: Date.now,
    random: () => 0.5,
    logger,
    wait: () => new Promise((resolve) => setTimeout(resolve, 20)),
  });
}

/** What a window would show as done: a step that became a message, a call with its result. */
function tell(event: WindowEvent, over: () => void): void {
  if (event.type === 'stepEnded') {
    say({ answered: event.messageId });
    if (!event.goesOn) over();
  }
  if (event.type === 'callChanged' && event.call.state === 'done') say({ called: event.call.callId, summary: event.call.summary });
}

async function main(folder: string, deadly: number): Promise<void> {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'notes.txt'), 'the oak is old\n');
  const workspace = await openWorkspace({ folder, now: Date.now, run: runMaintenance });
  if (workspace.status !== 'open') throw new Error(workspace.status);
  let point = 0;
  const after = () => {
    point += 1;
    if (point === deadly) process.kill(process.pid, 'SIGKILL');
  };
  let over: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    over = resolve;
  });
  const agents = await agentsOf(workspace, {
    faults: { before: () => undefined, after },
    heard: (request) => deadly === 0 && say({ request: request.messages }),
    told: (event) => tell(event, over),
  });
  const sent = agents.scheduler.start({ conversationId: null, text: 'What is it about?', attachments: [], agentId: null });
  say({ sent: sent.messageId, conversationId: sent.conversationId });
  await ended;
  say({ points: point });
  await agents.close();
  workspace.close();
}

const [order, folder = '', deadly = '0'] = process.argv.slice(2);
if (order === 'crash') void main(folder, Number(deadly));
