import { describe, expect, it } from '@jest/globals';
import { ATTENDANCES, SESSION_STATUSES } from '@swim/contracts';
import fc from 'fast-check';
import { attendanceRate, countsOf } from './lesson.rules.js';

const outcome = fc.record({
  status: fc.constantFrom(...SESSION_STATUSES),
  attendance: fc.constantFrom(...ATTENDANCES),
  times: fc.nat(500),
});

describe('the attendance rate', () => {
  it('is the share of attended lessons, and null when no attendance was recorded', () => {
    expect(attendanceRate({ completed: 9, attended: 0, missed: 0 })).toBeNull();
    expect(attendanceRate({ completed: 9, attended: 3, missed: 1 })).toBe(0.75);
    expect(attendanceRate({ completed: 0, attended: 0, missed: 1 })).toBe(0);
  });
});

describe('counts', () => {
  it('exclude cancelled lessons, and those excused or not recorded yet', () => {
    expect(
      countsOf([
        { status: 'completed', attendance: 'attended', times: 2 },
        { status: 'completed', attendance: 'no_show', times: 1 },
        { status: 'completed', attendance: 'excused', times: 4 },
        { status: 'scheduled', attendance: 'attended', times: 8 },
        { status: 'cancelled', attendance: 'no_show', times: 16 },
      ]),
    ).toEqual({ completed: 7, attended: 10, missed: 1 });
  });

  it('add up in any order, and never exceed the total', () => {
    fc.assert(
      fc.property(fc.array(outcome), (outcomes) => {
        const counts = countsOf(outcomes);
        expect(countsOf([...outcomes].reverse())).toEqual(counts);
        const all = outcomes.reduce((sum, { times }) => sum + times, 0);
        expect(counts.attended + counts.missed).toBeLessThanOrEqual(all);
        const rate = attendanceRate(counts);
        expect(rate === null || (rate >= 0 && rate <= 1)).toBe(true);
      }),
    );
  });
});
