// Bad input of every kind, for every tool: the model reads a sentence, and nothing outside is reached (R3, A2, A3).
import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { defineTool, type Tool, ToolError } from './common/definition';
import { allTools, performCall } from './registry';
import { makeToolTest, type ToolTest } from './toolsFixture';

let test: ToolTest;
beforeEach(() => {
  test = makeToolTest();
});
afterEach(() => test.dispose());

const none: ReadonlySet<string> = new Set();
const send = (name: string, text: string, tools: readonly Tool[] = allTools) =>
  performCall(tools, { name, arguments: text }, { mode: 'ask', grants: none }, test.context);
async function resultOf(name: string, text: string, tools?: readonly Tool[]) {
  const end = await send(name, text, tools);
  if (end.type !== 'done') throw new Error('asked');
  return end.result;
}

/** Every name and content below the test's folder, links not followed. */
function everything(folder = test.folder): string[] {
  return readdirSync(folder)
    .sort()
    .flatMap((name) => {
      const path = join(folder, name);
      const facts = lstatSync(path);
      if (facts.isDirectory()) return [path, ...everything(path)];
      return [`${path} ${facts.isFile() ? readFileSync(path, 'latin1') : 'link'}`];
    });
}

describe('a broken tool', () => {
  const broken = (plan: Tool['plan']): Tool => ({ name: 'bad', description: 'x', inputSchema: { type: 'object' }, plan });
  const running = (run: () => unknown) => broken(async () => ({ needs: [], run: run as never }));

  it('R3: whatever it throws, wherever, the model reads a sentence and the bug is reported', async () => {
    const thrown = [new TypeError('x'), 'words', undefined, null, 5, Object.create(null), { toString: () => null }, Symbol('x')];
    for (const each of thrown) {
      const raise = () => {
        throw each;
      };
      for (const tool of [broken(raise), broken(() => Promise.reject(each)), running(raise), running(() => Promise.reject(each))]) {
        const result = await resultOf('bad', '{}', [tool]);
        expect(result).toMatchObject({ isError: true, summary: expect.stringMatching(/^The tool failed: ./) });
      }
    }
    expect(test.reported).toHaveLength(thrown.length * 4);
  });

  it('R3: what is no plan and no result is an error', async () => {
    for (const nonsense of [undefined, null, 5, 'done'])
      for (const tool of [broken(async () => nonsense as never), running(async () => nonsense)])
        expect(await resultOf('bad', '{}', [tool]), String(nonsense)).toMatchObject({ isError: true });
  });

  it('R3: one that hangs before it says what it needs ends at its limit too', async () => {
    test.context.limits.toolMs = 20;
    const result = await resultOf('bad', '{}', [broken(() => new Promise(() => undefined))]);
    expect(result).toMatchObject({ isError: true, summary: expect.stringContaining('did not answer within') });
  });

  it('R3, X4, Z3: an error of any length is one line, the rest is content and, where it is a flood, in the store; keys are cut out', async () => {
    const words = `the-key-of-bough\n${'a line of words\n'.repeat(20_000)}`;
    const result = await resultOf('bad', '{}', [running(() => Promise.reject(new ToolError(words)))]);
    expect(result.summary.length).toBeLessThanOrEqual(200);
    expect(result.summary).not.toContain('\n');
    expect(result.content?.length).toBeLessThan(25_000);
    expect(result.stored?.lines).toBe(20_001);
    expect(JSON.stringify(result)).not.toContain('the-key-of-bough');
  });
});

describe('what a model sends', () => {
  it('R3: a tool that does not exist, under any name, is said with those that do', async () => {
    for (const name of ['', 'read_files', 'READ_FILE', '__proto__', 'constructor', 'toString', 'x'.repeat(10_000), 'a\nb'])
      expect(await resultOf(name, '{}')).toMatchObject({ isError: true, summary: expect.stringMatching(/^There is no tool/) });
    expect(await resultOf('read_file', '{"path":"a"}', [])).toMatchObject({ summary: 'There is no tool read_file. This agent has none.' });
    expect(test.reported).toEqual([]);
  });

  it('R3: arguments nested or long beyond reason, and names that mean something to JavaScript', async () => {
    const deep = `${'[{"a":'.repeat(20_000)}1${'}]'.repeat(20_000)}`;
    for (const text of [
      deep,
      `{"path":${deep}}`,
      `{"more":${deep},"path":5}`,
      `{"path":"${'x'.repeat(2_000_000)}"}`,
      '{"__proto__":{"path":"a.txt"}}',
      '{"constructor":{"path":"a.txt"}}',
      '{"path":"a.txt","path":{"toString":1}}',
      '\u0000',
      '{"path":"\\ud800"}',
    ])
      expect(await resultOf('read_file', text), text.slice(0, 60)).toMatchObject({ isError: true });
    expect(test.reported).toEqual([]);
  });

  it('R3, A4: no arguments of any shape make a tool fail, or change anything before the user was asked', async () => {
    mkdirSync(join(test.folder, 'out'));
    writeFileSync(join(test.folder, 'out/secret'), 'secret');
    test.put('a.txt', 'x');
    symlinkSync(join(test.folder, 'out'), test.pathOf('link'));
    symlinkSync(test.pathOf('.bough'), test.pathOf('door'));
    const before = everything();
    const path = fc.oneof(
      fc.constantFrom(
        'a.txt',
        'link/secret',
        '../out/secret',
        'door/bough.db',
        '.bough/bough.db',
        '/etc/passwd',
        '',
        '\0',
        '.',
        '..',
        'a.txt/b',
      ),
      fc.string(),
    );
    const value = fc.oneof({ weight: 3, arbitrary: path }, { weight: 1, arbitrary: fc.jsonValue() });
    const names = [
      'path',
      'content',
      'oldText',
      'newText',
      'pattern',
      'glob',
      'command',
      'folder',
      'url',
      'label',
      'digest',
      'tasks',
      'limit',
    ];
    const input = fc.dictionary(fc.constantFrom(...names), value, { maxKeys: 6 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...allTools), input, async (tool, given) => {
        const end = await send(tool.name, JSON.stringify(given));
        if (end.type === 'done') expect(end.result.summary).not.toBe('');
        expect(JSON.stringify(end)).not.toMatch(/the database|"secret"/);
      }),
      { numRuns: 400 },
    );
    expect(test.reported).toEqual([]);
    expect(everything()).toEqual(before);
  });
});

describe('places', () => {
  it('A3: no tool gets into .bough through a link, whether it is there or made on the way', async () => {
    symlinkSync(test.pathOf('.bough'), test.pathOf('door'));
    symlinkSync('.bough/bough.db', test.pathOf('file'));
    symlinkSync('.bough/new.txt', test.pathOf('dangling'));
    const calls: [string, object][] = [
      ['read_file', {}],
      ['view_image', {}],
      ['list_files', {}],
      ['search_files', { pattern: 'database' }],
      ['write_file', { content: 'y' }],
      ['edit_file', { oldText: 'the', newText: 'y' }],
    ];
    for (const [name, input] of calls)
      for (const path of ['door/bough.db', 'door', 'file', 'dangling', 'door/../.bough/bough.db', './door/./new.txt'])
        expect(await resultOf(name, JSON.stringify({ ...input, path })), `${name} ${path}`).toMatchObject({
          isError: true,
          summary: expect.stringContaining('off limits'),
        });
    expect(await resultOf('run_command', '{"command":"ls","folder":"door"}')).toMatchObject({ isError: true });
    expect(test.text('.bough/bough.db')).toBe('the database');
  });

  it('A3: no glob reaches what is outside, private or linked', async () => {
    mkdirSync(join(test.folder, 'out'));
    writeFileSync(join(test.folder, 'out/secret.txt'), 'needle');
    symlinkSync(join(test.folder, 'out'), test.pathOf('link'));
    test.put('inner.txt', 'needle');
    test.put('.bough/private.txt', 'needle');
    for (const glob of [
      '../**',
      '/**',
      '**',
      '../out/*',
      'link/**',
      '.bough/**',
      '**/.bough/*',
      `${test.folder}/**`,
      '!*',
      '{..,.}/**',
      '--files',
      '',
    ]) {
      for (const ignored of [false, true]) {
        const listed = await resultOf('list_files', JSON.stringify({ glob, ignored }));
        const found = await resultOf('search_files', JSON.stringify({ pattern: 'needle', glob, ignored }));
        for (const text of [listed.content ?? '', found.content ?? '']) expect(text, glob).not.toMatch(/secret|private|bough/);
      }
    }
    for (const pattern of ['--pre=sh', '-f/etc/passwd', '--follow'])
      expect(await resultOf('search_files', JSON.stringify({ pattern, literal: true }))).toMatchObject({
        summary: `No match for ${pattern}`,
      });
  });

  it('A2: a schema that asks for nothing takes an empty object', async () => {
    const tool = defineTool({
      name: 'nothing',
      description: 'x',
      input: z.object({}),
      plan: () => ({ needs: [], run: async () => ({ summary: 'Fine' }) }),
    });
    for (const text of ['', ' ', '{}', '{"more":1}']) expect(await resultOf('nothing', text, [tool])).toEqual({ summary: 'Fine' });
  });
});
