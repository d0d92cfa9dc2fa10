import { describe, expect, it } from '@jest/globals';
import { DEMO_ONLY, FIRST_STEP, isResetting, RESET_STEPS, type ResetProgress, stepAfter } from './reset.rules.js';

describe('the steps of a reset', () => {
  it('are taken in order, then once more after a wait, without the demo data', () => {
    const all: (ResetProgress & { waitMs: number })[] = [{ ...FIRST_STEP, waitMs: 0 }];
    while (all.at(-1)!.step !== null) all.push(stepAfter(all.at(-1)!, 40));
    const again = RESET_STEPS.filter((step) => step !== 'demo');
    expect(all.map(({ step }) => step)).toEqual([...RESET_STEPS, ...again, null]);
    expect(all.filter(({ waitMs }) => waitMs > 0)).toEqual([{ ...FIRST_STEP, round: 2, waitMs: 40 }]);
  });

  it('of a new account are the demo data alone, for which clients do not wait', () => {
    expect(isResetting(DEMO_ONLY)).toBe(false);
    expect(stepAfter(DEMO_ONLY, 40)).toEqual({ step: null, round: 2, waitMs: 0 });
  });

  it('keep clients waiting in the first round only', () => {
    expect(isResetting(null)).toBe(false);
    expect(isResetting({ step: 'demo', round: 1 })).toBe(true);
    expect(isResetting({ step: 'events', round: 2 })).toBe(false);
    expect(isResetting({ step: null, round: 2 })).toBe(false);
  });
});
