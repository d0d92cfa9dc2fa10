import { expect, it } from '@jest/globals';
import { FILL_STEP, isResetting } from './reset.rules.js';

it('clients wait for the first round of a reset only', () => {
  expect(isResetting(null)).toBe(false);
  expect(['events', 'demo'].map((step) => isResetting({ step }))).toEqual([true, true]);
  expect(['events again', FILL_STEP, null].map((step) => isResetting({ step }))).toEqual([false, false, false]);
});
