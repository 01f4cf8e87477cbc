// The tools for files, over real ones: read, write, edit, list, search, pictures (A2).
import { chmodSync, existsSync, linkSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { decodeText, encodeText } from '../../lib/textFile';
import { fingerprintOf } from './common/fingerprint';
import { replaceText } from './common/replaceText';
import { makeToolTest, type ToolTest } from './toolsFixture';

let test: ToolTest;
beforeEach(() => {
  test = makeToolTest();
});
afterEach(() => test.dispose());

describe('read_file', () => {
  it('A2: lines come with their numbers, whole or in part, whatever the line ends', async () => {
    test.put('a.txt', 'one\r\ntwo\nthree\n');
    expect(await test.call('read_file', { path: 'a.txt' })).toEqual({
      summary: 'Read a.txt (3 lines)',
      content: '1\tone\n2\ttwo\n3\tthree',
      file: { path: 'a.txt', sha256: fingerprintOf(Buffer.from('one\r\ntwo\nthree\n')) },
    });
    expect(await test.call('read_file', { path: 'a.txt', offset: 2, limit: 1 })).toMatchObject({
      summary: 'Read a.txt, lines 2 to 2 of 3',
      content: '2\ttwo',
    });
    expect(await test.call('read_file', { path: 'a.txt', offset: 9 })).toMatchObject({ isError: true, summary: 'a.txt has only 3 lines.' });
    test.put('empty', '');
    expect(await test.call('read_file', { path: 'empty' })).toMatchObject({ summary: 'empty is empty' });
  });

  it('A2: old and wide encodings are read, binary files refused', async () => {
    test.put('wide.txt', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('größe', 'utf16le')]));
    test.put('old.txt', Buffer.from('gr\xf6\xdfe', 'latin1'));
    test.put('x.bin', Buffer.from([1, 2, 0, 3]));
    expect((await test.call('read_file', { path: 'wide.txt' })).content).toBe('1\tgröße');
    expect((await test.call('read_file', { path: 'old.txt' })).content).toBe('1\tgröße');
    expect(await test.call('read_file', { path: 'x.bin' })).toMatchObject({ isError: true, summary: expect.stringContaining('binary') });
  });

  it('A2: of a huge file come head, tail, outline and the call that reads on, which works', async () => {
    const lines = Array.from({ length: 20_000 }, (_, index) => (index === 9_999 ? 'export function findMe() {' : `line ${index + 1}`));
    test.put('big.ts', `${lines.join('\n')}\n`);
    const { content = '' } = await test.call('read_file', { path: 'big.ts' });
    expect(content.length).toBeLessThan(25_000);
    expect(content).toMatch(/^1\tline 1\n/);
    expect(content).toMatch(/\n20000\tline 20000$/);
    expect(content).toContain('10000: export function findMe() {');
    const next = /Read on with read_file (\{.*?\})/.exec(content)?.[1] ?? '';
    const from: number = JSON.parse(next).offset;
    const rest = await test.call('read_file', JSON.parse(next));
    expect(rest.content?.startsWith(`${from}\tline ${from}\n`)).toBe(true);
    expect(rest.content).toContain('Read on with read_file');
    expect(Buffer.byteLength(rest.content ?? '')).toBeLessThanOrEqual(test.context.limits.outputBytes + 300);
  });

  it('A2, R3: one endless line is cut, a file above the limit refused', async () => {
    test.put('long.js', 'x'.repeat(3_000_000));
    const { content = '' } = await test.call('read_file', { path: 'long.js' });
    expect(content).toContain('[2998000 more characters]');
    expect(content.length).toBeLessThan(3000);
    test.context.limits.fileBytes = 1000;
    expect(await test.call('read_file', { path: 'long.js' })).toMatchObject({
      isError: true,
      summary: expect.stringContaining('too large'),
    });
  });

  it('R3: folders, pipes and missing files are answered, not waited for', async () => {
    await test.call('run_command', { command: 'mkfifo pipe' });
    mkdirSync(test.pathOf('dir'));
    expect(await test.call('read_file', { path: 'pipe' })).toMatchObject({ isError: true, summary: 'pipe is no ordinary file.' });
    expect(await test.call('read_file', { path: 'dir' })).toMatchObject({ isError: true, summary: 'dir is a folder. Use list_files.' });
    expect(await test.call('read_file', { path: 'no' })).toMatchObject({ isError: true, summary: 'no does not exist.' });
  });
});

describe('write_file and edit_file', () => {
  it('A2, A5: a new file and its folders are made, a replaced one shows the difference and keeps its permissions', async () => {
    expect(await test.call('write_file', { path: 'deep/er/a.sh', content: 'one\ntwo\n' })).toMatchObject({
      summary: 'Wrote deep/er/a.sh (new, 2 lines)',
    });
    chmodSync(test.pathOf('deep/er/a.sh'), 0o755);
    const result = await test.call('write_file', { path: 'deep/er/a.sh', content: 'one\n2\n' });
    expect(result.summary).toBe('Wrote deep/er/a.sh (+1 −1)');
    expect(result.content).toBe('--- deep/er/a.sh\n+++ deep/er/a.sh\n@@ -1,2 +1,2 @@\n one\n-two\n+2');
    expect(test.text('deep/er/a.sh')).toBe('one\n2\n');
    expect(statSync(test.pathOf('deep/er/a.sh')).mode & 0o777).toBe(0o755);
  });

  it('A3: writing through a link changes the file it leads to; a hard link parts', async () => {
    test.put('real.txt', 'old');
    symlinkSync('real.txt', test.pathOf('link.txt'));
    linkSync(test.pathOf('real.txt'), test.pathOf('hard.txt'));
    await test.call('write_file', { path: 'link.txt', content: 'new' });
    expect(test.text('real.txt')).toBe('new');
    expect(test.text('hard.txt')).toBe('old');
  });

  it('A2: an edit replaces the one place, and keeps line ends, mark and encoding', async () => {
    test.put('a.txt', '\ufeffone\r\ntwo\r\nthree\r\n');
    const result = await test.call('edit_file', { path: 'a.txt', oldText: 'one\ntwo', newText: 'eins\n$& zwei' });
    expect(result.summary).toBe('Edited a.txt (+2 −2)');
    expect(readFileSync(test.pathOf('a.txt'), 'utf8')).toBe('\ufeffeins\r\n$& zwei\r\nthree\r\n');
    test.put('wide.txt', Buffer.concat([Buffer.from([0xfe, 0xff]), Buffer.from('größe', 'utf16le').swap16()]));
    await test.call('edit_file', { path: 'wide.txt', oldText: 'ö', newText: 'o' });
    expect([...readFileSync(test.pathOf('wide.txt'))].slice(0, 6)).toEqual([0xfe, 0xff, 0, 0x67, 0, 0x72]);
  });

  it('A2: what cannot be replaced is said so that it can be done right, and changes nothing', async () => {
    test.put('a.txt', 'x = 1\ny = 2\nx = 1\n  z = 3\n');
    const why = async (oldText: string, newText = 'q') => (await test.call('edit_file', { path: 'a.txt', oldText, newText })).summary;
    expect(await why('x = 1')).toContain('occurs 2 times, at lines 1, 3');
    expect(await why('z  =  3')).toContain('Line 4');
    expect(await why('nothing')).toContain('not in the file');
    expect(await why('1\tx = 1')).toContain('line numbers');
    expect(await why('y = 2', 'y = 2')).toContain('the same');
    expect(test.text('a.txt')).toBe('x = 1\ny = 2\nx = 1\n  z = 3\n');
    expect((await test.call('edit_file', { path: 'a.txt', oldText: 'x = 1', newText: 'x', replaceAll: true })).summary).toContain(
      '2 places',
    );
    test.put('old.txt', Buffer.from('gr\xf6\xdfe', 'latin1'));
    expect(await test.call('edit_file', { path: 'old.txt', oldText: 'gr', newText: 'Gr' })).toMatchObject({ isError: true });
  });

  it('A2: a replacement touches nothing else, for any text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string({ minLength: 1 }), fc.string(), fc.string(), (before, old, after, next) => {
        const result = replaceText(`${before}${old}${after}`, old, next, false);
        if (result.ok && !/[\r\n]/.test(before + old + after + next)) expect(result.text).toBe(`${before}${next}${after}`);
      }),
    );
  });

  it('A2: text that is decoded and encoded again is the same bytes', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.constantFrom('utf-8', 'utf-16le', 'utf-16be'),
        fc.boolean(),
        (text, encoding, marked) => {
          const mark = marked || encoding !== 'utf-8';
          const bytes = encodeText(text, { encoding, mark });
          const file = bytes && decodeText(bytes);
          fc.pre(!text.includes('\0') && !text.startsWith('\ufeff'));
          expect(file).toEqual({ text, encoding, mark });
          expect(Buffer.from(encodeText(file?.text ?? '', { encoding, mark }) ?? [])).toEqual(bytes);
        },
      ),
    );
  });
});

describe('list_files and search_files', () => {
  beforeEach(() => {
    test.put('.gitignore', 'dist\n');
    test.put('dist/out.ts', 'needle in the built file');
    test.put('src/a.ts', 'one\nconst needle = 1;\nthree\n');
    test.put('src/b.md', 'NEEDLE\n');
    test.put('.github/ci.yml', 'on: push');
    test.put('.git/config', 'needle');
    test.put('.bough/notes.ts', 'needle');
    mkdirSync(join(test.folder, 'elsewhere'));
    writeFileSync(join(test.folder, 'elsewhere/c.ts'), 'needle');
    symlinkSync(join(test.folder, 'elsewhere'), test.pathOf('src/link'));
  });

  it('A2: the binary that is used is the one the package names', () => {
    expect(test.context.ripgrep).toBe(rgPath);
  });

  it('A2, A3: what git ignores, .git, .bough and what links lead to is not listed', async () => {
    const lines = async (input: object) => ((await test.call('list_files', input)).content ?? '').split('\n');
    expect(await lines({})).toEqual(['.github/ci.yml', '.gitignore', 'src/a.ts', 'src/b.md']);
    expect(await lines({ glob: '*.ts' })).toEqual(['src/a.ts']);
    expect(await lines({ path: 'src', glob: '*.{ts,md}' })).toEqual(['src/a.ts', 'src/b.md']);
    expect(await lines({ ignored: true, glob: '*.ts' })).toEqual(['dist/out.ts', 'src/a.ts']);
    expect(await lines({ limit: 1 })).toEqual(['.github/ci.yml', '[3 more files are not listed. Name a folder or a glob.]']);
    for (const glob of ['.bough/**', '**/.bough/*', '.BOUGH/*', '.git/*'])
      expect((await test.call('list_files', { glob, ignored: true })).summary, glob).toContain('No files');
    expect(await test.call('list_files', { path: 'src/a.ts' })).toMatchObject({ isError: true });
    expect(await test.call('list_files', { glob: 'a{' })).toMatchObject({ isError: true });
  });

  it('A2, A3: matches come with files, numbers and neighbours, from nowhere that is off limits', async () => {
    expect(await test.call('search_files', { pattern: 'needle' })).toEqual({
      summary: 'Found 1 matching line in 1 file for needle',
      content: 'src/a.ts\n2: const needle = 1;',
    });
    expect((await test.call('search_files', { pattern: 'needle', ignoreCase: true, context: 1, path: 'src' })).content).toBe(
      'src/a.ts\n1- one\n2: const needle = 1;\n3- three\n\nsrc/b.md\n1: NEEDLE',
    );
    expect((await test.call('search_files', { pattern: 'needle', path: 'src/a.ts' })).content).toBe('src/a.ts\n2: const needle = 1;');
    expect((await test.call('search_files', { pattern: 'needle', ignored: true, glob: '.bough/**' })).summary).toBe('No match for needle');
    linkSync(test.pathOf('.bough/notes.ts'), test.pathOf('src/hard.ts'));
    expect((await test.call('search_files', { pattern: 'needle' })).content).not.toContain('hard.ts');
  });

  it('A2: patterns are plain text or expressions, and a broken one is explained', async () => {
    test.put('src/c.txt', 'a.b(c\naxb');
    expect((await test.call('search_files', { pattern: 'a.b(c', literal: true })).content).toBe('src/c.txt\n1: a.b(c');
    expect((await test.call('search_files', { pattern: '--files' })).summary).toBe('No match for --files');
    const broken = await test.call('search_files', { pattern: 'a.b(c' });
    expect(broken).toMatchObject({ isError: true, content: expect.stringContaining('unclosed group') });
  });

  it('R3: a search that finds a flood is cut and counted', async () => {
    test.put('flood.txt', 'needle\n'.repeat(5000));
    const result = await test.call('search_files', { pattern: 'needle', glob: 'flood.txt', limit: 10 });
    expect(result.summary).toBe('Found 5000 matching lines in 1 file for needle');
    expect(result.content).toContain('[4990 more matching lines are not shown.');
    test.context.limits.captureBytes = 4096;
    expect((await test.call('search_files', { pattern: 'needle', glob: 'flood.txt' })).summary).toContain('more than could be kept');
  });

  it('R3: without its program a search says so', async () => {
    test.context.ripgrep = test.pathOf('not-there');
    expect(await test.call('search_files', { pattern: 'x' })).toMatchObject({
      isError: true,
      summary: expect.stringContaining('ripgrep is missing'),
    });
  });
});

describe('view_image', () => {
  it('A2: a picture becomes a blob with its size; what is none is refused', async () => {
    const png = Buffer.from('iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==', 'base64');
    test.put('dot.png', png);
    test.put('fake.png', 'hello');
    const result = await test.call('view_image', { path: 'dot.png' });
    expect(result).toMatchObject({
      summary: 'Viewed dot.png (1 × 1, image/png)',
      images: [{ mime: 'image/png', name: 'dot.png', width: 1, height: 1 }],
    });
    const hash = result.images?.[0]?.hash ?? '';
    expect(readFileSync(test.pathOf(`.bough/blobs/${hash.slice(0, 2)}/${hash}`))).toEqual(png);
    expect(await test.call('view_image', { path: 'fake.png' })).toMatchObject({ isError: true });
    expect(existsSync(test.pathOf('fake.png'))).toBe(true);
  });
});
