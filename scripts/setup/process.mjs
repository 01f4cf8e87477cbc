// Child processes as the scripts need them: run and see, or run and read.
import { spawn, spawnSync } from 'node:child_process';

/**
 * Runs a program with the terminal it was given, passing signals on; resolves to its exit code (128 + n for a signal).
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, onStderr?: (text: string) => void }} [options]
 * @returns {Promise<number>}
 */
export function run(program, args, options = {}) {
  const { env = process.env, cwd, onStderr } = options;
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { env, cwd, stdio: ['inherit', 'inherit', onStderr ? 'pipe' : 'inherit'] });
    if (onStderr) child.stderr?.setEncoding('utf8').on('data', onStderr);
    /** @param {NodeJS.Signals} signal */
    const pass = (signal) => void child.kill(signal);
    process.on('SIGINT', pass).on('SIGTERM', pass);
    child.on('error', reject);
    child.on('close', (code, signal) => {
      process.off('SIGINT', pass).off('SIGTERM', pass);
      resolve(code ?? (signal === 'SIGINT' ? 130 : 143));
    });
  });
}

/**
 * Runs a program and reads what it printed; a program that does not exist counts as failed.
 * @param {string} program
 * @param {readonly string[]} args
 * @param {{ env?: NodeJS.ProcessEnv, cwd?: string, timeout?: number }} [options] `timeout` in milliseconds
 * @returns {{ ok: boolean, output: string, errors: string }}
 */
export function read(program, args, options = {}) {
  const result = spawnSync(program, args, { ...options, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'], maxBuffer: 64 * 1024 * 1024 });
  return { ok: result.status === 0, output: result.stdout ?? '', errors: result.stderr || result.error?.message || '' };
}
