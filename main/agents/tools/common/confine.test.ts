import { linkSync, mkdirSync, realpathSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makeToolTest, type ToolTest } from '../toolsFixture';
import { locate } from './confine';
import { checkSpelling, isGuardedName, isPrivateName } from './pathNames';

let test: ToolTest;
beforeEach(() => {
  test = makeToolTest();
  mkdirSync(join(test.folder, 'elsewhere'));
  writeFileSync(join(test.folder, 'elsewhere/secret.txt'), 'secret');
  test.put('src/a.ts', 'a');
});
afterEach(() => test.dispose());

const at = (path: string) => locate(test.workspace, path, process.platform);

describe('locate', () => {
  it('A3: places inside are shown relative to the workspace, whether they exist or not', async () => {
    expect(await at('src/a.ts')).toMatchObject({ shown: 'src/a.ts', outside: false, path: test.pathOf('src/a.ts') });
    expect(await at('src/../new/deep/b.ts')).toMatchObject({ shown: 'new/deep/b.ts', outside: false });
    expect(await at('.')).toMatchObject({ shown: '.', outside: false });
    expect(await at(test.pathOf('src'))).toMatchObject({ shown: 'src', outside: false });
    expect(await at('..hidden')).toMatchObject({ shown: '..hidden', outside: false });
  });

  it('A3: places outside are known as such by any way there', async () => {
    symlinkSync(join(test.folder, 'elsewhere'), test.pathOf('link'));
    symlinkSync(join(test.folder, 'elsewhere/not-there.txt'), test.pathOf('dangling'));
    symlinkSync('dangling', test.pathOf('chain'));
    const secret = join(test.folder, 'elsewhere/secret.txt');
    for (const path of ['../elsewhere/secret.txt', secret, 'link/secret.txt', 'src/../../elsewhere/secret.txt'])
      expect(await at(path), path).toMatchObject({ outside: true, path: secret, shown: secret });
    for (const path of ['dangling', 'chain'])
      expect(await at(path), path).toMatchObject({ outside: true, path: join(test.folder, 'elsewhere/not-there.txt') });
    expect(await at('link/new/file.txt')).toMatchObject({ outside: true, path: join(test.folder, 'elsewhere/new/file.txt') });
    expect(await at(`${test.workspace}-beside/x`)).toMatchObject({ outside: true });
  });

  it('A3: .bough is off limits under any name', async () => {
    symlinkSync('.bough', test.pathOf('data'));
    symlinkSync(test.pathOf('.bough/new.json'), test.pathOf('dangling'));
    linkSync(test.pathOf('.bough/bough.db'), test.pathOf('notes.txt'));
    const names = ['.bough', '.bough/bough.db', '.BOUGH/x', '.Bough/bough.db', 'src/../.bough/x', 'data/bough.db', 'dangling', 'notes.txt'];
    for (const path of [
      ...names,
      '.bo\u200bugh/x',
      '.bough./x',
      '.bough /x',
      '.ｂough/x',
      test.pathOf('.bough/lock'),
      '../other/.bough/bough.db',
    ])
      await expect(at(path), path).rejects.toThrow('off limits');
  });

  it('A3: .bough stays off limits where it is itself a link to another place', async () => {
    renameSync(test.pathOf('.bough'), join(test.folder, 'state'));
    symlinkSync(join(test.folder, 'state'), test.pathOf('.bough'));
    for (const path of ['.bough/bough.db', '../state/bough.db', join(test.folder, 'state'), '../state/new/file'])
      await expect(at(path), path).rejects.toThrow('off limits');
  });

  it('A3: an ordinary hard link in the workspace is an ordinary file', async () => {
    linkSync(test.pathOf('src/a.ts'), test.pathOf('b.ts'));
    expect(await at('b.ts')).toMatchObject({ outside: false });
  });

  it('A3: paths that cannot be meant are refused with the reason', async () => {
    symlinkSync('ring2', test.pathOf('ring1'));
    symlinkSync('ring1', test.pathOf('ring2'));
    await expect(at('')).rejects.toThrow('empty');
    await expect(at('a\0b')).rejects.toThrow('NUL');
    await expect(at('ring1')).rejects.toThrow('ring');
    await expect(at('src/a.ts/b')).rejects.toThrow('is a file');
    await expect(at('a'.repeat(300))).rejects.toThrow('too long');
    await expect(at('a/'.repeat(3000))).rejects.toThrow('too long');
  });

  it('A3, Z3: for random tricks, what is called inside really is inside, and never in .bough', async () => {
    symlinkSync('.bough', test.pathOf('l-bough'));
    symlinkSync('..', test.pathOf('src/l-up'));
    symlinkSync(join(test.folder, 'elsewhere'), test.pathOf('l-out'));
    symlinkSync('../elsewhere/nothing/at/all', test.pathOf('l-nothing'));
    symlinkSync('src/l-up/l-bough', test.pathOf('l-far'));
    symlinkSync(test.workspace, join(test.folder, 'elsewhere/l-back'));
    const piece = fc.constantFrom(
      '.',
      '..',
      'src',
      'a.ts',
      'l-up',
      'l-out',
      'l-nothing',
      'l-bough',
      'l-far',
      'l-back',
      '.bough',
      '.BOUGH',
      'bough.db',
      'new',
      '.git',
      'workspace',
      'elsewhere',
      '',
    );
    const path = fc.tuple(
      fc.constantFrom('', '/', './', `${test.workspace}/`, `${test.folder}/`),
      fc.array(piece, { minLength: 1, maxLength: 8 }),
    );
    let inside = 0;
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(path, async ([start, pieces]) => {
        const place = await at(start + pieces.join('/')).catch((error: unknown) => String(error));
        if (typeof place === 'string') {
          refused++;
          expect(place).toMatch(/^ToolError: /);
          return;
        }
        const from = relative(test.workspace, place.path);
        const isInside = from === '' || !(from.startsWith('..') || isAbsolute(from));
        expect(place.outside).toBe(!isInside);
        if (isInside) inside++;
        // What exists of it is its own real path, and nowhere in .bough: the name is not another way to somewhere.
        let existing = place.path;
        for (;;) {
          try {
            expect(realpathSync(existing)).toBe(existing);
            break;
          } catch (error) {
            if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
            existing = join(existing, '..');
          }
        }
        expect(place.path.toLowerCase()).not.toContain('.bough');
      }),
      { numRuns: 1500 },
    );
    expect(inside).toBeGreaterThan(10);
    expect(refused).toBeGreaterThan(10);
  });
});

describe('names', () => {
  it('A3: on Windows, names that mean something else than they show are refused', () => {
    const bad = [
      '\\\\server\\share\\x',
      '//server/share',
      '\\\\?\\C:\\x',
      '\\\\.\\pipe\\x',
      'C:x',
      'a.txt:stream',
      'CON',
      'src\\nul.txt',
      'com1.log',
      'LPT³',
      'a.',
      'b /c',
      'x\\..\\.. \\y',
    ];
    for (const path of bad) expect(() => checkSpelling(path, 'win32'), path).toThrow();
    for (const path of ['C:\\work\\a.txt', 'src\\a.ts', 'src/../a.ts', '.gitignore', 'console.ts', 'common/x'])
      expect(() => checkSpelling(path, 'win32'), path).not.toThrow();
    for (const path of ['a:b', 'con', 'a.', '//x']) expect(() => checkSpelling(path, 'linux'), path).not.toThrow();
  });

  it('A3: names a file system might take for .bough or .git', () => {
    for (const name of ['.bough', '.BOUGH', '.bough.', '.bough ', '.bough::$DATA', 'BOUGH~1', '.b\u200dough'])
      expect(isPrivateName(name), name).toBe(true);
    for (const name of ['bough', '.boughs', 'x.bough', 'boughs~1x']) expect(isPrivateName(name), name).toBe(false);
    for (const name of ['.git', '.GIT', '.git.', 'GIT~1', '.g\u200cit']) expect(isGuardedName(name), name).toBe(true);
    for (const name of ['.github', '.gitignore', 'git']) expect(isGuardedName(name), name).toBe(false);
  });
});
