import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { ratingOf, surelyCounts } from './rating.rules.js';

const reviews = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1, maxLength: 400 });
const sumOf = (stars: number[]) => stars.reduce((sum, each) => sum + each, 0);

describe('a rating', () => {
  it('has no average without reviews', () => {
    expect(ratingOf(0, 0)).toEqual({ average: null, count: 0 });
  });

  it.each([
    [3, 14, 4.67],
    [3, 13, 4.33],
    [8, 37, 4.63],
    [200, 999, 5],
    [200, 997, 4.99],
    [1, 5, 5],
  ])('of %i reviews with %i stars together is %d, half up', (count, stars, average) => {
    expect(ratingOf(count, stars)).toEqual({ average, count });
  });

  it('is within half a hundredth of the mean, has at most two decimals, and lies between the extremes', () => {
    fc.assert(
      fc.property(reviews, (stars) => {
        const { average, count } = ratingOf(stars.length, sumOf(stars));
        expect(count).toBe(stars.length);
        expect(Math.abs(average! - sumOf(stars) / stars.length)).toBeLessThanOrEqual(0.005 + 1e-9);
        expect(String(average)).toMatch(/^\d(\.\d{1,2})?$/);
        expect(average).toBeGreaterThanOrEqual(Math.min(...stars));
        expect(average).toBeLessThanOrEqual(Math.max(...stars));
      }),
    );
  });
});

describe('for any interleaving of concurrent writers of a rating', () => {
  /** Each writer reads the revision, then the reviews, then writes if the revision is unchanged; otherwise it starts over. */
  it('a review stored two revisions ago is counted; one revision may not suffice', () => {
    let oneWasNotEnough = false;
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 3 }), { minLength: 30, maxLength: 60 }), (turns) => {
        let [stored, revision, held] = [0, 0, 0];
        const writers = [0, 1, 2, 3].map(() => ({ step: 0, mine: 0, seenFirst: 0, seen: 0, read: 0 }));
        for (const turn of turns) {
          const me = writers[turn]!;
          if (me.step === 0) {
            me.mine = ++stored;
          } else if (me.step === 1) {
            me.seenFirst = me.seen = revision;
          } else if (me.step === 2) {
            me.read = stored;
          } else if (me.step === 3) {
            if (me.seen === revision) {
              [held, revision] = [me.read, revision + 1];
              me.step = -1;
            } else if (surelyCounts(me.seenFirst, revision)) {
              expect(held).toBeGreaterThanOrEqual(me.mine);
              me.step = -1;
            } else {
              oneWasNotEnough ||= held < me.mine;
              me.seen = revision;
              me.step = 1;
            }
          }
          me.step += 1;
        }
      }),
      { numRuns: 3_000 },
    );
    expect(oneWasNotEnough).toBe(true);
  });
});
