// Runs a program whose whole process group ends with it: on Stop, at its time limit, and when the program itself ends and leaves others behind (A5).
// A process that made itself a session of its own (setsid, a daemon) is out of reach of a group.
import { type ChildProcess, spawn } from 'node:child_process';
import { Capture, type Captured } from './capture';

export type ProcessEnd = {
  /** Null where a signal ended it. */
  code: number | null;
  signal: NodeJS.Signals | null;
  output: Captured;
  /** Kept apart only where `separateErrors` asks for it. */
  errors: Captured;
  reason: 'ended' | 'timeout' | 'stopped';
  /** Processes it had started were still running when it ended, and were ended as well. */
  leftOthers: boolean;
};

export type ProcessOptions = {
  folder: string;
  environment: Record<string, string>;
  platform: NodeJS.Platform;
  timeoutMs: number;
  captureBytes: number;
  signal: AbortSignal;
  separateErrors?: boolean;
  /** Windows: the arguments are one command line that the shell takes apart itself. */
  verbatim?: boolean;
};

/** How long what a dead program left in its pipes may take to arrive. */
const drainMs = 250;

/** Rejects only when the program cannot be started (`ENOENT`, `EACCES`). */
export function runProcess(file: string, args: readonly string[], options: ProcessOptions): Promise<ProcessEnd> {
  return new Promise((resolve, reject) => {
    if (options.signal.aborted) return resolve(notStarted());
    const child = spawn(file, args, {
      cwd: options.folder,
      env: options.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      windowsHide: true,
      windowsVerbatimArguments: options.verbatim ?? false,
      // A group of its own, so that one signal reaches all of it.
      detached: options.platform !== 'win32',
    });
    const output = new Capture(options.captureBytes);
    const errors = options.separateErrors ? new Capture(65_536) : output;
    child.stdout.on('data', (chunk: Buffer) => output.add(chunk));
    child.stderr.on('data', (chunk: Buffer) => errors.add(chunk));
    let reason: ProcessEnd['reason'] = 'ended';
    let leftOthers = false;
    let drain: NodeJS.Timeout | undefined;
    const end = (why: 'timeout' | 'stopped') => {
      if (reason === 'ended') reason = why;
      killGroup(child, options.platform);
    };
    const stop = () => end('stopped');
    const timer = setTimeout(() => end('timeout'), options.timeoutMs);
    options.signal.addEventListener('abort', stop, { once: true });
    const settle = () => {
      clearTimeout(timer);
      clearTimeout(drain);
      options.signal.removeEventListener('abort', stop);
    };
    child.once('error', (error) => {
      settle();
      reject(error);
    });
    child.once('exit', () => {
      leftOthers = reason === 'ended' && groupLives(child, options.platform);
      killGroup(child, options.platform);
      // Who escaped the group may hold the pipes for ever.
      drain = setTimeout(() => [child.stdout, child.stderr].map((pipe) => pipe.destroy()), drainMs);
    });
    child.once('close', (code, signal) => {
      settle();
      resolve({ code, signal, output: output.end(), errors: errors.end(), reason, leftOthers });
    });
  });
}

function notStarted(): ProcessEnd {
  const nothing = new Capture(1).end();
  return { code: null, signal: null, output: nothing, errors: nothing, reason: 'stopped', leftOthers: false };
}

/** SIGKILL, not a request: Stop means at once. */
function killGroup(child: ChildProcess, platform: NodeJS.Platform): void {
  if (child.pid === undefined) return;
  if (platform === 'win32') {
    spawn('taskkill', ['/pid', String(child.pid), '/T', '/F'], { stdio: 'ignore', windowsHide: true }).on('error', () => child.kill());
    return;
  }
  signalGroup(child.pid, 'SIGKILL');
}

function groupLives(child: ChildProcess, platform: NodeJS.Platform): boolean {
  return platform !== 'win32' && child.pid !== undefined && signalGroup(child.pid, 0);
}

function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  try {
    return process.kill(-pid, signal);
  } catch {
    // Nobody is left in the group.
    return false;
  }
}
