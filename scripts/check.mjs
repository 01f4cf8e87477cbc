// `npm run check`: every rule a machine can see, one after the other; all are run, so that one look shows everything.
import { argv } from 'node:process';
import { fileURLToPath } from 'node:url';
import { missingBuiltinsIn } from './checks/builtins.mjs';
import { cruiseLayers } from './checks/layers.mjs';
import { sizesOf } from './checks/sizes.mjs';
import { skipsIn } from './checks/skips.mjs';
import { read } from './setup/process.mjs';
import { packageFolder, projectRoot } from './setup/project.mjs';

const MAX_LINES = 60;

/** @typedef {{ ok: boolean, text: string }} Outcome `text` is shown when the check failed, or when it has warnings */

/** @param {string} name @param {string} binary @param {readonly string[]} args @returns {Outcome} */
function tool(name, binary, args) {
  const result = read(process.execPath, [`${packageFolder(name)}/${binary}`, ...args], { cwd: projectRoot });
  return { ok: result.ok, text: result.ok ? '' : `${result.output}${result.errors}`.trim() };
}

/** @param {readonly string[]} problems @param {readonly string[]} [warnings] @returns {Outcome} */
function findings(problems, warnings = []) {
  return { ok: problems.length === 0, text: [...problems, ...warnings.map((warning) => `(warning) ${warning}`)].join('\n') };
}

/** @type {Record<string, () => Outcome | Promise<Outcome>>} */
const CHECKS = {
  'format and lint': () =>
    tool('@biomejs/biome', 'bin/biome', ['ci', '--colors=off', '--error-on-warnings', '--diagnostic-level=warn', '.']),
  types: () => tool('typescript', 'bin/tsc', ['-p', '.']),
  layers: async () => findings((await cruiseLayers()).problems),
  'unused code': () => tool('knip', 'bin/knip.js', ['--no-progress']),
  sizes: () => {
    const { errors, warnings } = sizesOf(projectRoot);
    return findings(errors, warnings);
  },
  'built-ins': () => findings(missingBuiltinsIn(projectRoot)),
  'skipped tests': () => findings(skipsIn(projectRoot)),
};

/** Runs all checks, prints each outcome. @returns {Promise<number>} how many failed */
export async function runChecks() {
  let failed = 0;
  for (const [name, check] of Object.entries(CHECKS)) {
    const outcome = await runCheck(check);
    console.log(`${outcome.ok ? 'ok  ' : 'FAIL'} ${name}`);
    if (outcome.text) console.log(shorten(outcome.text).replace(/^/gm, '     '));
    if (!outcome.ok) failed++;
  }
  return failed;
}

/** Enough to begin with; the tool itself shows the rest. @param {string} text */
function shorten(text) {
  const lines = text.split('\n');
  return lines.length <= MAX_LINES ? text : [...lines.slice(0, MAX_LINES), `… and ${lines.length - MAX_LINES} more lines`].join('\n');
}

/** A check that breaks has not passed. @param {() => Outcome | Promise<Outcome>} check @returns {Promise<Outcome>} */
async function runCheck(check) {
  try {
    return await check();
  } catch (error) {
    return { ok: false, text: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) process.exitCode = (await runChecks()) > 0 ? 1 : 0;
