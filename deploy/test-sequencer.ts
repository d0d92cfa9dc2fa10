import TestSequencer from '@jest/test-sequencer';

// Its types are those of its CommonJS form, its module exports the class itself.
const Sequencer = TestSequencer as unknown as typeof TestSequencer.default;
type Test = Parameters<InstanceType<typeof Sequencer>['sort']>[0] extends Iterable<infer T> ? T : never;

/**
 * Files that start the whole product, build something, measure, or crash a service at each of its writes: they take longest,
 * which their size does not show.
 */
const LONGEST =
  /\/(gateway\/test\/(journeys|browser)|bench|deploy\/(packaging|checks))\/|(crash[^/]*|histories|late-runners)[.]spec[.]ts$/;

/** Runs the longest files first, so that no worker is left with one of them at the end of the run. */
export default class LongestFirst extends Sequencer {
  override sort(tests: Test[]): Test[] {
    const sorted = super.sort(tests) as Test[];
    return [...sorted.filter(({ path }) => LONGEST.test(path)), ...sorted.filter(({ path }) => !LONGEST.test(path))];
  }
}
