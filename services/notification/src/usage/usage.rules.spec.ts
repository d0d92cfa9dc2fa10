import { describe, expect, it } from '@jest/globals';
import { USAGE_HOURS } from '@swim/contracts';
import fc from 'fast-check';
import { everyHour, keptHours, requestedHours, totalsOf } from './usage.rules.js';

const HOUR_MS = 3_600_000;
const NOW = new Date('2027-03-08T10:20:30.400Z');

const isoOf = ({ from, to }: { from: Date; to: Date }) => [from.toISOString(), to.toISOString()];

describe('the hours of a request for the usage', () => {
  it('are the last 24 by default, of which the last is the one that passes', () => {
    expect(isoOf(requestedHours({}, NOW))).toEqual(['2027-03-07T11:00:00.000Z', '2027-03-08T11:00:00.000Z']);
    const onTheHour = new Date('2027-03-08T10:00:00.000Z');
    expect(isoOf(requestedHours({}, onTheHour))).toEqual(['2027-03-07T11:00:00.000Z', '2027-03-08T11:00:00.000Z']);
  });

  it('begin 24 hours before the end where only the end is given', () => {
    expect(isoOf(requestedHours({ date_to: '2027-03-06T00:00:00.000Z' }, NOW))).toEqual([
      '2027-03-05T00:00:00.000Z',
      '2027-03-06T00:00:00.000Z',
    ]);
  });

  it('are whole: a range is widened to those that it touches', () => {
    const range = { date_from: '2027-03-06T09:59:59.999Z', date_to: '2027-03-06T11:00:00.001Z' };
    expect(isoOf(requestedHours(range, NOW))).toEqual(['2027-03-06T09:00:00.000Z', '2027-03-06T12:00:00.000Z']);
  });

  it('are within those that are kept, and none for a range before or after them', () => {
    const all = requestedHours({ date_from: '0113-09-11T00:00:00.000Z', date_to: '9999-12-31T23:59:59.999Z' }, NOW);
    expect(isoOf(all)).toEqual(isoOf(keptHours(NOW)));
    for (const day of ['2020-01-01', '2030-01-01']) {
      const { from, to } = requestedHours({ date_from: `${day}T00:00:00.000Z`, date_to: `${day}T05:00:00.000Z` }, NOW);
      expect(from).toEqual(to);
      expect(everyHour({ from, to }, new Map())).toEqual([]);
    }
    const later = requestedHours({ date_from: '2030-01-01T00:00:00.000Z' }, NOW);
    expect(later.from).toEqual(later.to);
  });

  it('are at most those that are kept, ascending, whatever the range', () => {
    const instant = fc.option(
      fc
        .date({ min: new Date('0000-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
        .map((at) => at.toISOString()),
      { nil: undefined },
    );
    fc.assert(
      fc.property(instant, instant, (date_from, date_to) => {
        const { from, to } = requestedHours({ date_from, date_to }, NOW);
        const hours = (to.getTime() - from.getTime()) / HOUR_MS;
        expect(hours).toBeGreaterThanOrEqual(0);
        expect(hours).toBeLessThanOrEqual(USAGE_HOURS);
        expect(from.getTime() % HOUR_MS).toBe(0);
      }),
    );
  });
});

describe('the usage of a range', () => {
  it('has every hour, with zeros where nothing was counted, and their sums', () => {
    const range = { from: new Date('2027-03-08T08:00:00.000Z'), to: new Date('2027-03-08T11:00:00.000Z') };
    const counted = new Map([
      [range.from.getTime(), { requests: 5, client_errors: 2, server_errors: 1, limited: 0 }],
      [range.from.getTime() + 2 * HOUR_MS, { requests: 7, client_errors: 1, server_errors: 0, limited: 3 }],
    ]);
    const hours = everyHour(range, counted);
    expect(hours.map(({ start, requests }) => [start, requests])).toEqual([
      ['2027-03-08T08:00:00.000Z', 5],
      ['2027-03-08T09:00:00.000Z', 0],
      ['2027-03-08T10:00:00.000Z', 7],
    ]);
    expect(totalsOf(hours)).toEqual({ requests: 12, client_errors: 3, server_errors: 1, limited: 3 });
  });
});
