import { describe, expect, it } from '@jest/globals';
import { FIRST, type Next, nextAfter, STEPS } from './erasure.rules.js';

function walk(from: Next): Next[] {
  const all = [from];
  while (all.at(-1)!.step !== null) all.push(nextAfter(all.at(-1)!, 40));
  return all;
}

describe('the steps of an erasure', () => {
  it('revoke the keys first and empty the account last, twice, with a wait between', () => {
    const all = walk({ ...FIRST, waitMs: 0 });
    expect(all.map(({ step }) => step)).toEqual([...STEPS, ...STEPS, null]);
    expect(all.filter(({ waitMs }) => waitMs > 0)).toEqual([{ step: 'keys', round: 2, waitMs: 40 }]);
    expect(STEPS[0]).toBe('keys');
    expect(STEPS.at(-1)).toBe('account');
  });

  it('are one for a member', () => {
    expect(nextAfter({ step: 'member', round: 1 }, 40)).toEqual({ step: null, round: 1, waitMs: 0 });
  });
});
