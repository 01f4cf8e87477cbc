// Which tests failed, or passed only at a second try, and with what: read from the two runners' reports, for the end of a log.
import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute, join, relative } from 'node:path';
import { isUnsteady, REPORTS } from './results.mjs';
import { projectRoot } from './setup/project.mjs';

/** @typedef {{ name: string, error: string, unsteady?: true }} FailedTest */
/** @typedef {{ status: string, name: string, message?: string, assertionResults: { status: string, fullName: string, failureMessages?: string[] | null }[] }} VitestFile */
/** @typedef {{ message?: string }} PlaywrightError */
/** @typedef {{ title: string, file: string, line: number, ok: boolean, tests: { results: { status?: string, error?: PlaywrightError, errors?: PlaywrightError[] }[] }[] }} PlaywrightSpec */
/** @typedef {{ title: string, file?: string, specs?: PlaywrightSpec[], suites?: PlaywrightSuite[] }} PlaywrightSuite */

const SHOWN = 30;
const LONGEST = 200;

/** @param {'unit' | 'e2e'} runner @param {string} [root] @returns {FailedTest[]} */
export function readFailures(runner, root = projectRoot) {
  const path = join(root, REPORTS[runner]);
  if (!existsSync(path)) return [{ name: runner === 'unit' ? 'unit tests' : 'window tests', error: 'left no report' }];
  const report = JSON.parse(readFileSync(path, 'utf8'));
  return runner === 'unit' ? failedInVitest(report, root) : failedInPlaywright(report);
}

/** @param {{ testResults: VitestFile[] }} report @param {string} root @returns {FailedTest[]} */
export function failedInVitest({ testResults }, root) {
  return testResults.flatMap((file) => {
    const path = isAbsolute(file.name) ? relative(root, file.name) : file.name;
    const tests = file.assertionResults.filter((test) => test.status === 'failed' || isUnsteady(test));
    const loads = file.status !== 'failed' || tests.some(({ status }) => status === 'failed');
    return [
      ...(loads ? [] : [{ name: path, error: firstLine(file.message) }]),
      ...tests.map((test) => ({
        name: `${path} > ${test.fullName}`,
        error: firstLine(test.failureMessages?.[0]),
        ...(isUnsteady(test) ? { unsteady: /** @type {const} */ (true) } : {}),
      })),
    ];
  });
}

/** Errors of the run itself, such as a spec that does not load, come after the tests. @param {{ suites?: PlaywrightSuite[], errors?: PlaywrightError[] }} report @returns {FailedTest[]} */
export function failedInPlaywright({ suites = [], errors = [] }) {
  /** @param {PlaywrightSuite} suite @param {string[]} above @returns {FailedTest[]} */
  const inSuite = (suite, above) => {
    // The outermost suite is the file, which each name begins with.
    const titles = suite.title === suite.file ? above : [...above, suite.title];
    const own = (suite.specs ?? []).flatMap((spec) => {
      const results = spec.tests.flatMap((test) => test.results);
      const bad = results.find(({ status }) => status !== 'passed' && status !== 'skipped');
      if (spec.ok && !bad) return [];
      const name = `e2e/${spec.file}:${spec.line} > ${[...titles, spec.title].join(' > ')}`;
      const error = firstLine((bad?.error ?? bad?.errors?.[0])?.message ?? bad?.status);
      return [{ name, error, ...(spec.ok ? { unsteady: /** @type {const} */ (true) } : {}) }];
    });
    return [...own, ...(suite.suites ?? []).flatMap((inner) => inSuite(inner, titles))];
  };
  return [
    ...suites.flatMap((suite) => inSuite(suite, [])),
    ...errors.map(({ message }) => ({ name: 'the run', error: firstLine(message) })),
  ];
}

/** A test a line with what it said below it, so that the tail of a log is enough. @param {readonly FailedTest[]} tests @returns {string[]} */
export function listFailures(tests) {
  return [
    ...listed(
      'Passed only at a second try:',
      tests.filter(({ unsteady }) => unsteady),
    ),
    ...listed(
      'Failed tests:',
      tests.filter(({ unsteady }) => !unsteady),
    ),
  ];
}

/** @param {string} title @param {readonly FailedTest[]} tests @returns {string[]} */
function listed(title, tests) {
  if (tests.length === 0) return [];
  const left = tests.length - SHOWN;
  return [
    title,
    ...tests.slice(0, SHOWN).flatMap(({ name, error }) => [`  ${oneLine(name)}`, ...(error === '' ? [] : [`      ${error}`])]),
    ...(left > 0 ? [`  and ${left} more`] : []),
  ];
}

/** @param {string | undefined} message */
function firstLine(message) {
  const lines = (message ?? '').replace(COLOURS, '').split('\n');
  return oneLine(lines.find((line) => line.trim() !== '') ?? '');
}

/** @param {string} text */
function oneLine(text) {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line;
}

// Playwright colours its messages.
const COLOURS = new RegExp(`${String.fromCharCode(27)}\\[[0-9;]*m`, 'g');
