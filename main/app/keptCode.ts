// Loads a script from machine code that an earlier start left behind: compiling the program anew takes a tenth of the start (docs/decisions/009-start-up.md).
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire, Module } from 'node:module';
import { dirname } from 'node:path';
import { Script } from 'node:vm';

/** `kept`: the code came from the file. `keep` writes what has been compiled since, once. */
export type Loaded = { kept: boolean; keep(): void };

/** Bytes of a SHA-1, which stand before the code: of the script, then of the code. Not a secret, a look whether both are whole. */
const sumLength = 20;
const sumOf = (bytes: Uint8Array): Buffer => createHash('sha1').update(bytes).digest();

/** Runs `file` as Node's `require` would. V8 itself refuses code of another version; what is damaged or of another script is not given to it. */
export function loadScript(file: string, codeFile: string): Loaded {
  const source = readFileSync(file);
  const sum = sumOf(source);
  const cachedData = readCode(codeFile, sum);
  const script = new Script(Module.wrap(source.toString('utf8')), { filename: file, ...(cachedData ? { cachedData } : {}) });
  run(script, file);
  const kept = cachedData !== null && script.cachedDataRejected === false;
  let done = kept;
  return {
    kept,
    keep: () => {
      if (done) return;
      done = true;
      writeCode(codeFile, sum, script.createCachedData());
    },
  };
}

/** Known to `require` before it runs: the parts that load later ask for it by name. */
function run(script: Script, file: string): void {
  const require = createRequire(file);
  const module = new Module(file);
  module.filename = file;
  require.cache[file] = module;
  const body = script.runInThisContext() as (...given: unknown[]) => void;
  body.call(module.exports, module.exports, require, module, file, dirname(file));
  module.loaded = true;
}

function readCode(file: string, sum: Buffer): Buffer | null {
  try {
    const bytes = readFileSync(file);
    const code = bytes.subarray(2 * sumLength);
    const whole = bytes.subarray(0, sumLength).equals(sum) && bytes.subarray(sumLength, 2 * sumLength).equals(sumOf(code));
    return whole ? code : null;
  } catch {
    // None yet, or not to be read: the script is compiled.
    return null;
  }
}

/** Without a flush: what a power cut leaves half is told by its sum. */
function writeCode(file: string, sum: Buffer, code: Buffer): void {
  try {
    mkdirSync(dirname(file), { recursive: true });
    const partial = `${file}.${process.pid}.tmp`;
    writeFileSync(partial, Buffer.concat([sum, sumOf(code), code]));
    renameSync(partial, file);
  } catch {
    // A start without it is slower, and nothing else.
  }
}
