// What .ci/run does: runs the README's test command as it stands there, then the checks, and sums up.
// Uses nothing from node_modules, which that command replaces.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listFailures, readFailures } from './failures.mjs';
import { readTestCommand } from './readme.mjs';
import { forgetResults, MOST_UNSTEADY, readResults } from './results.mjs';
import { say } from './setup/console.mjs';
import { run } from './setup/process.mjs';
import { projectRoot } from './setup/project.mjs';

/** @param {string} command @returns {Promise<boolean>} */
async function step(command) {
  const started = Date.now();
  say(`$ ${command}`);
  const code = await run('bash', ['-c', command], { cwd: projectRoot });
  say(`${command}: ${code === 0 ? 'ok' : `failed (exit code ${code})`}, ${Math.round((Date.now() - started) / 1000)} s`);
  return code === 0;
}

const command = readTestCommand(readFileSync(join(projectRoot, 'README.md'), 'utf8'));
forgetResults('unit');
forgetResults('e2e');
const tested = await step(command);
const checked = await step('npm run check');

const unit = readResults('unit');
const e2e = readResults('e2e');
const skipped = unit.skipped + e2e.skipped;
if (skipped > 0) say(`${skipped} tests were skipped: that is not allowed.`);
const unsteady = unit.unsteady + e2e.unsteady;
const tooMany = unsteady > MOST_UNSTEADY ? unsteady : 0;
if (tooMany > 0) say(`${unsteady} tests passed only at a second try: more than ${MOST_UNSTEADY} are failures.`);
const testFailures = unit.failed + e2e.failed + skipped + tooMany;
// A command that failed although no test did, and checks that failed, are failures too: the line and the exit code agree.
const failed = testFailures + (tested || testFailures > 0 ? 0 : 1) + (checked ? 0 : 1);
for (const line of listFailures([...readFailures('unit'), ...readFailures('e2e')])) console.log(line);
console.log(`${unit.passed + e2e.passed - tooMany} passed, ${failed} failed`);
process.exitCode = failed > 0 ? 1 : 0;
