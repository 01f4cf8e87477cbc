// N11: what a person waits for while a pass makes eighty pages: from the send to the request, in real turns, with the pages made in their thread as the
// program has it; and how long that holds up the thread of the program, also where results are large.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { startScriptedServer } from '../../../e2e/fixtures/scriptedServer';
import { chatCalls, chatPath, chatStream } from '../../../e2e/fixtures/scripts/chat';
import { helper, makeTurnFixture, type TurnFixture } from '../../../main/agents/agentsFixture';
import type { PagesArgs, PagesOutcome } from '../../../main/context/snapshot/makePages';
import { openAskedWorker } from '../../../main/lib/askedWorker';
import type { CompactionSettings } from '../../../shared/model/compaction';
import type { ConversationId } from '../../../shared/model/ids';
import { jsonLog } from '../data/jsonLog';
import type { Measurement } from '../goals';
import { median } from '../statistics';

const script = fileURLToPath(new URL('./pagesThread.mjs', import.meta.url));
const model = 'claude-haiku-4-5';
const resting: CompactionSettings = {
  threshold: null,
  requestThreshold: null,
  minResultTokens: 1_000_000,
  maxRequestBytes: 100_000_000,
};
/** Over 0.8 of it there is room for eighty pages and the tail. */
const pressing: CompactionSettings = { ...resting, threshold: 230_000 };

/** `says`: characters of all answers. `reads`: of all results. */
type Talk = { name: string; turns: number; says: number; reads: number };
const talks: readonly Talk[] = [
  { name: '800 kB of answers', turns: 200, says: 820_000, reads: 0 },
  { name: '280 kB of answers, 5 MB of results', turns: 250, says: 280_000, reads: 5_000_000 },
];

type Marks = { asked: number; posted: number; answered: number; committed: number };
/** In milliseconds: `held` the longest time between two ticks of a timer of one millisecond. */
type Round = { whole: number; ready: number; posted: number; made: number; written: number; sent: number; held: number; pages: number };

export async function measurePagesPass(quick: boolean): Promise<Measurement[]> {
  const found: Measurement[] = [];
  for (const talk of talks) found.push(...(await measureTalk(talk, quick ? 2 : 5)));
  return found;
}

async function measureTalk(talk: Talk, rounds: number): Promise<Measurement[]> {
  const server = await startScriptedServer();
  const worker = openAskedWorker(script, { workerData: undefined, idle: 600_000 });
  const marks: Marks = { asked: 0, posted: 0, answered: 0, committed: 0 };
  const makePages = async (args: PagesArgs) => {
    marks.asked = performance.now();
    const answer = worker.ask(args);
    marks.posted = performance.now();
    const outcome = (await answer) as PagesOutcome;
    marks.answered = performance.now();
    return outcome;
  };
  const agent = { ...helper, model: `local/${model}`, tools: ['read_file'], approval: 'auto-edit' as const };
  const fixture = await makeTurnFixture(`${server.url}/v1`, { agents: [agent], compaction: resting }, { makePages });
  Object.assign(fixture.settings.providers[0] ?? {}, { models: [{ id: model, contextWindow: 20_000_000, maxOutput: 1000, vision: true }] });
  try {
    const id = await planted(fixture, server, talk);
    const arrived = { at: 0 };
    server.script(`POST ${chatPath}`, () => {
      arrived.at = performance.now();
      server.requests.length = 0;
      return chatStream(['Yes.']);
    });
    const plain: Round[] = [];
    const passes: Round[] = [];
    for (let round = 0; round <= rounds; round++) {
      fixture.settings.compaction = resting;
      const bare = await timed(fixture, id, marks, arrived);
      fixture.settings.compaction = pressing;
      const pass = await timed(fixture, id, marks, arrived);
      await forget(fixture, id);
      // The first one starts the thread.
      if (round > 0) {
        plain.push(bare);
        passes.push(pass);
      }
    }
    return rowsOf(talk, passes, plain);
  } finally {
    await worker.close();
    await fixture.close();
    await server.close();
    fixture.remove();
  }
}

type Server = Awaited<ReturnType<typeof startScriptedServer>>;

async function planted(fixture: TurnFixture, server: Server, talk: Talk): Promise<ConversationId> {
  const said = jsonLog(talk.says);
  const read = jsonLog(Math.max(1, talk.reads / talk.turns));
  const share = Math.ceil(talk.says / talk.turns);
  let [turn, step] = [0, 0];
  server.script(`POST ${chatPath}`, () => {
    server.requests.length = 0;
    step++;
    if (talk.reads > 0 && step === 1) {
      const path = `log-${turn}.txt`;
      writeFileSync(join(fixture.workspace, path), `${turn}\n${read}`);
      return chatCalls([{ id: `call_${turn}`, name: 'read_file', arguments: JSON.stringify({ path }) }], ['I look.']);
    }
    return chatStream([said.slice(turn * share, (turn + 1) * share)]);
  });
  let id: ConversationId | null = null;
  for (; turn < talk.turns; turn++) {
    step = 0;
    id = await send(fixture, id, `And part ${turn}?`);
  }
  return id as ConversationId;
}

async function send(fixture: TurnFixture, conversationId: ConversationId | null, text: string): Promise<ConversationId> {
  fixture.events.length = 0;
  const started = fixture.scheduler.start({ conversationId, text, attachments: [], agentId: null });
  await fixture.event('stepEnded', ({ goesOn }) => !goesOn);
  return started.conversationId;
}

async function timed(fixture: TurnFixture, id: ConversationId, marks: Marks, arrived: { at: number }): Promise<Round> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await new Promise((done) => setTimeout(done, 20));
  delays.reset();
  const start = performance.now();
  const turn = send(fixture, id, 'Go on?');
  void fixture.event('context.compacted').then(() => {
    marks.committed = performance.now();
  });
  await turn;
  await new Promise((done) => setTimeout(done, 20));
  delays.disable();
  const pages = newestPages(fixture, id)?.body?.pages.length ?? 0;
  return {
    whole: arrived.at - start,
    ready: marks.asked - start,
    made: marks.answered - marks.asked,
    posted: marks.posted - marks.asked,
    written: marks.committed - marks.answered,
    sent: arrived.at - marks.committed,
    held: delays.max / 1e6,
    pages,
  };
}

const newestPages = (fixture: TurnFixture, conversationId: ConversationId) =>
  [...fixture.transcripts.open({ conversationId, agentId: helper.id }).standing.records.values()].findLast(({ kind }) => kind === 'pages');

/** So that the next one writes them anew. */
async function forget(fixture: TurnFixture, id: ConversationId): Promise<void> {
  const record = newestPages(fixture, id);
  if (!record) throw new Error('no pages were made');
  await fixture.memory.undo({ conversationId: id, agentId: null }, null);
  for (const { hash, textHash } of record.body?.pages ?? []) for (const one of [hash, textHash]) if (one) fixture.blobs.remove(one);
}

function rowsOf({ name }: Talk, passes: readonly Round[], plain: readonly Round[]): Measurement[] {
  const of = (rounds: readonly Round[], pick: (round: Round) => number) => median(rounds.map(pick));
  const row = (operation: string, ours: number, more: Partial<Measurement> = {}): Measurement => ({
    id: 'N11',
    operation,
    unit: 'ms',
    ours,
    goal: { kind: 'none' },
    ...more,
  });
  const part = (pick: (round: Round) => number) => of(passes, pick).toFixed(0);
  return [
    row(
      `${name}: send to request with a pass of ${Math.max(...passes.map(({ pages }) => pages))} pages; floor: without one`,
      of(passes, ({ whole }) => whole),
      {
        floor: of(plain, ({ whole }) => whole),
        note: `${part(({ ready }) => ready)} ms until the thread is asked, of them ${of(passes, ({ posted }) => posted).toFixed(1)} ms for the copy; ${part(({ made }) => made)} ms in it, ${part(({ written }) => written)} ms to write them, ${part(({ sent }) => sent)} ms for the request`,
      },
    ),
    row(
      'the same, longest time the program is held up; floor: without a pass',
      of(passes, ({ held }) => held),
      {
        floor: of(plain, ({ held }) => held),
      },
    ),
  ];
}
