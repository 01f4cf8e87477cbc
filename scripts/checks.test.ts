// The checks that are ours must fail when they should: sizes, skipped tests, and what the runners report.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { checkSizes, LIMITS } from './checks/sizes.mjs';
import { findSkips } from './checks/skips.mjs';
import { readTestCommand } from './readme.mjs';
import { REPORTS, readResults, tallyPlaywright, tallyVitest } from './results.mjs';
import { projectRoot } from './setup/project.mjs';

const lines = (count: number) => 'f();\n'.repeat(count);
const sizes = (path: string, text: string) => checkSizes([{ path, text }]);

describe('sizes', () => {
  it('a file above the limit is an error, one above the advice a warning', () => {
    expect(sizes('main/a.ts', lines(LIMITS.file + 1)).errors).toEqual(['main/a.ts: 401 lines, at most 400']);
    expect(sizes('main/a.ts', lines(LIMITS.file)).errors).toEqual([]);
    expect(sizes('main/a.ts', lines(LIMITS.file)).warnings).toEqual(['main/a.ts: 400 lines, better below 250']);
    expect(sizes('main/a.ts', lines(LIMITS.warnFile)).warnings).toEqual([]);
    expect(sizes('renderer/a.css', 'a {}\n'.repeat(401)).errors).toHaveLength(1);
  });

  it('test files may be longer, not endless', () => {
    expect(sizes('main/a.test.ts', lines(LIMITS.testFile))).toEqual({ errors: [], warnings: [] });
    expect(sizes('e2e/a.spec.ts', lines(LIMITS.testFile + 1)).errors).toHaveLength(1);
  });

  it('a long function is named with its line, whatever its form', () => {
    const body = `{\n${lines(LIMITS.function - 1)}}`;
    const text = `// ü\nexport function one() ${body}\nconst two = () => ${body};\nclass C { three() ${body} }\n`;
    expect(sizes('main/a.ts', text).errors).toEqual([
      'main/a.ts:2: one has 81 lines, at most 80',
      'main/a.ts:83: two has 81 lines, at most 80',
      'main/a.ts:164: three has 81 lines, at most 80',
    ]);
    expect(sizes('main/a.ts', `function one() {\n${lines(LIMITS.function - 2)}}`).errors).toEqual([]);
    expect(sizes('main/a.test.ts', text).errors).toEqual([]);
  });

  it('a file that cannot be read as code fails the check', () => {
    expect(() => sizes('main/a.ts', 'const = ;')).toThrow('main/a.ts');
  });
});

describe('skipped tests', () => {
  const modifiers = ['skip', 'only', 'todo', 'fixme', 'fail', 'fails', 'skipIf', 'runIf'];
  it.each(
    modifiers.flatMap((name) => [`it.${name}('a', f)`, `test.${name}()`, `describe.${name}(x)('a', f)`, `test.describe.${name}('a', f)`]),
  )('%s is refused', (text) => {
    expect(findSkips({ path: 'main/a.test.ts', text }).length).toBeGreaterThan(0);
  });

  it.each(['xit', 'xtest', 'xdescribe', 'fit', 'fdescribe'])('%s is refused', (name) => {
    expect(findSkips({ path: 'main/a.test.ts', text: `\n${name}('a', f)` })).toEqual([`main/a.test.ts:2: ${name} is not allowed`]);
  });

  it('words in texts and members of other objects are allowed', () => {
    const text = "// it.skip\nit('x.skip', () => { list.skip(1); expect.soft(a).only; vi.fn(); }); test.describe.configure({});";
    expect(findSkips({ path: 'main/a.test.ts', text })).toEqual([]);
  });
});

describe('results of the runners', () => {
  const file = (status: string, ...tests: string[]) => ({ status, assertionResults: tests.map((one) => ({ status: one })) });
  const vitest = {
    success: true,
    numPassedTests: 3,
    numFailedTests: 0,
    numPendingTests: 0,
    numTodoTests: 0,
    testResults: [file('passed', 'passed')],
  };

  it('counts what passed, failed and was skipped', () => {
    expect(tallyVitest(vitest)).toEqual({ passed: 3, failed: 0, skipped: 0, unsteady: 0 });
    expect(tallyVitest({ ...vitest, success: false, numFailedTests: 2, numPendingTests: 1, numTodoTests: 1 })).toEqual({
      passed: 3,
      failed: 2,
      skipped: 2,
      unsteady: 0,
    });
    expect(tallyPlaywright({ stats: { expected: 4, unexpected: 1, flaky: 1, skipped: 2 }, errors: [] })).toEqual({
      passed: 5,
      failed: 1,
      skipped: 2,
      unsteady: 1,
    });
  });

  it('a test that passed at its second try is unsteady: passed, and counted', () => {
    const twice = { status: 'passed', assertionResults: [{ status: 'passed', failureMessages: ['Error: late'] }, { status: 'passed' }] };
    expect(tallyVitest({ ...vitest, testResults: [twice] })).toEqual({ passed: 3, failed: 0, skipped: 0, unsteady: 1 });
  });

  it('a file that does not load, an unhandled error and a crash are failures', () => {
    expect(tallyVitest({ ...vitest, success: false, testResults: [file('failed')] }).failed).toBe(1);
    expect(tallyVitest({ ...vitest, success: false }).failed).toBe(1);
    expect(tallyPlaywright({ stats: { expected: 4, unexpected: 0, flaky: 0, skipped: 0 }, errors: [{}] }).failed).toBe(1);
  });

  it('a runner without a report counts as one failure; one with a report is read', () => {
    const root = mkdtempSync(join(tmpdir(), 'bough-results-'));
    try {
      expect(readResults('e2e', root)).toEqual({ passed: 0, failed: 1, skipped: 0, unsteady: 0 });
      mkdirSync(join(root, 'test-results'));
      writeFileSync(join(root, REPORTS.unit), JSON.stringify(vitest));
      expect(readResults('unit', root)).toEqual({ passed: 3, failed: 0, skipped: 0, unsteady: 0 });
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});

describe('the README', () => {
  it('names the test command that CI runs, and the scripts it names exist', () => {
    const readme = readFileSync(join(projectRoot, 'README.md'), 'utf8');
    expect(readTestCommand(readme)).toBe('npm ci && npm test');
    expect(readFileSync(join(projectRoot, '.ci/run'), 'utf8')).toContain('scripts/ci.mjs');
    const { scripts } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'));
    for (const [, name] of readme.matchAll(/npm (?:run )?(start|test|(?<=run )[a-z0-9:]+)/g))
      expect(scripts).toHaveProperty([String(name)]);
  });

  it('without its test command nothing is run', () => {
    expect(() => readTestCommand('# Bough\n\n## Run\n\n```sh\nnpm start\n```\n')).toThrow('README.md');
  });
});
