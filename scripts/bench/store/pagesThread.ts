// N11: eighty pages from the thread as it is bundled, and how long that holds up the thread that asks.
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import type { PagesArgs, PagesOutcome } from '../../../main/context/snapshot/makePages';
import { openAskedWorker } from '../../../main/lib/askedWorker';
import type { ConversationId, MessageId } from '../../../shared/model/ids';
import type { Message } from '../../../shared/model/message';
import { jsonLog } from '../data/jsonLog';
import type { Measurement } from '../goals';
import { median } from '../statistics';

const script = fileURLToPath(new URL('./pagesThread.mjs', import.meta.url));
const rounds = 7;
const pagesWanted = 80;

export async function measurePagesThread(): Promise<Measurement[]> {
  // The thread keeps no program running.
  const running = setInterval(() => undefined, 60_000);
  const worker = openAskedWorker(script, { workerData: undefined, idle: 600_000 });
  const job: PagesArgs = {
    messages: messagesOf(jsonLog(900_000)),
    reader: { modelId: 'claude-haiku-4-5', kind: 'openai-chat' },
    vision: true,
    room: 1_000_000,
  };
  try {
    const first = await watched(() => worker.ask(job));
    const made = first.value as PagesOutcome;
    if (!made.ok || made.pages.pages.length !== pagesWanted) throw new Error(`not ${pagesWanted} pages`);
    const runs: Watched[] = [];
    const idle: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const run = await watched(() => worker.ask(job));
      runs.push(run);
      // What the machine does to a loop that has nothing to do, for as long.
      idle.push((await watched(() => new Promise((done) => setTimeout(done, run.took)))).held);
    }
    const held = runs.map((run) => run.held);
    const what = `${pagesWanted} pages of 1568 × 784 from the thread`;
    return [
      { id: 'N11', operation: what, unit: 'ms', ours: median(runs.map(({ took }) => took)), goal: { kind: 'none' } },
      { id: 'N11', operation: 'the same, the first time: thread and glyphs', unit: 'ms', ours: first.took, goal: { kind: 'none' } },
      {
        id: 'N11',
        operation: 'the same, longest time the thread that asks is held up',
        unit: 'ms',
        ours: median(held),
        goal: { kind: 'absolute', max: 8 },
        note: `at most ${Math.max(...held).toFixed(1)} ms`,
      },
      { id: 'N11', operation: 'an idle loop beside nothing, for as long', unit: 'ms', ours: median(idle), goal: { kind: 'none' } },
    ];
  } finally {
    await worker.close();
    clearInterval(running);
  }
}

type Watched = { value: unknown; took: number; held: number };

/** `held`: the longest time between two ticks of a timer of one millisecond. */
async function watched(ask: () => Promise<unknown>): Promise<Watched> {
  const delays = monitorEventLoopDelay({ resolution: 1 });
  delays.enable();
  await new Promise((done) => setTimeout(done, 20));
  delays.reset();
  const start = performance.now();
  const value = await ask();
  const took = performance.now() - start;
  await new Promise((done) => setTimeout(done, 20));
  delays.disable();
  return { value, took, held: delays.max / 1e6 };
}

/** As a talk has it: many messages, not one. */
function messagesOf(text: string): Message[] {
  const messages: Message[] = [];
  const conversationId = 'cnv_1' as ConversationId;
  for (let at = 0; at < text.length; at += 2000) {
    const id = `msg_${at}` as MessageId;
    const part = { type: 'text' as const, text: text.slice(at, at + 2000) };
    messages.push({ id, conversationId, parentId: null, role: 'user', status: 'complete', parts: [part], createdAt: at });
  }
  return messages;
}
