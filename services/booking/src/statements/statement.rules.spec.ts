import { describe, expect, it } from '@jest/globals';
import { RECORDED_METHODS } from '@swim/contracts';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { daysOf, sumsOf } from './statement.rules.js';

const ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Pacific/Kiritimati', 'America/Santiago', 'UTC'];
const METHODS: string[] = ['card', ...RECORDED_METHODS];
const KINDS = [
  'charge',
  'refund',
  'fee',
  'waiver',
  'dispute_lost',
  'credit_spent',
  'credit_returned',
  'credit_converted',
  'credit_excused',
];

describe('the days of a month', () => {
  it('begin at local midnight, also where the clocks change', () => {
    const { dates, boundaries } = daysOf('2027-03', 'Europe/Berlin');
    expect([dates.length, dates[0], dates.at(-1)]).toEqual([31, '2027-03-01', '2027-03-31']);
    expect([boundaries[0], boundaries[28], boundaries.at(-1)]).toEqual([
      '2027-02-28T23:00:00.000Z',
      '2027-03-28T22:00:00.000Z',
      '2027-03-31T22:00:00.000Z',
    ]);
    expect(daysOf('2028-02', 'UTC').dates).toHaveLength(29);
    // Where the clocks skip midnight the day begins an hour later.
    expect(daysOf('2027-09', 'America/Santiago').boundaries[4]).toBe('2027-09-05T04:00:00.000Z');
  });
});

describe('a statement', () => {
  const movements = fc.array(
    fc.record({
      kind: fc.constantFrom(...KINDS),
      method: fc.constantFrom(undefined, ...RECORDED_METHODS),
      amountCents: fc.integer({ min: -5_000, max: 9_000 }),
      at: fc
        .date({ min: new Date('2027-02-27T00:00:00Z'), max: new Date('2027-04-02T00:00:00Z'), noInvalidDate: true })
        .map((at) => at.toISOString()),
    }),
    { maxLength: 60 },
  );

  it('agrees with the ledger: each movement of the month is in the sum of its local day, once', () => {
    fc.assert(
      fc.property(movements, fc.constantFrom(...ZONES), (all, zone) => {
        const { days, totals } = sumsOf(daysOf('2027-03', zone), all, []);
        const localDates = all.map(({ at }) =>
          Temporal.Instant.from(at).toZonedDateTimeISO(zone).toPlainDate().toString(),
        );
        const sum = (kinds: Record<string, number>, within: (date: string) => boolean, methods = METHODS) =>
          all
            .filter(({ method = 'card' }, index) => within(localDates[index]!) && methods.includes(method))
            .reduce((cents, { kind, amountCents }) => cents + amountCents * (kinds[kind] ?? 0), 0);
        const expected = (within: (date: string) => boolean) => ({
          lessons: 0,
          charged_cents: sum({ charge: 1 }, within),
          charged_by_method: Object.fromEntries(METHODS.map((each) => [each, sum({ charge: 1 }, within, [each])])),
          refunded_cents: sum({ refund: 1, dispute_lost: 1 }, within),
          fees_cents: sum({ fee: 1 }, within),
          credits_issued_cents: sum({ credit_converted: 1, credit_excused: 1 }, within),
          credits_spent_cents: sum({ credit_spent: 1, credit_returned: -1 }, within),
        });
        expect(totals).toEqual(expected((date) => date.startsWith('2027-03')));
        for (const { date, ...day } of days) expect(day).toEqual(expected((each) => each === date));
      }),
    );
  });

  it('has the lessons of each day', () => {
    const { days, totals } = sumsOf(daysOf('2027-03', 'UTC'), [], [2, 0, 3]);
    expect([days[0]!.lessons, days[2]!.lessons, days[9]!.lessons, totals.lessons]).toEqual([2, 3, 0, 5]);
  });
});
