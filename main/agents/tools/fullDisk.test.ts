// A real full disk: a small one of its own, mounted for a child that runs the built tools.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { toolResultSchema } from '../../../shared/model/tool';
import { buildEntry, canMount } from '../../workspace/childFixture';
import { defaultLimits } from './common/definition';

const answerSchema = z.object({ results: z.array(toolResultSchema), texts: z.array(z.string()), names: z.array(z.string()) });

/** Fills the disk, then tries to write more: to a file that is there, by an edit, to a new one; then with room again. */
const program = (built: string, workspace: string) => `
const { performCall, workspaceTools } = require(${JSON.stringify(built)});
const fs = require('node:fs');
const folder = ${JSON.stringify(workspace)};
process.chdir(folder);
const context = { callId: 'c', workspace: folder, signal: new AbortController().signal, limits: ${JSON.stringify(defaultLimits)},
  blobs: { write() { throw new Error('unused'); } }, now: Date.now, platform: process.platform, environment: {}, hideKeys: (text) => text,
  ripgrep: '', canRecall: false, report(error) { console.error(error); } };
const grants = new Set(['old.txt', 'new.txt'].map((name) => 'edit ' + folder + '/' + name));
const call = async (name, input) => (await performCall(workspaceTools, { name, arguments: JSON.stringify(input) }, { mode: 'ask', grants }, context)).result;
(async () => {
  fs.writeFileSync('old.txt', 'the old text');
  try { for (let at = 0; ; at++) fs.writeFileSync('ballast' + at, Buffer.alloc(4096)); } catch (error) { if (error.code !== 'ENOSPC') throw error; }
  const big = 'x'.repeat(20000);
  const results = [
    await call('write_file', { path: 'old.txt', content: big }),
    await call('edit_file', { path: 'old.txt', oldText: 'old', newText: big }),
    await call('write_file', { path: 'new.txt', content: big }),
  ];
  const texts = [fs.readFileSync('old.txt', 'utf8')];
  const names = fs.readdirSync('.').filter((name) => !name.startsWith('ballast'));
  for (const name of fs.readdirSync('.')) if (name.startsWith('ballast')) fs.rmSync(name);
  results.push(await call('write_file', { path: 'old.txt', content: 'room again' }));
  texts.push(fs.readFileSync('old.txt', 'utf8'));
  console.log(JSON.stringify({ results, texts, names }));
})();`;

if (canMount) {
  describe('a full disk', () => {
    it('R3: a write that finds no room keeps the old file whole, leaves no remains, and works again with room', async () => {
      const built = await buildEntry('main/agents/tools/registry.ts');
      const workspace = mkdtempSync(join(tmpdir(), 'bough-full-'));
      try {
        const script = `mount -t tmpfs -o size=128k none '${workspace}' && exec "$0" -e "$1"`;
        const child = spawnSync('unshare', ['-m', 'sh', '-c', script, process.execPath, program(built, workspace)], { encoding: 'utf8' });
        expect(child.stderr).toBe('');
        const { results, texts, names } = answerSchema.parse(JSON.parse(child.stdout));
        for (const result of results.slice(0, 3))
          expect(result).toMatchObject({ isError: true, summary: expect.stringContaining('no space left') });
        expect(names).toEqual(['old.txt']);
        expect(results[3]?.isError).toBeUndefined();
        expect(texts).toEqual(['the old text', 'room again']);
      } finally {
        rmSync(workspace, { recursive: true, force: true });
      }
    }, 60_000);
  });
}
