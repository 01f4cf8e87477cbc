// What the two test runners say, brought to one form. A runner that left no report has crashed: that counts as a failure.
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { projectRoot } from './setup/project.mjs';

/** @typedef {{ passed: number, failed: number, skipped: number }} Tally */

export const REPORTS = { unit: 'test-results/unit.json', e2e: 'test-results/e2e.json' };

/** @param {'unit' | 'e2e'} runner */
export function forgetResults(runner) {
  rmSync(join(projectRoot, REPORTS[runner]), { force: true });
}

/** @param {'unit' | 'e2e'} runner @param {string} [root] @returns {Tally} */
export function readResults(runner, root = projectRoot) {
  const path = join(root, REPORTS[runner]);
  if (!existsSync(path)) return { passed: 0, failed: 1, skipped: 0 };
  const report = JSON.parse(readFileSync(path, 'utf8'));
  return runner === 'unit' ? tallyVitest(report) : tallyPlaywright(report);
}

/**
 * A file that could not be loaded has no failed test of its own, so it counts once.
 * @param {{ success: boolean, numPassedTests: number, numFailedTests: number, numPendingTests: number, numTodoTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} report
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
  };
}

/**
 * `flaky` cannot happen without retries; were they ever turned on, a test that failed once is a failure here.
 * @param {{ stats: { expected: number, unexpected: number, flaky: number, skipped: number }, errors: unknown[] }} report
 * @returns {Tally}
 */
export function tallyPlaywright({ stats, errors }) {
  const failed = stats.unexpected + stats.flaky;
  return { passed: stats.expected, failed: failed === 0 && errors.length > 0 ? errors.length : failed, skipped: stats.skipped };
}
