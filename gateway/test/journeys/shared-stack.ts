import { afterAll, beforeAll, describe } from '@jest/globals';
import { Stack } from './stack.js';

/** The stack that all journeys of a spec file share: it runs from the first of their tests to the last. */
export let stack: Stack;

beforeAll(async () => {
  stack = await Stack.start({ SANDBOX_SETTLING_MS: '1000', ERASURE_DRAIN_MS: '500', WEBHOOK_ALLOW_PRIVATE: 'true' });
});
afterAll(() => stack?.stop());

/** Registers the tests of a journey; its `stack.school` and `stack.family` are accounts that no other journey uses. */
export function journey(title: string, tests: () => void): void {
  describe(title, () => {
    beforeAll(() => stack.openAccounts());
    tests();
  });
}
