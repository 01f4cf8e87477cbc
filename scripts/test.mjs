// `npm test`: sets up what is missing, then the unit tests, the build, and the tests of the real window.
// `npm run test:unit` and `npm run test:e2e` run one half; further arguments go to its runner.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { forgetResults, REPORTS, readResults } from './results.mjs';
import { explain, say } from './setup/console.mjs';
import { testDisplay } from './setup/display.mjs';
import { run } from './setup/process.mjs';
import { packageFolder, projectRoot } from './setup/project.mjs';
import { setUp } from './setup/setUp.mjs';

/** @param {readonly string[]} args */
function unit(args) {
  const vitest = join(packageFolder('vitest') ?? '', 'vitest.mjs');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${REPORTS.unit}`];
  return run(process.execPath, [vitest, 'run', ...reporters, ...args], { cwd: projectRoot });
}

/** @param {readonly string[]} args */
async function e2e(args) {
  await build();
  const display = await testDisplay();
  const playwright = join(packageFolder('@playwright/test') ?? '', 'cli.js');
  try {
    return await run(process.execPath, [playwright, 'test', ...args], { cwd: projectRoot, env: display.env });
  } finally {
    await display.stop();
  }
}

const RUNNERS = { unit, e2e };

/** One runner to its end: a crash or a failed build is reported and leaves no results. @param {'unit' | 'e2e'} name @param {readonly string[]} args */
async function runTests(name, args) {
  forgetResults(name);
  try {
    await RUNNERS[name](args);
  } catch (error) {
    explain(error);
  }
  return readResults(name);
}

const [only, ...rest] = process.argv.slice(2);
/** @type {('unit' | 'e2e')[]} */
const names = only === 'unit' || only === 'e2e' ? [only] : ['unit', 'e2e'];
for (const name of names) forgetResults(name);

try {
  mkdirSync(join(projectRoot, 'test-results'), { recursive: true });
  await setUp('test');
  for (const name of names) {
    const { passed, failed, skipped, unsteady } = await runTests(name, rest);
    const second = unsteady > 0 ? ` ${unsteady} passed only at a second try.` : '';
    say(`${name === 'unit' ? 'Unit tests' : 'Window tests'}: ${passed} passed, ${failed} failed, ${skipped} skipped.${second}`);
    if (failed > 0 || skipped > 0) process.exitCode = 1;
  }
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
