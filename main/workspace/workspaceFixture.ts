// A workspace in a temporary folder, for tests.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runMaintenance } from '../store/maintenance';
import { type Layout, layoutOf, makeLayout } from './layout';
import { type OpenedWorkspace, type OpenWorkspaceOptions, openWorkspace, type Workspace } from './openWorkspace';

export const noon = Date.UTC(2026, 10, 30, 12);

export type TestWorkspace = {
  folder: string;
  layout: Layout;
  /** Advances when assigned. */
  time: number;
  now: () => number;
  open(more?: Partial<OpenWorkspaceOptions>): Promise<Workspace>;
  /** Opens and fails the test when it is in another state. */
  opened(): Promise<OpenedWorkspace>;
  remove(): void;
};

export function makeWorkspace(): TestWorkspace {
  const folder = mkdtempSync(join(tmpdir(), 'bough-workspace-'));
  const layout = layoutOf(folder);
  const open: Workspace[] = [];
  const test: TestWorkspace = {
    folder,
    layout,
    time: noon,
    now: () => test.time,
    async open(more = {}) {
      const workspace = await openWorkspace({ folder, now: test.now, run: runMaintenance, ...more });
      open.push(workspace);
      return workspace;
    },
    async opened() {
      const workspace = await test.open();
      if (workspace.status !== 'open') throw new Error(`the workspace is ${workspace.status}: ${workspace.state.failure?.message}`);
      return workspace;
    },
    remove() {
      for (const workspace of open) workspace.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return test;
}

export function madeLayout(test: TestWorkspace): Layout {
  makeLayout(test.layout);
  return test.layout;
}
