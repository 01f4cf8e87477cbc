// A workspace of its own in a temporary folder with its blob store, and calls as the scheduler will make them.
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { ToolResult } from '../../../shared/model/tool';
import { createBlobStore } from '../../transcript/blobs';
import { stepSession } from '../sessionEffects';
import { scopeKey } from './approvals/policy';
import { defaultLimits, type Tool, type ToolContext, type ToolLimits } from './common/definition';
import { ripgrepIn } from './common/ripgrep';
import { performCall, workspaceTools } from './registry';

const root = resolve(import.meta.dirname, '../../..');

export function makeToolTest(limits: Partial<ToolLimits> = {}) {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'bough-tools-')));
  const workspace = join(folder, 'workspace');
  mkdirSync(join(workspace, '.bough'), { recursive: true });
  writeFileSync(join(workspace, '.bough/bough.db'), 'the database');
  writeFileSync(join(workspace, '.bough/.gitignore'), '*\n');
  const abort = new AbortController();
  const reported: unknown[] = [];
  const live: { label: string }[] = [];
  const context: ToolContext = {
    callId: 'call_1',
    workspace,
    signal: abort.signal,
    blobs: createBlobStore({ folder: join(workspace, '.bough/blobs'), record: () => undefined }),
    limits: { ...defaultLimits, ...limits },
    now: () => Date.now(),
    platform: process.platform,
    environment: process.env,
    hideKeys: (text) => text.replaceAll('the-key-of-bough', '[key]'),
    ripgrep: ripgrepIn(root, process.platform, process.arch),
    canRecall: true,
    report: (error) => reported.push(error),
    past: { read: async () => null, search: async () => [] },
    session: stepSession(() => live),
  };
  const pathOf = (name: string) => join(workspace, name);
  return {
    folder,
    workspace,
    context,
    abort,
    reported,
    /** The checkpoints live on the path. */
    live,
    pathOf,
    /** Writes a file as it stands, with its folders. */
    put(name: string, content: string | Uint8Array) {
      mkdirSync(dirname(pathOf(name)), { recursive: true });
      writeFileSync(pathOf(name), content);
    },
    text: (name: string) => readFileSync(pathOf(name), 'utf8'),
    /** A call whose every need is allowed. */
    async call(name: string, input: unknown, tools: readonly Tool[] = workspaceTools): Promise<ToolResult> {
      const call = { name, arguments: JSON.stringify(input) };
      const first = await performCall(tools, call, { mode: 'ask', grants: new Set() }, context);
      if (first.type === 'done') return first.result;
      const second = await performCall(tools, call, { mode: 'ask', grants: new Set(first.needs.map(scopeKey)) }, context);
      if (second.type === 'ask') throw new Error(`asked again: ${JSON.stringify(second.needs)}`);
      return second.result;
    },
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

export type ToolTest = ReturnType<typeof makeToolTest>;
