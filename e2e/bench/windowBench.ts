// The part of the benchmarks that drives windows: started by scripts/bench.mjs once the data is there.
import { writeFileSync } from 'node:fs';
import * as z from 'zod/mini';
import type { Measurement } from '../../scripts/bench/goals';
import { table } from '../../scripts/bench/report';
import { type Machine, openApp, openFloor } from './launch';
import { measureMemory } from './memoryBench';
import { countLoaded, measureStart } from './startBench';
import { measurePaste, measureScroll, measureSwitch } from './talkBench';
import { measureStreaming } from './textBench';
import { makeWorkspace } from './workspace';

const jobSchema = z.object({
  root: z.string(),
  pages: z.string(),
  binary: z.string(),
  switches: z.array(z.string()),
  cache: z.string(),
  data: z.string(),
  quick: z.boolean(),
  only: z.array(z.string()),
  out: z.string(),
});
export type WindowJob = z.infer<typeof jobSchema>;
export type WindowResult = { measurements: Measurement[]; loaded: string[] };

const say = (text: string) => process.stderr.write(`${text}\n`);

/** Milliseconds for one benchmark. */
const limit = 6 * 60_000;

/** What breaks or hangs has missed its goal; the others go on. */
async function inTime(id: string, measure: () => Promise<Measurement[]>): Promise<Measurement[]> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`It took more than ${limit / 1000} s.`)), limit);
  });
  try {
    return await Promise.race([measure(), late]);
  } catch (error) {
    say(`${id} broke off: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    return [{ id, operation: 'broke off', unit: '', ours: 1, goal: { kind: 'count', max: 0 } }];
  } finally {
    clearTimeout(timer);
  }
}

async function run(job: WindowJob): Promise<WindowResult> {
  const machine: Machine = job;
  const { quick } = job;
  const wanted = (id: string) => job.only.includes(id);
  const result: WindowResult = { measurements: [], loaded: [] };
  const add = async (id: string, measure: () => Promise<Measurement[]>) => {
    if (!wanted(id)) return;
    say(`${id} …`);
    const measured = await inTime(id, measure);
    result.measurements.push(...measured);
    say(table(measured));
  };
  await add('N12', () => measureStreaming(machine));
  if (!['N13', 'N14', 'N15', 'N17', 'N18'].some(wanted)) return result;
  const full = makeWorkspace(job.cache, job.data, 'cnv_bench_7');
  const none = makeWorkspace(job.cache, null, '');
  try {
    await add('N14', async () => {
      const measured = await measureStart({ machine, full, none, quick });
      const { measurements, files } = await countLoaded({ machine, full, none, quick });
      result.loaded = files;
      return [...measured, ...measurements];
    });
    if (['N13', 'N17', 'N18'].some(wanted)) {
      const app = await openApp(machine, full);
      const floor = await openFloor(machine, 'e2e/bench/pages/floor.html');
      const windows = { app, floor, hundred: full.hundred, quick };
      try {
        await add('N13', () => measureSwitch(windows));
        await add('N17', () => measureScroll(windows));
        await add('N18', () => measurePaste(windows));
      } finally {
        await app.close();
        await floor.close();
      }
    }
    // Last: its answers make the workspace grow.
    await add('N15', () => measureMemory({ machine, folders: full, quick }));
  } finally {
    full.remove();
    none.remove();
  }
  return result;
}

const job = jobSchema.parse(JSON.parse(process.argv[2] ?? ''));
const result = await run(job);
writeFileSync(job.out, JSON.stringify(result));
// A benchmark that hangs must not keep the process.
process.exit(0);
