// When a process began, as a text that is the same each time it is asked: a pid alone may have been given to another process since.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** `gone`: no such process. `unknown`: it lives, but when it began cannot be found out here. */
export type ProcessStart = { state: 'gone' } | { state: 'unknown' } | { state: 'known'; start: string };

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it lives and belongs to somebody else.
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

export function processStart(pid: number): ProcessStart {
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return { state: 'gone' };
  try {
    const start = read(pid);
    return start === '' ? { state: 'unknown' } : { state: 'known', start };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    return { state: isAlive(pid) ? 'unknown' : 'gone' };
  }
}

function read(pid: number): string {
  if (process.platform === 'linux') return linuxStart(pid);
  if (process.platform === 'win32') {
    const script = `(Get-Process -Id ${pid}).StartTime.ToFileTimeUtc()`;
    return execFileSync('powershell.exe', ['-NoProfile', '-NonInteractive', '-Command', script], {
      encoding: 'utf8',
      timeout: 10_000,
      windowsHide: true,
    }).trim();
  }
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], {
    encoding: 'utf8',
    timeout: 5_000,
    env: { LC_ALL: 'C', PATH: '/bin:/usr/bin' },
  }).trim();
}

/** Clock ticks since boot, with the boot they count from. A zombie has ended already. */
function linuxStart(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') throw new Error('the process has ended');
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${fields[19] ?? ''}`;
}
