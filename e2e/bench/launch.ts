// Starts windows for the benchmarks: by Playwright where a page is driven, as bare processes where the start itself or memory is measured.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { _electron, type ElectronApplication, type Page } from '@playwright/test';
import { attach, type BarePage } from './debugPort';
import { installMarks } from './inPage';
import type { BenchFolders } from './workspace';

/** `root`: the project; `pages`: the built pages of the floor; `binary`: the runtime; `switches`: what it needs for this user. */
export type Machine = { root: string; pages: string; binary: string; switches: string[] };

export type Driven = { app: ElectronApplication; page: Page; close(): Promise<void> };

const floorApp = 'e2e/bench/emptyWindow';

export function openApp(machine: Machine, folders: BenchFolders): Promise<Driven> {
  return drive(machine, ['.', `--workspace=${folders.workspace}`, `--user-data-dir=${folders.userData}`]);
}

/** One of the pages beside this file, in a window with nothing else. */
export async function openFloor(machine: Machine, page: string): Promise<Driven> {
  const userData = mkdtempSync(join(tmpdir(), 'bough-bench-'));
  const driven = await drive(machine, [floorApp, `--pages=${machine.pages}`, `--page=${page}`, `--user-data-dir=${userData}`]);
  return {
    ...driven,
    close: async () => {
      await driven.close();
      rmSync(userData, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}

async function drive(machine: Machine, args: string[]): Promise<Driven> {
  const app = await _electron.launch({ cwd: machine.root, args, timeout: 60_000 });
  const page = await app.firstWindow();
  await page.waitForLoadState('load');
  await page.evaluate(installMarks);
  const child = app.process();
  return {
    app,
    page,
    close: async () => {
      const ended = child.exitCode === null ? once(child, 'exit') : Promise.resolve();
      const timer = setTimeout(() => child.kill('SIGKILL'), 15_000);
      await app.close().catch(() => undefined);
      await ended;
      clearTimeout(timer);
    },
  };
}

export type Bare = {
  child: ChildProcess;
  /** Unix time in milliseconds, with fractions. */
  spawnedAt: number;
  /** Its page, over the debugging port: asked for only after what is measured has happened. */
  page(): Promise<BarePage>;
  end(): Promise<void>;
};

export type BareKind = { kind: 'app'; folders: BenchFolders } | { kind: 'empty' };

/** As a person's shortcut starts it, with nobody watching. */
export function spawnBare(machine: Machine, what: BareKind): Bare {
  const own = what.kind === 'empty' ? mkdtempSync(join(tmpdir(), 'bough-bench-')) : null;
  const args =
    what.kind === 'app'
      ? ['.', `--workspace=${what.folders.workspace}`, `--user-data-dir=${what.folders.userData}`]
      : [floorApp, `--user-data-dir=${own}`];
  const spawnedAt = performance.timeOrigin + performance.now();
  const child = spawn(machine.binary, ['--remote-debugging-port=0', ...machine.switches, ...args], {
    cwd: machine.root,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const address = new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
      const found = /DevTools listening on (ws:\S+)/.exec(text)?.[1];
      if (found) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The window ended with ${code}: ${text}`)));
  });
  let page: BarePage | undefined;
  return {
    child,
    spawnedAt,
    page: async () => {
      page ??= await attach(await address);
      return page;
    },
    end: async () => {
      page?.close();
      if (child.exitCode === null && child.signalCode === null) {
        const ended = once(child, 'exit');
        child.kill('SIGTERM');
        const timer = setTimeout(() => child.kill('SIGKILL'), 10_000);
        await ended;
        clearTimeout(timer);
      }
      if (own) rmSync(own, { recursive: true, force: true, maxRetries: 5, retryDelay: 200 });
    },
  };
}
