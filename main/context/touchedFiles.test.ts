import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MessageId } from '../../shared/model/ids';
import type { Part, ToolCallPart } from '../../shared/model/message';
import { touchedAfter, touchesOf, type WorkspacePlace } from './touchedFiles';

const here: WorkspacePlace = { folders: ['/disk/garden', '/disk/real/garden'], platform: 'linux' };
const windows: WorkspacePlace = { folders: ['C:\\Users\\Me\\work'], platform: 'win32' };

function call(name: string, input: unknown, more: Partial<ToolCallPart> = {}): ToolCallPart {
  return {
    type: 'toolCall',
    callId: 'c',
    name,
    arguments: typeof input === 'string' ? input : JSON.stringify(input),
    summary: 'Done',
    ...more,
  };
}
const touches = (parts: Part[], place = here) => touchesOf({ parts }, place);
const pathOf = (path: string, place = here) => touches([call('read_file', { path })], place)[0]?.path;

describe('touchesOf', () => {
  it('A2: reading and viewing read, writing and editing change; lists, searches, commands and texts touch no file', () => {
    const names = [
      'read_file',
      'view_image',
      'write_file',
      'edit_file',
      'list_files',
      'search_files',
      'run_command',
      'fetch_url',
      'unknown',
    ];
    expect(touches([{ type: 'text', text: 'read_file' }, ...names.map((name) => call(name, { path: name }))])).toEqual([
      { path: 'read_file', kind: 'read' },
      { path: 'view_image', kind: 'read' },
      { path: 'write_file', kind: 'changed' },
      { path: 'edit_file', kind: 'changed' },
    ]);
  });

  it('A4, X9: a call that failed, was denied, or has no result touched nothing', () => {
    expect(
      touches([
        call('write_file', { path: 'a' }, { isError: true, summary: 'Denied by the user; it has not run' }),
        call('read_file', { path: 'b' }, { isError: true }),
        call('edit_file', { path: 'c' }, { summary: undefined }),
      ]),
    ).toEqual([]);
  });

  it('A3: a path has one name, whatever the call wrote', () => {
    for (const path of [
      'src/a.ts',
      './src/a.ts',
      'src//b/../a.ts',
      '/disk/garden/src/a.ts',
      '/disk/real/garden/src/a.ts',
      '../garden/src/a.ts',
    ])
      expect(pathOf(path), path).toBe('src/a.ts');
    expect(pathOf('/etc/hosts')).toBe('/etc/hosts');
    expect(pathOf('../other')).toBe('/disk/other');
    expect(pathOf('..a')).toBe('..a');
    expect(pathOf('/disk/garden-2/a')).toBe('/disk/garden-2/a');
    expect(pathOf('a\\b')).toBe('a\\b');
    for (const path of ['src\\a.ts', 'src/a.ts', 'c:\\users\\me\\work\\src\\a.ts']) expect(pathOf(path, windows), path).toBe('src/a.ts');
    expect(pathOf('D:\\x\\y', windows)).toBe('D:/x/y');
    expect(pathOf('.')).toBeUndefined();
  });

  it('R3: arguments that make no sense touch nothing', () => {
    for (const text of ['', '{', '[]', '{"path":5}', '{"path":""}', '{"path":" "}', '{"file":"a"}', 'null'])
      expect(touches([call('read_file', text)]), text).toEqual([]);
    fc.assert(
      fc.property(
        fc.oneof(
          fc.json(),
          fc.string(),
          fc.string().map((path) => JSON.stringify({ path })),
        ),
        (text) => {
          for (const { path } of touches([call('write_file', text)])) expect(path).not.toMatch(/^\.\.(\/|$)|^$/);
        },
      ),
    );
  });
});

describe('touchedAfter', () => {
  const at = (depth: number) => ({ messageId: `msg_${depth}` as MessageId, depth });

  it('A5: counts reads and changes, keeps the newest message of each, the one touched last at the end', () => {
    const first = touchedAfter(new Map(), [
      {
        ...at(1),
        touches: [
          { path: 'a', kind: 'read' },
          { path: 'b', kind: 'changed' },
          { path: 'a', kind: 'read' },
        ],
      },
    ]);
    const second = touchedAfter(first, [
      { ...at(3), touches: [{ path: 'b', kind: 'read' }] },
      { ...at(5), touches: [] },
    ]);
    expect([...second.values()]).toEqual([
      { path: 'a', read: 2, changed: 0, ...at(1) },
      { path: 'b', read: 1, changed: 1, ...at(3) },
    ]);
    expect([...first.keys()]).toEqual(['b', 'a']);
  });

  it('A5: names that mean something to JavaScript are names', () => {
    const files = touchedAfter(new Map(), [
      {
        ...at(0),
        touches: [
          { path: '__proto__', kind: 'read' },
          { path: 'constructor', kind: 'read' },
        ],
      },
    ]);
    expect([...files.keys()]).toEqual(['__proto__', 'constructor']);
  });
});
