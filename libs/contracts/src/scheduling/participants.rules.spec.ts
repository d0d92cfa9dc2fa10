import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { priceCents, shareCents, teachingWarnings, unrepresentable } from './participants.rules.js';

describe('the price of a session', () => {
  it.each([
    [6_000, 60, 6_000],
    [6_000, 30, 3_000],
    [5_400, 45, 4_050],
    [5_000, 20, 1_667],
    [5_000, 40, 3_333],
    [1, 30, 1],
    [1, 29, 0],
    [3, 90, 5],
    [0, 240, 0],
  ])('at %i cents an hour is for %i minutes %i cents', (rate, minutes, cents) => {
    expect(priceCents(rate, minutes, 'USD')).toBe(cents);
  });

  it.each([
    ['KWD', 12_340, 20, 4_110],
    ['BHD', 10_000, 20, 3_330],
    ['JOD', 10, 30, 10],
    ['OMR', 10, 29, 0],
    ['TND', 9_990, 15, 2_500],
    ['MGA', 10_000, 20, 3_300],
    ['JPY', 1_001, 30, 501],
  ])('in %s at %i an hour is for %i minutes %i', (currency, rate, minutes, cents) => {
    expect(priceCents(rate, minutes, currency)).toBe(cents);
  });

  it('is the nearest whole cent, the higher one of two that are equally near', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 99_999_999 }), fc.integer({ min: 15, max: 240 }), (rate, minutes) => {
        const sixtieths = BigInt(rate) * BigInt(minutes);
        const off = BigInt(priceCents(rate, minutes, 'USD')) * 60n - sixtieths;
        expect(off > -30n && off <= 30n).toBe(true);
      }),
    );
  });
});

describe('a share of an amount', () => {
  it.each([
    ['USD', 4_111, 50, 2_056],
    ['KWD', 4_110, 50, 2_060],
    ['KWD', 4_110, 33, 1_360],
    ['KWD', 10, 49, 0],
  ])('in %s of %i by %i percent is %i', (currency, cents, percent, share) => {
    expect(shareCents(cents, percent, currency)).toBe(share);
  });

  it('is given only as the currency has it', () => {
    expect([unrepresentable('amount_cents', 4_110, 'KWD'), unrepresentable('amount_cents', 4_113, 'USD')]).toEqual([
      null,
      null,
    ]);
    expect(unrepresentable('amount_cents', 4_113, 'KWD')).toMatchObject({
      reason: 'not_representable',
      message: 'amount_cents must be a multiple of 10, as processors take no other amounts in KWD; you sent 4113.',
    });
  });
});

describe('the warnings of lessons', () => {
  const warned = (changes: object, dates = ['2027-03-01T10:00:00Z']) => {
    const instructor = { timezone: 'Pacific/Auckland', certifiedUntil: null, levelsTaught: [], ...changes };
    const members = (['beginner', 'advanced'] as const).map((level) => ({ id: 'mem_1', accountId: 'acct_1', level }));
    return teachingWarnings({ instructor, members } as unknown as Parameters<typeof teachingWarnings>[0], dates);
  };

  it('name the first lesson after the last certificate has expired, by the day of the instructor', () => {
    const dates = ['2027-03-01T10:59:00Z', '2027-03-01T11:00:00Z', '2027-03-05T10:00:00Z'];
    const expired = { code: 'certificate_expired', date: dates[1], expires_at: '2027-03-01' };
    expect(warned({ certifiedUntil: '2027-03-01' }, dates)).toEqual([expired]);
    expect(warned({ certifiedUntil: '2027-03-01' })).toEqual([]);
  });

  it('name the levels that are taught where one of the members has another', () => {
    expect(warned({ levelsTaught: ['beginner'] })).toEqual([{ code: 'level_not_taught', levels_taught: ['beginner'] }]);
    expect(warned({ levelsTaught: ['beginner', 'advanced'] })).toEqual([]);
  });
});
