import TestSequencer from '@jest/test-sequencer';

// The types describe the CommonJS form; the module itself exports the class.
const Sequencer = TestSequencer as unknown as typeof TestSequencer.default;
type Test = Parameters<InstanceType<typeof Sequencer>['sort']>[0] extends Iterable<infer T> ? T : never;

/** The size of these files does not show that they take longest. They start in this order. */
const LONGEST = [
  /\/journeys\/requests[.]spec[.]ts$/,
  // Each of these takes a minute or more.
  /\/journeys\/[^/]+$|\/(histories|webhook-crashes)[.]spec[.]ts$/,
  // These start the product, build something, measure, or crash a service at each of its writes.
  /\/(gateway\/test\/browser|bench|deploy\/(packaging|checks))\/|(crash[^/]*|late-runners|loop-time)[.]spec[.]ts$/,
  // These mostly wait, for leases and connections to end: others run meanwhile.
  /\/(lost-[^/]*|outbox-relay|connection-waits|webhook-backlog|retention|audit|killed-process|school-rights)[.]spec[.]ts$/,
];

const rankOf = ({ path }: Test): number => {
  const rank = LONGEST.findIndex((group) => group.test(path));
  return rank < 0 ? LONGEST.length : rank;
};

/** Runs the longest files first, so that no worker is left with one of them at the end of the run. */
export default class LongestFirst extends Sequencer {
  override sort(tests: Test[]): Test[] {
    const sorted = super.sort(tests) as Test[];
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}
