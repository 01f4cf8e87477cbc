// What the two test runners say, brought to one form. A runner that left no report has crashed: that counts as a failure.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './setup/project.mjs';

/** `unsteady` ones are among the passed: they failed once before (docs/decisions/020). @typedef {{ passed: number, failed: number, skipped: number, unsteady: number }} Tally */

/** More unsteady tests than this are a failure of the run. */
export const MOST_UNSTEADY = 3;

export const REPORTS = { unit: 'test-results/unit.json', e2e: 'test-results/e2e.json' };

/** @param {'unit' | 'e2e'} runner */
export function forgetResults(runner) {
  rmSync(join(projectRoot, REPORTS[runner]), { force: true });
}

/** @param {'unit' | 'e2e'} runner @param {string} [root] @returns {Tally} */
export function readResults(runner, root = projectRoot) {
  const path = join(root, REPORTS[runner]);
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0, unsteady: 0 };
  const report = JSON.parse(readFileSync(path, 'utf8'));
  return runner === 'unit' ? tallyVitest(report) : tallyPlaywright(report);
}

/**
 * A file that could not be loaded has no failed test of its own, so it counts once.
 * @param {{ success: boolean, numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: { status: string, assertionResults: { status: string, failureMessages?: string[] | null }[] }[] }} report
 * @returns {Tally}
 */
export function tallyVitest(report) {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && file.assertionResults.every((test) => test.status !== 'failed'),
  );
  const failed = report.numFailedTests + broken.length;
  return {
    passed: report.numPassedTests,
    failed: failed === 0 && !report.success ? 1 : failed,
    skipped: report.numPendingTests + report.numTodoTests,
    unsteady: report.testResults.flatMap((file) => file.assertionResults).filter(isUnsteady).length,
  };
}

/** Vitest keeps the error of the first try with a test that passed at the second. @param {{ status: string, failureMessages?: string[] | null }} test */
export function isUnsteady({ status, failureMessages }) {
  return status === 'passed' && (failureMessages ?? []).length > 0;
}

/**
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] }} report
 * @returns {Tally}
 */
export function tallyPlaywright({ stats: { expected, unexpected, flaky, skipped }, errors }) {
  const failed = unexpected === 0 && errors.length > 0 ? errors.length : unexpected;
  return { passed: expected + flaky, failed, skipped, unsteady: flaky };
}
