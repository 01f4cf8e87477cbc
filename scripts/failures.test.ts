// The end of a run names the tests that failed: the reports here have the form that the runners write.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { failedInPlaywright, failedInVitest, listFailures, readFailures } from './failures.mjs';
import { REPORTS } from './results.mjs';

const passed = { status: 'passed', fullName: 'T1: stands', failureMessages: [] };
const unit = (root: string) => ({
  testResults: [
    {
      name: join(root, 'main/a.test.ts'),
      status: 'failed',
      message: '',
      assertionResults: [
        passed,
        {
          status: 'failed',
          fullName: 'outer T2: adds',
          failureMessages: ['\nAssertionError: expected 1 to be 2\n    at main/a.test.ts:2:6'],
        },
      ],
    },
    { name: join(root, 'main/b.test.ts'), status: 'failed', message: "Cannot find module './c'\nRequire stack", assertionResults: [] },
    { name: join(root, 'main/d.test.ts'), status: 'passed', message: '', assertionResults: [passed] },
  ],
});

const spec = (title: string, line: number, result: { status: string; error?: { message: string } }) => ({
  title,
  file: 'shell.spec.ts',
  line,
  ok: result.status === 'passed',
  tests: [{ results: [result] }],
});
const e2e = {
  errors: [{ message: 'Error: a worker ended' }],
  suites: [
    {
      title: 'shell.spec.ts',
      file: 'shell.spec.ts',
      specs: [spec('U1: opens', 4, { status: 'passed' }), spec('U2: hangs', 9, { status: 'interrupted' })],
      suites: [
        {
          title: 'the menu',
          file: 'shell.spec.ts',
          specs: [spec('U6: is there', 20, { status: 'failed', error: { message: '\u001b[31mError: none\u001b[39m\n\nCall log:' } })],
        },
      ],
    },
  ],
};

describe('tests that failed', () => {
  it('are named with the first line of their error; a file that does not load with its own', () => {
    expect(failedInVitest(unit('/project'), '/project')).toEqual([
      { name: 'main/a.test.ts > outer T2: adds', error: 'AssertionError: expected 1 to be 2' },
      { name: 'main/b.test.ts', error: "Cannot find module './c'" },
    ]);
    expect(failedInPlaywright(e2e)).toEqual([
      { name: 'e2e/shell.spec.ts:9 > U2: hangs', error: 'interrupted' },
      { name: 'e2e/shell.spec.ts:20 > the menu > U6: is there', error: 'Error: none' },
      { name: 'the run', error: 'Error: a worker ended' },
    ]);
  });

  it('are told apart from those that passed at their second try', () => {
    const late = { status: 'passed', fullName: 'T3: waits', failureMessages: ['Error: late'] };
    const file = { name: '/project/main/e.test.ts', status: 'passed', message: '', assertionResults: [passed, late] };
    const again = { ...spec('U3: waits', 30, { status: 'passed' }), tests: [{ results: [{ status: 'timedOut' }, { status: 'passed' }] }] };
    const suites = [{ title: 'shell.spec.ts', file: 'shell.spec.ts', specs: [again] }];
    const found = [...failedInVitest({ testResults: [file] }, '/project'), ...failedInPlaywright({ suites })];
    expect(listFailures([...found, { name: 'other', error: '' }])).toEqual([
      'Passed only at a second try:',
      '  main/e.test.ts > T3: waits',
      '      Error: late',
      '  e2e/shell.spec.ts:30 > U3: waits',
      '      timedOut',
      'Failed tests:',
      '  other',
    ]);
  });

  it('are listed up to a number, each on lines of bounded length, and not at all when none failed', () => {
    const many = Array.from({ length: 32 }, (_, at) => ({ name: `test ${at} ${'x'.repeat(300)}`, error: at === 0 ? '' : 'Error: no' }));
    const lines = listFailures(many);
    expect(lines.slice(0, 3)).toEqual(['Failed tests:', expect.stringContaining('  test 0 '), expect.stringContaining('  test 1 ')]);
    expect(lines.filter((line) => line.startsWith('  test'))).toHaveLength(30);
    expect(lines.at(-1)).toBe('  and 2 more');
    expect(lines.every((line) => line.length < 210)).toBe(true);
    expect(listFailures([])).toEqual([]);
  });

  it('are read from the reports; a runner that left none is named', () => {
    const root = mkdtempSync(join(tmpdir(), 'bough-failures-'));
    try {
      mkdirSync(join(root, 'test-results'));
      writeFileSync(join(root, REPORTS.unit), JSON.stringify(unit(root)));
      expect(readFailures('unit', root).map(({ name }) => name)).toEqual(['main/a.test.ts > outer T2: adds', 'main/b.test.ts']);
      expect(readFailures('e2e', root)).toEqual([{ name: 'window tests', error: 'left no report' }]);
    } finally {
      rmSync(root, { recursive: true });
    }
  });
});
