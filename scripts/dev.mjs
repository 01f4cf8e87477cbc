// `npm run dev`: the app with hot reload, on the runtime that set-up found.
import { join } from 'node:path';
import { buildWorkers } from './build.mjs';
import { explain, SetupProblem } from './setup/console.mjs';
import { announceDisplay, ensureDisplay } from './setup/display.mjs';
import { run } from './setup/process.mjs';
import { packageFolder, projectRoot } from './setup/project.mjs';
import { sandboxSwitches } from './setup/sandbox.mjs';
import { setUp } from './setup/setUp.mjs';

try {
  await setUp('start');
  await buildWorkers();
  const vite = packageFolder('electron-vite');
  if (!vite) throw new SetupProblem('electron-vite is not installed. Run `npm ci` first.');
  const display = await ensureDisplay();
  announceDisplay(display);
  const env = { ...display.env, ...(sandboxSwitches().length > 0 && { NO_SANDBOX: '1' }) };
  process.exitCode = await run(process.execPath, [join(vite, 'bin/electron-vite.js'), 'dev', ...process.argv.slice(2)], {
    cwd: projectRoot,
    env,
  });
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
