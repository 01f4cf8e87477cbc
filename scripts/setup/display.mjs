// A screen for machines that have none: an Xvfb of our own on a free number, ended with the command that started it.
import { spawn } from 'node:child_process';
import { SetupProblem, say } from './console.mjs';
import { debianCanInstall, ensureDebianPackages, installCommand } from './debian.mjs';
import { read } from './process.mjs';

/** @typedef {{ env: NodeJS.ProcessEnv, stop: () => Promise<void> }} Display */

const NOTHING = () => Promise.resolve();

/** Whether a window could be shown without help. @param {NodeJS.ProcessEnv} [env] */
export function hasDisplay(env = process.env) {
  return process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY);
}

/** The person's own screen, or a virtual one. @returns {Promise<Display>} */
export async function ensureDisplay() {
  if (hasDisplay()) return { env: process.env, stop: NOTHING };
  if (!hasXvfb()) {
    if (!debianCanInstall())
      throw new SetupProblem(
        `There is no display. Start Bough in a desktop session, or install a virtual one:\n  ${installCommand(['xvfb'])}`,
      );
    ensureDebianPackages(['xvfb']);
  }
  return virtualDisplay();
}

/** The same screen on every machine, so that tests and their pictures do not depend on the person's. @returns {Promise<Display>} */
export async function testDisplay() {
  return process.platform === 'linux' && hasXvfb() ? virtualDisplay() : ensureDisplay();
}

function hasXvfb() {
  return read('which', ['Xvfb']).ok;
}

/** @returns {Promise<Display>} */
function virtualDisplay() {
  // -displayfd lets the server pick a free number and tell it once it accepts clients.
  const server = spawn('Xvfb', ['-displayfd', '3', '-screen', '0', '1600x1000x24', '-nolisten', 'tcp'], {
    stdio: ['ignore', 'ignore', 'ignore', 'pipe'],
  });
  const kill = () => void server.kill();
  process.once('exit', kill);
  const stop = async () => {
    process.off('exit', kill);
    // It was let go of while it served; now its end is waited for.
    server.ref();
    const ended = new Promise((resolve) => server.once('exit', resolve));
    if (server.exitCode === null && server.kill()) await ended;
  };
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.once('exit', (code) => reject(new SetupProblem(`The virtual display Xvfb ended at once (code ${code}).`)));
    server.stdio[3]?.once('data', (number) => {
      server.removeAllListeners('exit');
      server.unref();
      // Without these a newer Electron would still open on the person's Wayland session.
      const { WAYLAND_DISPLAY: _, ...env } = process.env;
      resolve({ env: { ...env, DISPLAY: `:${String(number).trim()}`, XDG_SESSION_TYPE: 'x11' }, stop });
    });
  });
}

/** Said once by commands that would otherwise seem to do nothing. @param {Display} display */
export function announceDisplay(display) {
  if (display.env !== process.env) say(`There is no display, so the window opens on a virtual one (DISPLAY=${display.env.DISPLAY}).`);
}
