import Sequencer from '@jest/test-sequencer';

/** Files that start the whole product, build something or measure: they take longest, which their size does not show. */
const LONGEST = /\/(gateway\/test\/journeys|bench|deploy\/(packaging|checks))\//;

/** Runs the longest files first, so that no worker is left with one of them at the end of the run. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return [...sorted.filter(({ path }) => LONGEST.test(path)), ...sorted.filter(({ path }) => !LONGEST.test(path))];
  }
}
