// `npm start -- [--workspace=DIR] [--user-data-dir=DIR]`: sets up what is missing, builds when needed, opens the window.
import { realpathSync } from 'node:fs';
import { buildIfStale } from './build.mjs';
import { explain, SetupProblem } from './setup/console.mjs';
import { announceDisplay, ensureDisplay } from './setup/display.mjs';
import { withoutNoise } from './setup/noise.mjs';
import { run } from './setup/process.mjs';
import { projectRoot } from './setup/project.mjs';
import { isSandboxForbidden, sandboxAdvice, sandboxSwitches } from './setup/sandbox.mjs';
import { setUp } from './setup/setUp.mjs';

/** @param {readonly string[]} args what the person passed on */
async function start(args) {
  const runtime = await setUp('start');
  await buildIfStale();
  const display = await ensureDisplay();
  announceDisplay(display);
  let forbidden = false;
  const code = await run(runtime.binary, [...sandboxSwitches(), '.', ...args], {
    cwd: projectRoot,
    env: display.env,
    onStderr: (text) => {
      forbidden ||= isSandboxForbidden(text);
      if (!forbidden) process.stderr.write(withoutNoise(text));
    },
  });
  if (forbidden) throw new SetupProblem(sandboxAdvice(realpathSync(runtime.binary)));
  return code;
}

try {
  process.exitCode = await start(process.argv.slice(2));
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
