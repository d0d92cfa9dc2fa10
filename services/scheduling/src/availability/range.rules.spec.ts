import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { Temporal } from 'temporal-polyfill';
import { datesTouching, rangeOf, utcDateOf, zonedWriter } from './range.rules.js';

const NOW = Date.parse('2027-03-25T12:00:00.000Z');
const DAY_MS = 86_400_000;

describe('the range of availability', () => {
  it('is a week from now by default', () => {
    expect(rangeOf({ timezone: 'UTC' }, NOW)).toEqual({ fromMs: NOW, toMs: NOW + 7 * DAY_MS });
  });

  it('takes a bare date as midnight in the zone', () => {
    expect(rangeOf({ timezone: 'Europe/Berlin', date_from: '2027-03-28', date_to: '2027-03-29' }, NOW)).toEqual({
      fromMs: Date.parse('2027-03-27T23:00:00Z'),
      toMs: Date.parse('2027-03-28T22:00:00Z'),
    });
  });

  it('rejects an end that is not after the start, and more than 31 days', () => {
    const range = (date_from: string, date_to: string) => rangeOf({ timezone: 'UTC', date_from, date_to }, NOW);
    expect(range('2027-03-02', '2027-03-02')).toEqual({
      rejected: 'range_reversed',
      extras: { field: 'date_to', bounds: { expected: 'later than date_from' } },
    });
    expect(range('2027-03-01', '2027-04-01')).not.toHaveProperty('rejected');
    expect(range('2027-03-01', '2027-04-02')).toMatchObject({ rejected: 'range_too_long' });
    expect(range('2027-03-01T10:00:00Z', '2027-04-01T10:00:00Z')).not.toHaveProperty('rejected');
    expect(range('2027-03-01T10:00:00Z', '2027-04-01T10:00:00.001Z')).toMatchObject({ rejected: 'range_too_long' });
  });

  it('takes 31 days of the zone, also when its clocks change in them', () => {
    const range = (timezone: string, date_from: string, date_to: string) =>
      rangeOf({ timezone, date_from, date_to }, NOW);
    expect(range('Europe/Berlin', '2027-10-10', '2027-11-10')).not.toHaveProperty('rejected');
    expect(range('Europe/Berlin', '2027-10-10', '2027-11-10T00:00:00+01:00')).not.toHaveProperty('rejected');
    expect(range('UTC', '2027-10-10', '2027-11-10T01:00:00Z')).toMatchObject({ rejected: 'range_too_long' });
    expect(range('Europe/Berlin', '2027-03-10T00:00:00Z', '2027-04-10T00:00:00Z')).not.toHaveProperty('rejected');
  });
});

describe('the dates that a range touches', () => {
  const range = { fromMs: Date.parse('2027-02-28T23:30:00Z'), toMs: Date.parse('2027-03-01T00:30:00Z') };

  it('include the day before and the day after, for zones on either side of UTC', () => {
    expect(datesTouching(range, undefined)).toEqual(['2027-02-27', '2027-02-28', '2027-03-01', '2027-03-02']);
  });

  it('include those around another requested time, each once', () => {
    expect(datesTouching(range, '2027-03-04').slice(-3)).toEqual(['2027-03-03', '2027-03-04', '2027-03-05']);
    expect(datesTouching(range, '2027-03-01T12:00:00.000Z')).toEqual(datesTouching(range, undefined));
  });
});

describe('the dates at the ends of the calendar', () => {
  it('have years of four digits', () => {
    const [first, last] = [Date.parse('0000-01-01'), Date.parse('9999-12-31')];
    expect(datesTouching({ fromMs: first - DAY_MS / 2, toMs: first }, undefined)).toEqual(['0000-01-01', '0000-01-02']);
    expect(datesTouching({ fromMs: last, toMs: last + DAY_MS }, '9999-12-31')).toEqual(['9999-12-30', '9999-12-31']);
    expect([utcDateOf(first - 1), utcDateOf(last + DAY_MS)]).toEqual(['0000-01-01', '9999-12-31']);
  });
});

describe('writing instants in a zone', () => {
  it('agrees with Temporal across changes of the clock', () => {
    const zones = [
      'Europe/Berlin',
      'America/New_York',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
      'Pacific/Chatham',
      'UTC',
      'Africa/Casablanca',
    ];
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 4_000 }),
        fc.integer({ min: 0, max: 31 * 96 }),
        (zone, day, quarter) => {
          const fromMs = Date.UTC(2026, 0, 1) + day * DAY_MS;
          const instantMs = fromMs + quarter * 900_000;
          const expected = Temporal.Instant.fromEpochMilliseconds(instantMs).toString({
            timeZone: zone,
            smallestUnit: 'second',
          });
          expect(zonedWriter(zone, fromMs, fromMs + 31 * DAY_MS)(instantMs)).toBe(expected);
        },
      ),
      { numRuns: 300 },
    );
  });
});
