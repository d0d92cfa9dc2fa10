import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isFree as isMinuteFree, oracleOf } from '../../test/availability/availability.oracle.js';
import { aSchedule, sample } from '../../test/availability/availability.samples.js';
import type { Span } from '../calendar/hours/span.rules.js';
import { type FreeQuery, isFree, timeToLookAt } from './free-instructors.rules.js';

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const iso = (instantMs: number) => new Date(instantMs).toISOString();
const span = (start: string, end: string): Span => ({ startMs: Date.parse(start), endMs: Date.parse(end) });
const daily = (start: string, end: string) =>
  (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).map((day) => ({ day, start, end }));

const isFreeAt = (at: string, given: Partial<FreeQuery> = {}): boolean =>
  isFree({
    schedule: aSchedule({ weekly: daily('09:00', '10:00') }),
    timezone: 'Europe/Berlin',
    durationMinutes: 30,
    busy: [],
    full: [],
    nowUtc: Date.parse('2027-01-01T00:00Z'),
    at,
    ...given,
  });

describe('free on a date', () => {
  it('requires a free slot on the date', () => {
    expect(isFreeAt('2027-01-04')).toBe(true);
    expect(isFreeAt('2027-01-04', { busy: [span('2027-01-04T08:00Z', '2027-01-04T08:30Z')] })).toBe(true);
    expect(isFreeAt('2027-01-04', { busy: [span('2027-01-04T08:00Z', '2027-01-04T08:31Z')] })).toBe(false);
    expect(isFreeAt('2027-01-04', { busy: [span('2027-01-04T08:15Z', '2027-01-04T08:45Z')] })).toBe(false);
  });

  it('uses the date in the instructor’s own zone', () => {
    const schedule = aSchedule({ weekly: [{ day: 'mon', start: '00:00', end: '02:00' }] });
    // Monday 00:00 to 02:00 in Kiritimati is Sunday in UTC.
    const busy = [span('2027-01-03T10:00Z', '2027-01-03T12:00Z')];
    const there = { schedule, timezone: 'Pacific/Kiritimati' };
    expect(isFreeAt('2027-01-04', there)).toBe(true);
    expect(isFreeAt('2027-01-03', there)).toBe(false);
    expect(isFreeAt('2027-01-04', { ...there, busy })).toBe(false);
    expect(timeToLookAt({ ...there, at: '2027-01-04', durationMinutes: 30 })).toEqual(
      span('2027-01-03T10:00Z', '2027-01-03T12:00Z'),
    );
  });

  it('is false for the past and beyond the days ahead, and counts only the rest of today', () => {
    expect(isFreeAt('2026-12-31')).toBe(false);
    expect(isFreeAt('2027-01-04', { nowUtc: Date.parse('2027-01-04T08:29Z') })).toBe(true);
    expect(isFreeAt('2027-01-04', { nowUtc: Date.parse('2027-01-04T08:30Z') })).toBe(false);
    const schedule = aSchedule({ weekly: daily('09:00', '10:00'), maximum_days_ahead: 2 });
    expect(isFreeAt('2027-01-02', { schedule })).toBe(true);
    expect(isFreeAt('2027-01-04', { schedule })).toBe(false);
  });

  it('is false on the Friday that Apia skipped', () => {
    const given = { timezone: 'Pacific/Apia', nowUtc: Date.parse('2011-12-01T00:00Z') };
    expect(['2011-12-29', '2011-12-30', '2011-12-31'].map((date) => isFreeAt(date, given))).toEqual([
      true,
      false,
      true,
    ]);
  });

  it('is false for an instructor without published hours', () => {
    expect(isFreeAt('2027-01-04', { schedule: aSchedule() })).toBe(false);
    expect(isFreeAt('2027-01-04T08:00:00.000Z', { schedule: aSchedule() })).toBe(false);
  });
});

describe('free from an instant', () => {
  it('requires open and free time throughout, buffers included, at any start', () => {
    expect(isFreeAt('2027-01-04T08:07:00.000Z')).toBe(true);
    expect(isFreeAt('2027-01-04T08:31:00.000Z')).toBe(false);
    expect(isFreeAt('2027-01-04T07:59:00.000Z')).toBe(false);
    const schedule = aSchedule({ weekly: daily('09:00', '10:00'), buffer_before_minutes: 10, buffer_after_minutes: 5 });
    const near = [span('2027-01-04T07:00Z', '2027-01-04T08:00Z'), span('2027-01-04T08:45Z', '2027-01-04T09:00Z')];
    expect(isFreeAt('2027-01-04T08:10:00.000Z', { schedule, busy: near })).toBe(true);
    expect(isFreeAt('2027-01-04T08:09:00.000Z', { schedule, busy: near })).toBe(false);
    expect(isFreeAt('2027-01-04T08:11:00.000Z', { schedule, busy: near })).toBe(false);
  });
});

describe('free where the default pool is full for a part of the time', () => {
  const schedule = aSchedule({ weekly: daily('09:00', '10:00'), buffer_before_minutes: 10, buffer_after_minutes: 10 });

  it('on a date requires a slot at which a lane is free', () => {
    const given = (start: string) => ({ schedule, full: [span(start, '2027-01-04T09:00Z')] });
    expect(isFreeAt('2027-01-04', given('2027-01-04T08:30Z'))).toBe(true);
    expect(isFreeAt('2027-01-04', given('2027-01-04T08:29Z'))).toBe(false);
  });

  it('from an instant on requires a lane, and no buffers before and after', () => {
    const full = [span('2027-01-04T07:30Z', '2027-01-04T08:10Z'), span('2027-01-04T08:40Z', '2027-01-04T09:00Z')];
    expect(isFreeAt('2027-01-04T08:10:00.000Z', { schedule, full })).toBe(true);
    expect(isFreeAt('2027-01-04T08:09:00.000Z', { schedule, full })).toBe(false);
    expect(isFreeAt('2027-01-04T08:11:00.000Z', { schedule, full })).toBe(false);
  });
});

describe('for any zone, schedule and time', () => {
  it('an instructor is free on a date if and only if a slot on it is free, minute by minute', () => {
    fc.assert(
      fc.property(sample, ({ schedule, timezone, busy, fromUtc, nowUtc, durationMinutes }) => {
        const calendar = new Intl.DateTimeFormat('en-CA', { timeZone: timezone });
        const at = calendar.format(fromUtc);
        const around = { busy, nowUtc, durationMinutes, fromUtc: fromUtc - DAY_MS, toUtc: fromUtc + 2 * DAY_MS };
        const slots = oracleOf(schedule, timezone).freeSlots(around);
        const ofThatDay = slots.filter(
          ({ startMs, endMs }) => calendar.format(startMs) === at && calendar.format(endMs - 1) === at,
        );
        expect(isFree({ schedule, timezone, at, durationMinutes, busy, full: [], nowUtc })).toBe(ofThatDay.length > 0);
      }),
      { numRuns: 40 },
    );
  });

  it('an instructor is free at the start of a free slot, and not at a start that overlaps busy time', () => {
    fc.assert(
      fc.property(sample, (given) => {
        const { schedule, timezone, durationMinutes, nowUtc } = given;
        const from = (slot: Span, busy: readonly Span[]) =>
          isFree({ schedule, timezone, at: iso(slot.startMs), durationMinutes, busy, full: [], nowUtc });
        for (const slot of oracleOf(schedule, timezone).freeSlots(given).slice(0, 5)) {
          expect(from(slot, given.busy)).toBe(isMinuteFree(schedule, slot.startMs, slot.endMs, given.busy));
          expect(from(slot, given.busy)).toBe(true);
          expect(from(slot, [{ startMs: slot.endMs - MINUTE_MS, endMs: slot.endMs }])).toBe(false);
        }
      }),
      { numRuns: 40 },
    );
  });
});
