// What a model is told of arguments that do not fit, for every tool (A2, R3).
import { afterEach, beforeEach, expect, it } from 'vitest';
import { allTools } from './registry';
import { makeToolTest, type ToolTest } from './toolsFixture';

let test: ToolTest;
beforeEach(() => {
  test = makeToolTest();
});
afterEach(() => test.dispose());

const call = async (name: string, input: unknown) => (await test.call(name, input, allTools)).summary;
const propertiesOf = (schema: Record<string, unknown>) => Object.keys(schema.properties as Record<string, unknown>);

it('A2, R3: of every tool, each argument of a wrong type is named with what it must be', async () => {
  for (const tool of allTools)
    for (const name of propertiesOf(tool.inputSchema)) {
      const said = await call(tool.name, { [name]: { odd: true } });
      expect(said, `${tool.name} ${name}`).toMatch(new RegExp(`^Invalid arguments for ${tool.name}: .*\\b${name} must be `));
      expect(said).not.toMatch(/Invalid input|[✖→\n]/);
    }
});

it('A2, R3: a missing argument is said, with the names of those there are', async () => {
  expect(await call('edit_file', { path: 'a.txt', old_string: 'a', newText: 'b' })).toBe(
    'Invalid arguments for edit_file: oldText is missing. The arguments are: path, oldText, newText, replaceAll',
  );
});

it.each([
  ['checkpoint', { label: 'x'.repeat(81) }, 'label must be at most 80 characters, not 81'],
  ['checkpoint', { label: 'a\nb' }, 'label must be one line'],
  ['checkpoint', { label: ' ' }, 'label must not be empty'],
  ['read_file', { path: 'a', offset: 0 }, 'offset must be at least 1'],
  ['read_file', { path: 'a', limit: 1.5 }, 'limit must be a whole number'],
  ['run_command', { command: 'ls', timeoutSeconds: 601 }, 'timeoutSeconds must be at most 600'],
  ['recall', { query: 'a' }, 'query must be at least 2 characters'],
  ['tasks', { tasks: Array(101).fill({ text: 'a', state: 'open' }) }, 'tasks must be at most 100 entries'],
  [
    'tasks',
    {
      tasks: [
        { text: 'a', state: 'pending' },
        { text: 7, state: 'open' },
      ],
    },
    'tasks[0].state must be one of open, doing, done; tasks[1].text must be a text',
  ],
])('A2, R3: %s says the limit that its schema does not name: %j', async (name, input, words) => {
  expect(await call(name, input)).toContain(words);
});

it('A2: null is as good as left out', async () => {
  expect(await call('list_files', { path: null, glob: null, ignored: null, limit: null })).toBe('No files: .');
  expect(await call('read_file', { path: null })).toMatch(/path is missing/);
});
