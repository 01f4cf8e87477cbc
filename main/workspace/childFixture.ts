// Builds a TypeScript entry to one CommonJS file and runs it as a process of its own.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { basename, join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { build } from 'vite';

const root = resolve(import.meta.dirname, '../..');

/** Path of the built file, under node_modules so that the native module is found; each run builds over the last one's. */
export async function buildEntry(entry: string): Promise<string> {
  const name = basename(entry, '.ts');
  const outDir = join(root, 'node_modules/.cache/bough-test', name);
  await build({
    configFile: false,
    assetsInclude: ['**/*.bin'],
    root,
    logLevel: 'error',
    ssr: { noExternal: true, target: 'node' },
    build: {
      ssr: true,
      outDir,
      emptyOutDir: true,
      target: 'node18',
      rollupOptions: {
        input: resolve(root, entry),
        external: ['better-sqlite3', /^node:/],
        output: { format: 'cjs', entryFileNames: '[name].cjs' },
      },
    },
  });
  return join(outDir, `${name}.cjs`);
}

export type Line = Record<string, unknown>;
export type Child = {
  process: ChildProcess;
  lines: Line[];
  /** The first line, past or to come, that fits; rejects when the child ends before. */
  line(fits: (line: Line) => boolean): Promise<Line>;
  /** Resolves when the process has ended and all it said was read. */
  ended: Promise<void>;
  errors(): string;
};

/** Runs the built file; `before` is a shell command to run first in a private mount namespace. */
export function runChild(built: string, args: readonly string[], before?: string): Child {
  const quoted = [process.execPath, built, ...args].map((part) => `'${part}'`).join(' ');
  const child =
    before === undefined ? spawn(process.execPath, [built, ...args]) : spawn('unshare', ['-m', 'sh', '-c', `${before} && exec ${quoted}`]);
  const lines: Line[] = [];
  let errors = '';
  let over = false;
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const each of [...waiting]) each();
  };
  child.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const reader = createInterface({ input: child.stdout });
  reader.on('line', (text) => {
    try {
      lines.push(JSON.parse(text));
    } catch (error) {
      // The last line of a killed process may be cut.
      if (!(error instanceof SyntaxError)) throw error;
    }
    wake();
  });
  const ended = new Promise<void>((done) => {
    child.on('close', () => {
      over = true;
      wake();
      done();
    });
  });
  const line = (fits: (line: Line) => boolean) =>
    new Promise<Line>((found, failed) => {
      const look = () => {
        const match = lines.find(fits);
        if (match === undefined && !over) return;
        waiting.delete(look);
        if (match === undefined) failed(new Error(`the child ended without the line\n${errors}`));
        else found(match);
      };
      waiting.add(look);
      look();
    });
  return { process: child, lines, line, ended, errors: () => errors };
}

/** Whether a private mount can be made here: as root on Linux. Tests that need one are there only then. */
export const canMount = process.platform === 'linux' && spawnSync('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs none /mnt']).status === 0;
