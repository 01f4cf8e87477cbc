import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { FailureError, makeFailure } from '../../../shared/model/failure';
import { type ToolNeed, type ToolResult, toolNames, toolNeedSchema, toolResultSchema } from '../../../shared/model/tool';
import { answerApproval } from './approvals/answers';
import { scopeKey } from './approvals/policy';
import { defineTool, type Tool } from './common/definition';
import { allTools, describeTools, performCall, workspaceTools } from './registry';
import { makeToolTest, type ToolTest } from './toolsFixture';

let test: ToolTest;
beforeEach(() => {
  test = makeToolTest();
});
afterEach(() => test.dispose());

const none: ReadonlySet<string> = new Set();
const perform = (name: string, input: unknown, grants: ReadonlySet<string> = none, mode: 'ask' | 'auto-edit' | 'read-only' = 'ask') =>
  performCall(workspaceTools, { name, arguments: JSON.stringify(input) }, { mode, grants }, test.context);
const bad = (run: () => Promise<ToolResult>): Tool =>
  defineTool({ name: 'bad', description: 'x', input: z.object({}), plan: () => ({ needs: [], run }) });

async function needsOf(name: string, input: unknown): Promise<ToolNeed[]> {
  const end = await perform(name, input);
  if (end.type !== 'ask') throw new Error(`did not ask: ${end.result.summary}`);
  return end.needs;
}

describe('what a model is told', () => {
  it('A2: each tool has a description and a JSON schema that a provider takes', () => {
    const told = describeTools(
      allTools,
      allTools.map((tool) => tool.name),
    );
    expect(told.map((tool) => tool.name)).toEqual([...toolNames]);
    for (const tool of told) {
      expect(tool.name).toMatch(/^[a-z_]{1,64}$/);
      expect(tool.inputSchema).toMatchObject({ type: 'object', properties: expect.any(Object) });
      // llama.cpp makes a grammar of the schema and refuses long repetitions, and with them the whole request.
      expect(JSON.stringify(tool.inputSchema)).not.toMatch(/\$schema|Length|pattern"?:\s*"\^|Items/);
    }
    expect(told[0]?.inputSchema).toMatchObject({
      required: ['path'],
      properties: { path: { type: 'string' }, offset: { type: 'integer', minimum: 1 } },
    });
    expect(describeTools(workspaceTools, ['read_file', 'nothing'])).toHaveLength(1);
  });
});

describe('approvals of real calls', () => {
  it('A4: nothing is written before it is allowed, and then it is', async () => {
    const needs = await needsOf('write_file', { path: 'a.txt', content: 'x' });
    expect(needs).toEqual([{ kind: 'edit', path: test.pathOf('a.txt'), outside: false, guarded: false }]);
    expect(() => test.text('a.txt')).toThrow();
    const answered = answerApproval({ needs }, { type: 'conversation' });
    if (answered.type !== 'granted') throw new Error('not granted');
    const grants = new Set(answered.conversation);
    expect(await perform('write_file', { path: './a.txt', content: 'x' }, grants)).toMatchObject({ type: 'done' });
    expect(await perform('edit_file', { path: 'a.txt', oldText: 'x', newText: 'y' }, grants)).toMatchObject({ type: 'done' });
    expect(test.text('a.txt')).toBe('y');
    expect(await perform('write_file', { path: 'b.txt', content: 'x' }, grants)).toMatchObject({ type: 'ask' });
    expect(await perform('read_file', { path: 'a.txt' }, none, 'read-only')).toMatchObject({ type: 'done', result: { content: '1\ty' } });
    expect(await perform('write_file', { path: 'a.txt', content: 'z' }, grants, 'read-only')).toMatchObject({
      type: 'done',
      result: { isError: true, outcome: 'refused' },
    });
    expect(await perform('write_file', { path: '.git/hooks/pre-commit', content: 'x' }, none, 'auto-edit')).toMatchObject({ type: 'ask' });
    expect(test.text('a.txt')).toBe('y');
  });

  it('A3: each file tool asks for a place outside, by its real path, and none for .bough', async () => {
    mkdirSync(join(test.folder, 'out'));
    writeFileSync(join(test.folder, 'out/x'), 'x');
    symlinkSync(join(test.folder, 'out'), test.pathOf('link'));
    const calls: [string, object][] = [
      ['read_file', {}],
      ['view_image', {}],
      ['search_files', { pattern: 'x' }],
      ['list_files', {}],
      ['write_file', { content: 'y' }],
      ['edit_file', { oldText: 'x', newText: 'y' }],
    ];
    for (const [name, input] of calls) {
      const needs = await needsOf(name, { ...input, path: 'link/x' });
      expect(needs, name).toMatchObject([{ path: join(test.folder, 'out/x'), outside: true }]);
      const end = await perform(
        name,
        { ...input, path: '.bough/bough.db' },
        new Set([scopeKey({ kind: 'read', path: test.pathOf('.bough/bough.db'), outside: false })]),
      );
      expect(end, name).toMatchObject({ type: 'done', result: { isError: true, summary: expect.stringContaining('off limits') } });
    }
    expect(await needsOf('run_command', { command: 'ls', folder: 'link' })).toEqual([
      { kind: 'command', line: 'ls', folder: join(test.folder, 'out') },
      { kind: 'read', path: join(test.folder, 'out'), outside: true },
    ]);
  });

  it('A3, A4: what was allowed for one place does not hold when the name leads to another by then', async () => {
    test.put('real.txt', 'x');
    mkdirSync(join(test.folder, 'out'));
    const grants = new Set((await needsOf('write_file', { path: 'real.txt', content: 'y' })).map(scopeKey));
    const { rmSync } = await import('node:fs');
    rmSync(test.pathOf('real.txt'));
    symlinkSync(join(test.folder, 'out/target'), test.pathOf('real.txt'));
    expect(await perform('write_file', { path: 'real.txt', content: 'y' }, grants)).toMatchObject({
      type: 'ask',
      needs: [{ outside: true }],
    });
  });

  it('A4: needs and results are data that comes back the same', async () => {
    const needs = await needsOf('run_command', { command: 'echo hi' });
    expect(needs.map((need) => toolNeedSchema.parse(JSON.parse(JSON.stringify(need))))).toEqual(needs);
    const result = await test.call('run_command', { command: 'seq 1 100000' });
    expect(toolResultSchema.parse(JSON.parse(JSON.stringify(result)))).toEqual(result);
  });
});

describe('calls that go wrong', () => {
  const done = async (tool: Tool, input = '{}') => {
    const end = await performCall([tool], { name: 'bad', arguments: input }, { mode: 'ask', grants: none }, test.context);
    if (end.type !== 'done') throw new Error('asked');
    return end.result;
  };

  it('R3: arguments that are no JSON, no object or of the wrong shape come back with what is wrong', async () => {
    const send = async (text: string, name = 'read_file') => {
      const end = await performCall(workspaceTools, { name, arguments: text }, { mode: 'ask', grants: none }, test.context);
      return end.type === 'done' ? end.result : null;
    };
    expect(await send('{"path": "a')).toMatchObject({ isError: true, summary: expect.stringContaining('not JSON') });
    expect(await send('[1]')).toMatchObject({ isError: true, summary: expect.stringContaining('one JSON object') });
    expect(await send('{"path": 5}')).toMatchObject({
      isError: true,
      summary: expect.stringMatching(/Invalid arguments for read_file: .*path/),
    });
    expect(await send('')).toMatchObject({ isError: true, summary: expect.stringContaining('path') });
    expect(await send('', 'list_files')).toEqual({ summary: 'No files: .' });
    expect(await send(JSON.stringify('{"path":"none"}'))).toMatchObject({ summary: 'none does not exist.' });
    expect(await send('{}', 'read_files')).toMatchObject({
      isError: true,
      summary: expect.stringMatching(/no tool read_files.*There are: read_file/),
    });
    expect(test.reported).toEqual([]);
  });

  it('R3: a tool that throws is an error result; a bug is reported, a failure is not', async () => {
    expect(await done(bad(() => Promise.reject(new TypeError('x is not a function'))))).toEqual({
      summary: 'The tool failed: x is not a function',
      isError: true,
    });
    expect(await done(bad(() => Promise.reject('words')))).toMatchObject({ isError: true });
    expect(
      await done(
        bad(() => {
          throw new FailureError(makeFailure('diskFull', 'There is no space left.'));
        }),
      ),
    ).toEqual({ summary: 'There is no space left.', isError: true });
    expect(test.reported).toHaveLength(2);
  });

  it('R3, A5: a tool that hangs ends at its limit, and at Stop, though it listens to nothing', async () => {
    const hang = bad(() => new Promise(() => undefined));
    test.context.limits.toolMs = 20;
    expect(await done(hang)).toMatchObject({ isError: true, summary: expect.stringContaining('did not answer within 0.02 s') });
    test.context.limits.toolMs = 60_000;
    const running = done(hang);
    test.abort.abort(new Error('stop'));
    expect(await running).toEqual({ summary: 'Cancelled; it may have run', isError: true, outcome: 'cancelled' });
    expect(await done(hang)).toMatchObject({ summary: 'Cancelled; it may have run' });
  });

  it('R3, A2: a flood, binary data, keys and a summary of many lines are made fit to keep', async () => {
    const flood = await done(bad(async () => ({ summary: `a\nb the-key-of-bough ${'x'.repeat(500)}`, content: 'line\n'.repeat(100_000) })));
    expect(flood.summary).toMatch(/^a b \[key\] x+…$/);
    expect(flood.summary.length).toBe(200);
    expect(flood.content?.length).toBeLessThan(21_000);
    expect(flood.stored).toMatchObject({ size: 500_000, lines: 100_000 });
    const binary = await done(bad(async () => ({ summary: '', content: 'a\0\x1b[31mb \x07\ud800\tc\r\n' })));
    expect(binary).toEqual({ summary: 'Done', content: 'ab \ufffd\tc\r\n' });
  });

  it('R3: where the flood cannot be stored, the call has still run and its ends are shown', async () => {
    test.context.blobs = { write: () => Promise.reject(new FailureError(makeFailure('diskFull', 'full'))) };
    const result = await done(bad(async () => ({ summary: 'Ran', content: 'line\n'.repeat(100_000) })));
    expect(result.stored).toBeUndefined();
    expect(result.isError).toBeUndefined();
    expect(result.content).toContain('They could not be kept.');
  });
});
