import { relative } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type TestSequencer from '@jest/test-sequencer';

type Sequencer = InstanceType<typeof TestSequencer.default>;
type Totals = Parameters<Sequencer['cacheResults']>[1];
type Test = Parameters<Sequencer['cacheResults']>[0][number];
type TestResult = Totals['testResults'][number];

/** In characters: the list of what failed is to fit a log's last page. */
const LONGEST_REASON = 500;

const say = (text: string) => process.stdout.write(`${process.stdout.isTTY ? text : stripVTControlCharacters(text)}\n`);
const count = (number: number, thing: string) => `${number} ${thing}${number === 1 ? '' : 's'}`;
/** The message of an error, without its stack. */
const reasonOf = (error = '') => {
  const [message] = stripVTControlCharacters(error).split(/\n\s+at /, 1);
  const text = message!.trim().slice(0, LONGEST_REASON);
  return text.replaceAll(/\n+/g, '\n      ');
};
const testsIn = (result: TestResult) =>
  result.numPassingTests + result.numFailingTests + result.numPendingTests + result.numTodoTests;

/**
 * A jest reporter for people and logs: one line for each finished file, each failure in one piece, and the sum at the
 * end.
 */
export default class TestReporter {
  readonly #root: string;
  #finished = 0;
  #failures: string[] = [];

  constructor({ rootDir }: { rootDir: string }) {
    this.#root = rootDir;
  }

  onTestResult(test: Test, result: TestResult, totals: Totals) {
    this.#finished += 1;
    const path = relative(this.#root, test.path);
    const failed = result.numFailingTests > 0 || result.testExecError;
    const progress = `[${this.#finished}/${totals.numTotalTestSuites}]`;
    const seconds = ((result.perfStats.end - result.perfStats.start) / 1000).toFixed(1);
    say(`${progress} ${failed ? 'FAILED' : 'ok'} ${path} ${count(testsIn(result), 'test')} ${seconds} s`);
    if (failed) this.#reportFailure(path, result);
  }

  #reportFailure(path: string, result: TestResult) {
    const failing = result.testResults.filter(({ status }) => status === 'failed');
    const failures = failing.map(({ fullName, failureMessages: [error] }) => [fullName, error]);
    if (result.testExecError) failures.push(['the file itself', result.testExecError.message]);
    this.#failures.push(...failures.map(([name, error]) => `${path}: ${name}\n      ${reasonOf(error)}`));
    const printed = (result.console ?? []).map(({ type, message }) => `  console.${type}: ${message}\n`);
    // A single write keeps files that end at the same time from mixing.
    say(`\n${result.failureMessage?.trim()}\n\n${printed.join('')}`);
  }

  onRunComplete(_contexts: unknown, totals: Totals) {
    // A file that fails to load has no tests to count; it must count as failed.
    const failed = totals.numFailedTests + totals.numRuntimeErrorTestSuites;
    const skipped = totals.numPendingTests + totals.numTodoTests;
    if (this.#failures.length > 0) say(`\nFailed:\n  ${this.#failures.join('\n  ')}`);
    say(`\n${totals.numPassedTests} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
  }
}
