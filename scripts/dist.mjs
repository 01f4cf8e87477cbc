// `npm run dist`: installers into dist/. With the official Electron they are releases (electron-builder.yml); with the registry
// runtime they are test packages that say so in their name and carry a note, because that Electron is out of support.
import { cpSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.mjs';
import { explain, SetupProblem, say } from './setup/console.mjs';
import { read, run } from './setup/process.mjs';
import { appVersion, packageFolder, projectRoot } from './setup/project.mjs';
import { setUp } from './setup/setUp.mjs';

const OUTPUT = join(projectRoot, 'dist');
const WORK = join(projectRoot, 'node_modules/.cache/bough');

/** @param {readonly string[]} args @param {NodeJS.ProcessEnv} [env] */
async function electronBuilder(args, env = process.env) {
  const builder = packageFolder('electron-builder');
  if (!builder) throw new SetupProblem('electron-builder is not installed. Run `npm ci` first.');
  const code = await run(process.execPath, [join(builder, 'cli.js'), '--publish', 'never', ...args], { cwd: projectRoot, env });
  if (code !== 0) throw new SetupProblem('The installer could not be made; the reason is above.');
}

/** A folder and a tar.gz, and a deb where dpkg-deb is there. @param {import('./setup/electron.mjs').Runtime} runtime */
async function makeTestPackages(runtime) {
  say(`Only Electron ${runtime.version} from the npm registry is here: making test packages, not releases.`);
  const label = `test-only-electron-${runtime.version}`;
  const hasDpkg = read('dpkg-deb', ['--version']).ok;
  await electronBuilder(
    [
      '--linux',
      'dir',
      ...(hasDpkg ? ['deb'] : []),
      `-c.electronDist=${runtimeWithoutLauncher(runtime)}`,
      `-c.electronVersion=${runtime.version}`,
      `-c.artifactName=\${productName}-\${version}-${label}-\${arch}.\${ext}`,
    ],
    { ...process.env, CUSTOM_FPM_PATH: join(projectRoot, 'scripts/packaging/fpmShim.mjs') },
  );
  const name = `Bough-${appVersion()}-${label}-x64.tar.gz`;
  const packed = read('tar', ['czf', join(OUTPUT, name), '-C', OUTPUT, 'linux-unpacked']);
  if (!packed.ok) throw new SetupProblem(`The archive could not be made: ${packed.errors.trim()}`);
}

/** The cached runtime carries a launcher where a packaged app belongs. @param {import('./setup/electron.mjs').Runtime} runtime */
function runtimeWithoutLauncher(runtime) {
  const copy = join(WORK, 'electron-dist');
  rmSync(copy, { recursive: true, force: true });
  cpSync(runtime.folder, copy, { recursive: true, dereference: true });
  rmSync(join(copy, 'resources/app'), { recursive: true, force: true });
  const note = `This package contains Electron ${runtime.version}, which is out of support. It is for tests and must not be published.\n`;
  writeFileSync(join(copy, 'TEST-ONLY.txt'), note);
  return copy;
}

try {
  const runtime = await setUp('start');
  rmSync(OUTPUT, { recursive: true, force: true });
  await build();
  if (runtime.official) await electronBuilder(process.argv.slice(2));
  else await makeTestPackages(runtime);
  say(
    `In dist/: ${readdirSync(OUTPUT)
      .filter((name) => /^Bough-/.test(name))
      .join(', ')}`,
  );
} catch (error) {
  explain(error);
  process.exitCode = 1;
}
