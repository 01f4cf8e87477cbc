// `npm run bench -- [--quick] [--check] [--only N3,N12]`: measures the program beside bare floors and prints a table (docs/benchmarks.md).
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build as bundle } from 'vite';
import { buildIfStale } from './build.mjs';
import { cacheRoot } from './setup/cache.mjs';
import { explain, say } from './setup/console.mjs';
import { testDisplay } from './setup/display.mjs';
import { run } from './setup/process.mjs';
import { appVersion, projectRoot } from './setup/project.mjs';
import { sandboxSwitches } from './setup/sandbox.mjs';
import { setUp } from './setup/setUp.mjs';

const ALL = ['N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'N7', 'N8', 'N9', 'N10', 'N11', 'N12', 'N13', 'N14', 'N15', 'N16', 'N17', 'N18', 'LR'];
const IN_STORE = ['N1', 'N2', 'N3', 'N4', 'N5', 'N6', 'N7', 'N8', 'N9', 'N10', 'N11', 'N16', 'LR'];
const OUT = join(projectRoot, 'node_modules/.cache/bough/bench');
const RESULTS = join(projectRoot, 'bench-results.json');

/** The driver speaks to bare windows over a web socket, which Node has of itself from 22 on. */
const webSocketSwitch = 'WebSocket' in globalThis ? [] : ['--experimental-websocket', '--no-warnings'];

const at = (/** @type {string} */ path) => join(projectRoot, path);

/** The benchmarks are TypeScript like the program: bundled as it is. */
async function bundleBenches() {
  const common = { configFile: /** @type {const} */ (false), root: projectRoot, logLevel: /** @type {const} */ ('error') };
  await bundle({
    ...common,
    ssr: { noExternal: true },
    assetsInclude: ['**/*.bin'],
    build: {
      ssr: true,
      target: 'node18',
      outDir: OUT,
      emptyOutDir: true,
      rollupOptions: {
        input: {
          report: at('scripts/bench/report.ts'),
          goals: at('scripts/bench/goals.ts'),
          storeBench: at('scripts/bench/storeBench.ts'),
          importer: at('main/workers/importer.ts'),
          tokens: at('main/workers/tokens.ts'),
          pagesThread: at('main/workers/pages.ts'),
          windowBench: at('e2e/bench/windowBench.ts'),
        },
        external: ['better-sqlite3', '@napi-rs/canvas', '@playwright/test', 'electron', /^node:/],
        output: { format: 'es', entryFileNames: '[name].mjs', chunkFileNames: 'chunks/[name].mjs' },
      },
    },
  });
  await bundle({
    ...common,
    base: './',
    build: {
      target: 'chrome114',
      outDir: join(OUT, 'pages'),
      emptyOutDir: true,
      rollupOptions: { input: { stream: at('renderer/text/bench/bench.html'), floor: at('e2e/bench/pages/floor.html') } },
    },
    worker: { format: 'es' },
  });
}

/** @param {string[]} program @param {string} name @param {object} job @param {NodeJS.ProcessEnv} env */
async function part(program, name, job, env) {
  const out = join(OUT, `${name}.json`);
  const [binary = '', ...args] = program;
  const code = await run(binary, [...args, join(OUT, `${name}.mjs`), JSON.stringify({ ...job, out })], { cwd: projectRoot, env });
  if (code !== 0) throw new Error(`${name} ended with code ${code}.`);
  return JSON.parse(readFileSync(out, 'utf8'));
}

/** @param {{ only: string[], quick: boolean }} wanted */
async function measure({ only, quick }) {
  const runtime = await setUp('test');
  await bundleBenches();
  const cache = cacheRoot();
  mkdirSync(cache, { recursive: true });
  const store = await part([runtime.binary], 'storeBench', { cache, quick, only }, { ...process.env, ELECTRON_RUN_AS_NODE: '1' });
  if (only.every((id) => IN_STORE.includes(id))) return store.measurements;
  await buildIfStale();
  const display = await testDisplay();
  try {
    const job = {
      root: projectRoot,
      pages: join(OUT, 'pages'),
      binary: runtime.binary,
      switches: sandboxSwitches(),
      cache,
      data: store.data,
      quick,
      only,
    };
    const windows = await part([process.execPath, ...webSocketSwitch], 'windowBench', job, display.env);
    return [...store.measurements, ...windows.measurements];
  } finally {
    await display.stop();
  }
}

/** @param {string | undefined} list */
function chosen(list) {
  if (!list) return ALL;
  const ids = list.split(',').map((id) => id.trim().toUpperCase());
  const unknown = ids.filter((id) => !ALL.includes(id));
  if (unknown.length > 0) throw new Error(`Unknown: ${unknown.join(', ')}. There are ${ALL.join(', ')}.`);
  return ids;
}

try {
  const { values } = parseArgs({
    options: { quick: { type: 'boolean', default: false }, check: { type: 'boolean', default: false }, only: { type: 'string' } },
  });
  const only = chosen(values.only);
  const measurements = await measure({ only, quick: values.quick });
  const { table } = await import(join(OUT, 'report.mjs'));
  const { missed } = await import(join(OUT, 'goals.mjs'));
  say(table(measurements));
  writeFileSync(
    RESULTS,
    JSON.stringify({ version: appVersion(), at: new Date().toISOString(), quick: values.quick, measurements }, null, 2),
  );
  const failed = missed(measurements);
  if (failed.length > 0) say(`${failed.length} of ${measurements.length} goals missed.`);
  if (values.check && failed.length > 0) process.exitCode = 1;
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
