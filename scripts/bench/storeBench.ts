// The part that runs in the program's own Node (Electron as Node): makes the data, then measures the store beside bare statements.
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import { openStore } from '../../main/store/open';
import { makeData } from './data/make';
import { fullScale, quickScale } from './data/sizes';
import type { Measurement } from './goals';
import { brief, thorough } from './measure';
import { measureBoundary } from './store/boundary';
import { measureForkedFile, measureForks } from './store/forking';
import { measureImport } from './store/importing';
import { measureLongRuns } from './store/longRuns';
import { measureOutline } from './store/outline';
import { measurePages } from './store/pages';
import { measurePagesPass } from './store/pagesPass';
import { measurePagesThread } from './store/pagesThread';
import { measurePlanning } from './store/planning';
import { measureFirstView, measurePath } from './store/reading';
import { measureSearch } from './store/searching';
import { measureTokens } from './store/tokens';
import { measureAppend, measureMove } from './store/writing';

/** `only`: ids of the benchmarks to run. `out`: where the result goes, as `StoreResult`. */
const jobSchema = z.object({ cache: z.string(), quick: z.boolean(), only: z.array(z.string()), out: z.string() });
export type StoreJob = z.infer<typeof jobSchema>;
export type StoreResult = { data: string; measurements: Measurement[] };

const say = (text: string) => process.stderr.write(`${text}\n`);

async function measure(data: string, job: StoreJob): Promise<Measurement[]> {
  const wanted = (id: string) => job.only.includes(id);
  if (!['N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'N7'].some(wanted)) return [];
  const effort = job.quick ? brief : thorough;
  // Beside the data, so that the copy is on the same disk.
  const folder = mkdtempSync(join(dirname(data), 'run-'));
  const file = join(folder, 'bough.db');
  try {
    mkdirSync(folder, { recursive: true });
    copyFileSync(data, file);
    const store = openStore({ file, mode: 'write', now: Date.now });
    try {
      return [
        ...(wanted('N1') ? measureFirstView(store.db, effort) : []),
        ...(wanted('N2') ? measurePath(store.db, effort) : []),
        ...(wanted('N3') ? measureAppend(store.db, file, effort) : []),
        ...(wanted('N4') ? measureMove(store.db, file, effort) : []),
        ...(wanted('N6') ? measureOutline(store.db, effort) : []),
        // Last: the index makes the file larger.
        ...(wanted('N7') ? measureSearch(store.db, file) : []),
        ...(wanted('N5') ? await measureForks(store.db, job.quick) : []),
      ];
    } finally {
      store.close();
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** These make a run of their own. */
async function measureRuns(job: StoreJob): Promise<Measurement[]> {
  const effort = job.quick ? brief : thorough;
  return [
    ...(job.only.includes('N5') ? await measureForkedFile(job.cache, job.quick) : []),
    ...(job.only.includes('N8') ? measureBoundary(job.cache, effort) : []),
    ...(job.only.includes('N9') ? await measurePlanning(job.cache, effort) : []),
    ...(job.only.includes('N10') ? await measureTokens(effort) : []),
    ...(job.only.includes('N11') ? [...measurePages(effort), ...(await measurePagesThread()), ...(await measurePagesPass(job.quick))] : []),
    ...(job.only.includes('N16') ? await measureImport(job.cache, job.quick) : []),
    ...(job.only.includes('LR') ? await measureLongRuns(job.quick, say) : []),
  ];
}

const job = jobSchema.parse(JSON.parse(process.argv[2] ?? ''));
const isInRuns = job.only.every((id) => ['N8', 'N9', 'N10', 'N11', 'N16', 'LR'].includes(id));
const data = isInRuns ? '' : makeData(job.cache, job.quick ? quickScale : fullScale, say);
const result: StoreResult = { data, measurements: [...(isInRuns ? [] : await measure(data, job)), ...(await measureRuns(job))] };
writeFileSync(job.out, JSON.stringify(result));
