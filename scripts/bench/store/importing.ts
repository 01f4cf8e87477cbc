// N16: an export of ChatGPT from the file to the last row, in its thread and this one, beside JSON.parse of the same bytes.
import { closeSync, existsSync, mkdtempSync, openSync, readFileSync, renameSync, rmSync, statSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { runImport } from '../../../main/interchange/importRun';
import { createThreadReader } from '../../../main/interchange/importThread';
import { createImportSink } from '../../../main/ipc/imports/sink';
import { createNewId } from '../../../main/lib/newId';
import { addBlobRow } from '../../../main/store/blobRows';
import { openStore } from '../../../main/store/open';
import { createBlobStore } from '../../../main/transcript/blobs';
import { createTranscripts } from '../../../main/transcript/transcripts';
import { seeded } from '../data/random';
import { makeTexts } from '../data/texts';
import type { Goal, Measurement } from '../goals';
import { compare, median, type Pair } from '../statistics';

const script = fileURLToPath(new URL('./importer.mjs', import.meta.url));
const turnsAConversation = 60;

export async function measureImport(cache: string, quick: boolean): Promise<Measurement[]> {
  const megabytes = quick ? 20 : 200;
  const file = makeExport(cache, megabytes);
  const size = statSync(file).size;
  const floorCpu: number[] = [];
  const floor = () => {
    const [start, cpu] = [performance.now(), cpuTime()];
    JSON.parse(readFileSync(file, 'utf8'));
    floorCpu.push(cpuTime() - cpu);
    return performance.now() - start;
  };
  const runs: Imported[] = [];
  const pairs: Pair[] = [];
  for (let round = 0; round < 5; round++) {
    const run = await importOnce(cache, file);
    runs.push(run);
    pairs.push({ ours: run.took, floor: floor() });
  }
  // The floor leaves the process as large as the whole text: only the run before it tells what ours needs.
  const peak = (runs[0]?.peak ?? 0) / 1e6;
  const held = median(runs.map((run) => run.held));
  // Both threads of ours, on a machine that does other things, too.
  const note = `processor time ${Math.round(median(runs.map((run) => run.cpu)))} ms, floor ${Math.round(median(floorCpu))} ms`;
  // A tenth of the data is less than what any thread takes.
  const memory: Goal = quick ? { kind: 'none' } : { kind: 'absolute', max: (1.2 * size) / 1e6 };
  const [one] = runs;
  const what = `import of a ChatGPT export, ${Math.round(size / 1e6)} MB, ${one?.conversations} conversations, ${one?.messages} messages`;
  return [
    {
      id: 'N16',
      operation: `${what}; floor: JSON.parse of its bytes`,
      unit: 'ms',
      ...compare(pairs),
      goal: { kind: 'ratio', max: 3 },
      note,
    },
    { id: 'N16', operation: 'the same, memory at its peak beyond that before', unit: 'MB', ours: peak, goal: memory },
    { id: 'N16', operation: 'the same, longest time the program is held up', unit: 'ms', ours: held, goal: { kind: 'absolute', max: 50 } },
  ];
}

/** Of all threads, in milliseconds. */
function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

type Imported = { took: number; cpu: number; peak: number; held: number; conversations: number; messages: number };

async function importOnce(cache: string, file: string): Promise<Imported> {
  const folder = mkdtempSync(join(cache, 'import-'));
  const store = openStore({ file: join(folder, 'bough.db'), mode: 'write', now: Date.now });
  const blobs = createBlobStore({
    folder: join(folder, 'blobs'),
    record: (blob) => addBlobRow(store.db, { ...blob, createdAt: Date.now() }),
  });
  const sink = createImportSink({
    db: store.db,
    blobs,
    transcripts: createTranscripts({ folder: join(folder, 'transcripts'), blobs }),
    readPdf: async () => ({ text: '', pages: 0 }),
    newId: createNewId(Date.now),
    now: Date.now,
    agentId: null,
    mode: 'skip',
  });
  const before = process.memoryUsage.rss();
  let peak = before;
  const watch = setInterval(() => {
    peak = Math.max(peak, process.memoryUsage.rss());
  }, 50);
  const delays = monitorEventLoopDelay({ resolution: 10 });
  delays.enable();
  const [start, cpu] = [performance.now(), cpuTime()];
  try {
    const { total } = await runImport({ reader: createThreadReader(script, [file]), sink });
    const took = performance.now() - start;
    delays.disable();
    return {
      took,
      cpu: cpuTime() - cpu,
      peak: peak - before,
      held: delays.max / 1e6,
      conversations: total.conversations,
      messages: total.messages,
    };
  } finally {
    clearInterval(watch);
    store.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Kept in the cache by its size; written under another name first, so that a run cut short leaves no half file. */
function makeExport(cache: string, megabytes: number): string {
  const file = join(cache, `chatgpt-export-${megabytes}.json`);
  if (existsSync(file)) return file;
  const half = `${file}.part`;
  const out = openSync(half, 'w');
  try {
    const texts = makeTexts(seeded(16));
    let size = writeSync(out, '[');
    for (let number = 0; size < megabytes * 1e6; number++)
      size += writeSync(out, `${number === 0 ? '' : ','}${JSON.stringify(makeConversation(number, texts))}`);
    writeSync(out, ']');
  } finally {
    closeSync(out);
  }
  renameSync(half, file);
  return file;
}

function makeConversation(number: number, texts: ReturnType<typeof makeTexts>): object {
  const id = `conversation-${number}`;
  const start = 1_700_000_000 + number * 10_000;
  const mapping: Record<string, object> = {};
  let parent = `${id}-root`;
  mapping[parent] = { id: parent, message: null, parent: null, children: [] };
  for (let turn = 0; turn < turnsAConversation; turn++) {
    const node = `${id}-node-${turn}`;
    const role = turn % 2 === 0 ? 'user' : 'assistant';
    // Every twentieth question has a second answer.
    if (turn % 20 !== 19)
      mapping[node] = makeNode(node, parent, { role, text: role === 'user' ? texts.prompt() : texts.answer(), time: start + turn });
    else {
      mapping[node] = makeNode(node, parent, { role, text: texts.answer(), time: start + turn });
      mapping[`${node}-other`] = makeNode(`${node}-other`, parent, { role, text: texts.answer(), time: start + turn });
    }
    parent = node;
  }
  return {
    title: `Conversation ${number}`,
    create_time: start,
    update_time: start + 500,
    mapping,
    moderation_results: [],
    current_node: parent,
    plugin_ids: null,
    conversation_id: id,
    default_model_slug: 'gpt-example',
    id,
  };
}

function makeNode(id: string, parent: string, { role, text, time }: { role: string; text: string; time: number }): object {
  const metadata =
    role === 'user' ? { request_id: id, timestamp_: 'absolute' } : { model_slug: 'gpt-example', citations: [], is_complete: true };
  const message = {
    id,
    author: { role, name: null, metadata: {} },
    create_time: time,
    update_time: null,
    content: { content_type: 'text', parts: [text] },
    status: 'finished_successfully',
    end_turn: role === 'assistant',
    weight: 1,
    metadata,
    recipient: 'all',
    channel: null,
  };
  return { id, message, parent, children: [] };
}
