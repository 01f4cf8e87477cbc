// What the user sees of a change before allowing it.
import { chmodSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { performCall, workspaceTools } from './registry';
import { makeToolTest, type ToolTest } from './toolsFixture';

let test: ToolTest;
beforeEach(() => {
  test = makeToolTest();
});
afterEach(() => test.dispose());

async function asked(name: string, input: unknown, mode: 'ask' | 'auto-edit' = 'ask') {
  const call = { name, arguments: JSON.stringify(input) };
  return performCall(workspaceTools, call, { mode, grants: new Set() }, test.context);
}
const lines = (count: number) => Array.from({ length: count }, (_, at) => `line ${at + 1}\n`).join('');

describe('the preview of a change', () => {
  it('A4, A5: an edit is asked about with two lines around it and their numbers, and nothing is written', async () => {
    test.put('a.txt', lines(20));
    const edit = await asked('edit_file', { path: 'a.txt', oldText: 'line 10', newText: 'ten' });
    const preview = '--- a.txt\n+++ a.txt\n@@ -8,5 +8,5 @@\n line 8\n line 9\n-line 10\n+ten\n line 11\n line 12';
    expect(edit).toMatchObject({ type: 'ask', needs: [{ kind: 'edit' }], preview });
    const content = lines(20).replace('line 10', 'ten');
    expect(await asked('write_file', { path: 'a.txt', content })).toMatchObject({ type: 'ask', preview });
    expect(test.text('a.txt')).toBe(lines(20));
    expect(await asked('edit_file', { path: 'a.txt', oldText: 'line 10', newText: 'ten' }, 'auto-edit')).toMatchObject({ type: 'done' });
  });

  it('A4, Z3: keys are hidden in it as in results', async () => {
    test.put('a.txt', 'key: the-key-of-bough\nname: old\n');
    const edit = await asked('edit_file', { path: 'a.txt', oldText: 'name: old', newText: 'name: the-key-of-bough' });
    expect(edit).toMatchObject({ preview: expect.stringContaining(' key: [key]\n-name: old\n+name: [key]') });
  });

  it('A4, R3: there is none for a new file, the same text, what is no text, what cannot be read or found, or is too long; it is asked all the same', async () => {
    test.put('same.txt', 'x\n');
    test.put('data.bin', new Uint8Array([0, 1, 2]));
    test.put('shut.txt', 'x\n');
    chmodSync(test.pathOf('shut.txt'), 0o000);
    test.put('long.txt', lines(3000));
    const calls: [string, unknown][] = [
      ['write_file', { path: 'new.txt', content: 'x' }],
      ['write_file', { path: 'same.txt', content: 'x\n' }],
      ['write_file', { path: 'data.bin', content: 'x' }],
      ['edit_file', { path: 'data.bin', oldText: 'x', newText: 'y' }],
      ['edit_file', { path: 'same.txt', oldText: 'not there', newText: 'y' }],
      ['write_file', { path: 'long.txt', content: lines(3000).replaceAll('line', 'row') }],
      // Whoever may read everything is shown this one.
      ...(process.getuid?.() === 0
        ? []
        : ([['edit_file', { path: 'shut.txt', oldText: 'x', newText: 'y' }]] satisfies [string, unknown][])),
    ];
    for (const [name, input] of calls) {
      const end = await asked(name, input);
      expect(end).toMatchObject({ type: 'ask', needs: [{ kind: 'edit' }] });
      expect(end, JSON.stringify(input)).not.toHaveProperty('preview');
    }
    expect(test.reported).toEqual([]);
  });
});
