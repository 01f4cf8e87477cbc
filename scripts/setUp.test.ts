// Set-up on this machine, for real where it is cheap: caches that appear whole, the runtime and the binding, the virtual display.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isStale, OUTPUTS } from './build.mjs';
import { cacheRoot, fillFolder } from './setup/cache.mjs';
import { missingLibraries } from './setup/debian.mjs';
import { hasDisplay, testDisplay } from './setup/display.mjs';
import { currentElectron } from './setup/electron.mjs';
import { withoutNoise } from './setup/noise.mjs';
import { projectRoot } from './setup/project.mjs';
import { isSandboxForbidden, sandboxAdvice } from './setup/sandbox.mjs';
import { setUp } from './setup/setUp.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bough-setup-'));
});
afterEach(() => {
  rmSync(root, { recursive: true, force: true });
});

describe('a cached folder', () => {
  it('appears whole or not at all', async () => {
    const target = join(root, 'cache/1.0');
    const broken = fillFolder(target, (folder) => {
      writeFileSync(join(folder, 'half'), '');
      throw new Error('interrupted');
    });
    await expect(broken).rejects.toThrow('interrupted');
    expect(readdirSync(join(root, 'cache'))).toEqual([]);
    await fillFolder(target, (folder) => writeFileSync(join(folder, 'whole'), ''));
    expect(readdirSync(join(root, 'cache'))).toEqual(['1.0']);
    expect(readdirSync(target)).toEqual(['whole']);
  });

  it('filled twice at once keeps the first and leaves no rest', async () => {
    const target = join(root, 'cache/1.0');
    await fillFolder(target, async () => {
      await fillFolder(target, (folder) => writeFileSync(join(folder, 'first'), ''));
    });
    expect(readdirSync(join(root, 'cache'))).toEqual(['1.0']);
    expect(readdirSync(target)).toEqual(['first']);
  });

  it('an old rest of a killed run is removed, a young one is left to its run', async () => {
    for (const name of ['1.0.partial-old', '1.0.partial-new']) mkdirSync(join(root, name));
    utimesSync(join(root, '1.0.partial-old'), 0, 0);
    await fillFolder(join(root, '1.0'), () => undefined);
    expect(readdirSync(root).sort()).toEqual(['1.0', '1.0.partial-new']);
  });

  it('lies where the user says, in the home folder, or without one inside node_modules', () => {
    expect(cacheRoot({ XDG_CACHE_HOME: join(root, 'xdg'), HOME: root })).toBe(join(root, 'xdg'));
    expect(cacheRoot({ XDG_CACHE_HOME: 'relative', HOME: root })).toBe(join(root, '.cache'));
    expect(cacheRoot({ HOME: '/dev/null' })).toBe(join(projectRoot, 'node_modules/.cache'));
  });
});

describe('the runtime', () => {
  it('is set up: Electron is found with no variable, and one SQLite binding serves it and this Node', async () => {
    const runtime = await setUp('test');
    expect(currentElectron()).toEqual(runtime);
    const script = "const D = require('better-sqlite3'); console.log(new D(':memory:').prepare('select 6 * 7').pluck().get())";
    const electron = join(projectRoot, 'node_modules/electron/cli.js');
    const inElectron = spawnSync(process.execPath, [electron, '-e', script], {
      cwd: projectRoot,
      encoding: 'utf8',
      env: { ...process.env, ELECTRON_RUN_AS_NODE: '1' },
    });
    const inNode = spawnSync(process.execPath, ['-e', script], { cwd: projectRoot, encoding: 'utf8' });
    expect([inElectron.stdout, inNode.stdout]).toEqual(['42\n', '42\n']);
  });

  it('the libraries that ldd misses are named', () => {
    const listing =
      '\tlinux-vdso.so.1 (0x1)\n\tlibnss3.so => not found\n\tlibc.so.6 => /lib/libc.so.6 (0x2)\n\tlibgtk-3.so.0 => not found\n';
    expect(missingLibraries(listing)).toEqual(['libnss3.so', 'libgtk-3.so.0']);
    expect(missingLibraries('\tlibc.so.6 => /lib/libc.so.6 (0x2)\n')).toEqual([]);
  });

  it('complaints of Chromium that mean nothing are dropped, errors of the app are kept', () => {
    const noise = '[15787:1130/073243.065883:ERROR:bus.cc(399)] Failed to connect to the bus: no such file\n';
    const error = '[15787:1130/073243.065883:ERROR:electron_main.cc(1)] broken\n';
    expect(withoutNoise(`${noise}TypeError: a is not a function\n${noise}${error}half`)).toBe(
      `TypeError: a is not a function\n${error}half`,
    );
  });

  it('a forbidden sandbox is known by what Electron prints, and the advice names the binary', () => {
    const crash =
      '[1:1:FATAL:zygote_host_impl_linux.cc(127)] No usable sandbox! Update your kernel or see https://chromium.googlesource.com for more information';
    expect(isSandboxForbidden(crash)).toBe(true);
    expect(
      isSandboxForbidden(
        '[1:1:FATAL:setuid_sandbox_host.cc(158)] The SUID sandbox helper binary was found, but is not configured correctly.',
      ),
    ).toBe(true);
    expect(isSandboxForbidden('ERROR:bus.cc(399)] Failed to connect to the bus')).toBe(false);
    expect(sandboxAdvice('/opt/electron')).toContain('profile bough-electron "/opt/electron"');
  });
});

describe('the display', () => {
  it('of a test is free, accepts clients, and ends with its test', async () => {
    const [first, second] = [await testDisplay(), await testDisplay()];
    try {
      expect(first.env['DISPLAY']).not.toBe(second.env['DISPLAY']);
      if (process.platform === 'linux') expect(existsSync(`/tmp/.X11-unix/X${first.env['DISPLAY']?.slice(1)}`)).toBe(true);
    } finally {
      await Promise.all([first.stop(), second.stop()]);
    }
    expect(existsSync(`/tmp/.X11-unix/X${first.env['DISPLAY']?.slice(1)}`)).toBe(false);
  });

  it('is missing only on Linux without X and Wayland', () => {
    expect(hasDisplay({ DISPLAY: ':1' })).toBe(true);
    expect(hasDisplay({ WAYLAND_DISPLAY: 'wayland-0' })).toBe(true);
    expect(hasDisplay({})).toBe(process.platform !== 'linux');
  });
});

describe('a build', () => {
  const write = (path: string, seconds: number) => {
    mkdirSync(join(root, path, '..'), { recursive: true });
    writeFileSync(join(root, path), '');
    utimesSync(join(root, path), seconds, seconds);
  };

  it('is stale when a part is missing or older than a source, not when a test is newer', () => {
    write('main/lib/a.ts', 1000);
    for (const path of OUTPUTS.slice(1)) write(path, 2000);
    expect(isStale(root)).toBe(true);
    write(OUTPUTS[0]!, 2000);
    expect(isStale(root)).toBe(false);
    write('main/lib/a.test.ts', 3000);
    expect(isStale(root)).toBe(false);
    write('assets/locales/en/talk.json', 3000);
    expect(isStale(root)).toBe(true);
  });

  it('broken off between its parts is stale', () => {
    write('shared/a.ts', 2000);
    for (const path of OUTPUTS) write(path, 3000);
    write(OUTPUTS.at(-1)!, 1000);
    expect(isStale(root)).toBe(true);
  });
});

it('the lock file names no registry host', () => {
  expect(readFileSync(join(projectRoot, 'package-lock.json'), 'utf8')).not.toMatch(/"resolved": "https?:/);
});
