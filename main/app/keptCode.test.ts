// A program is loaded from code that an earlier load left, and from its own text whenever that code is not exactly its own.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { loadScript } from './keptCode';

describe('kept code', () => {
  let folder = '';
  let script = '';
  let code = '';
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'bough-code-'));
    script = join(folder, 'program.cjs');
    code = join(folder, 'compiled', 'program.bin');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  const said = () => readFileSync(join(folder, 'said'), 'utf8');
  const write = (word: string) =>
    writeFileSync(
      script,
      `const { writeFileSync } = require('node:fs');\nwriteFileSync(require('node:path').join(__dirname, 'said'), '${word}');\n`,
    );

  it('N14: the first load compiles and keeps, the next takes what was kept', () => {
    write('one');
    const first = loadScript(script, code);
    expect(first.kept).toBe(false);
    first.keep();
    rmSync(join(folder, 'said'));
    expect(loadScript(script, code).kept).toBe(true);
    expect(said()).toBe('one');
  });

  it('N14: a script that changed runs as it is now, also when it is as long as before', () => {
    write('one');
    loadScript(script, code).keep();
    write('two');
    expect(loadScript(script, code).kept).toBe(false);
    expect(said()).toBe('two');
  });

  it('R2: kept code that is cut, changed or empty is not used', () => {
    write('one');
    loadScript(script, code).keep();
    const whole = readFileSync(code);
    const changed = Buffer.from(whole);
    changed[whole.length - 9] = (changed[whole.length - 9] ?? 0) ^ 1;
    for (const bad of [whole.subarray(0, whole.length - 1), changed, Buffer.alloc(0)]) {
      writeFileSync(code, bad);
      expect(loadScript(script, code).kept).toBe(false);
    }
    expect(said()).toBe('one');
  });

  it('R2: where nothing can be written the program runs all the same', () => {
    write('one');
    mkdirSync(code, { recursive: true });
    const loaded = loadScript(script, code);
    expect(() => loaded.keep()).not.toThrow();
    expect(said()).toBe('one');
  });

  it('N14: a part that loads later finds the program that runs, not a second one', () => {
    writeFileSync(join(folder, 'part.cjs'), "exports.same = require('./program.cjs');\n");
    writeFileSync(
      script,
      "exports.self = exports;\nexports.part = () => require('./part.cjs').same.self === exports;\nexports.own = exports.part();\nif (!exports.own) throw new Error('twice');\n",
    );
    expect(() => loadScript(script, code)).not.toThrow();
  });
});
