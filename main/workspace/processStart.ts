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
  // Of itself a process knows it; asking the system starts a program, which is worth it only when a lock was found.
  if (pid === process.pid) return String(Math.round(performance.timeOrigin));
  const text = process.platform === 'win32' ? askWindows(pid) : askPs(pid);
  const time = Date.parse(text.trim());
  return Number.isNaN(time) ? '' : String(time);
}

function askWindows(pid: number): string {
  const script = `(Get-Process -Id ${pid}).StartTime.ToUniversalTime().ToString('o')`;
  const args = ['-NoProfile', '-NonInteractive', '-Command', script];
  return execFileSync('powershell.exe', args, { encoding: 'utf8', timeout: 10_000, windowsHide: true });
}

function askPs(pid: number): string {
  const env = { ...process.env, LC_ALL: 'C' };
  return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8', timeout: 5_000, env });
}

/** Whether two starts are of one process. Outside Linux they are wall times by different clocks' reckoning: seconds apart at most. */
export function isSameStart(a: string, b: string): boolean {
  if (a === b) return true;
  const apart = Math.abs(Number(a) - Number(b));
  return apart <= 10_000;
}

/** Clock ticks since boot, with the boot they count from. A zombie has ended already. */
function linuxStart(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  // The name in parentheses may hold spaces and parentheses itself.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[0] === 'Z' || fields[0] === 'X') throw new Error('the process has ended');
  return `${readFileSync('/proc/sys/kernel/random/boot_id', 'latin1').trim()}:${fields[19] ?? ''}`;
}
