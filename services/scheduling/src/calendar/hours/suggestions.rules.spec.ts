import { describe, expect, it } from '@jest/globals';
import { aSchedule } from '../../../test/availability/availability.samples.js';
import { type Span, suggestionRange, suggestStarts } from './availability.rules.js';

const MINUTE_MS = 60_000;
const BERLIN = 'Europe/Berlin';
const span = (start: string, end: string): Span => ({ startMs: Date.parse(start), endMs: Date.parse(end) });
const starts = (spans: Span[]) => spans.map(({ startMs }) => `${new Date(startMs).toISOString().slice(0, 16)}Z`);
const daily = (start: string, end: string) =>
  (['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const).map((day) => ({ day, start, end }));
type Schedule = Partial<ReturnType<typeof aSchedule>>;

describe('suggested starts', () => {
  const suggested = (given: Schedule, requestedStart: string, busy: Span[] = [], memberBusy: Span[] = []) =>
    starts(
      suggestStarts({
        schedule: aSchedule(given),
        timezone: BERLIN,
        busy,
        memberBusy,
        requestedStartUtc: Date.parse(requestedStart),
        nowUtc: Date.parse('2027-01-01T00:00Z'),
        durationMinutes: 60,
      }),
    );

  it('are the nearest free slots, the earlier first of two equally near', () => {
    const busy = [span('2027-01-04T10:00Z', '2027-01-04T11:00Z')];
    expect(suggested({ weekly: daily('09:00', '17:00') }, '2027-01-04T10:00Z', busy)).toEqual([
      '2027-01-04T09:00Z',
      '2027-01-04T11:00Z',
      '2027-01-04T08:30Z',
    ]);
  });

  it('are free for the members too, whose sessions need no buffers', () => {
    const memberBusy = [span('2027-01-04T11:00Z', '2027-01-04T12:00Z'), span('2027-01-04T06:00Z', '2027-01-04T09:30Z')];
    const schedule = { weekly: daily('09:00', '17:00'), buffer_before_minutes: 30, buffer_after_minutes: 30 };
    expect(suggested(schedule, '2027-01-04T11:30Z', [], memberBusy)).toEqual([
      '2027-01-04T12:00Z',
      '2027-01-04T12:30Z',
      '2027-01-04T10:00Z',
    ]);
  });

  it('step from the requested start where no hours are published, whatever notice and days ahead are', () => {
    const busy = [span('2027-01-04T02:00Z', '2027-01-04T03:30Z')];
    expect(suggested({ maximum_days_ahead: 1 }, '2027-01-04T02:10Z', busy)).toEqual([
      '2027-01-04T00:40Z',
      '2027-01-04T03:40Z',
      '2027-01-04T00:10Z',
    ]);
    expect(suggested({}, '2027-01-01T00:10Z')).toEqual(['2027-01-01T00:40Z', '2027-01-01T01:10Z', '2027-01-01T01:40Z']);
  });

  it('reach a week ahead, to the same hour of an instructor who teaches on one day only', () => {
    expect(suggested({ weekly: [{ day: 'mon', start: '09:00', end: '10:00' }] }, '2027-01-04T08:00Z')).toEqual([
      '2027-01-11T08:00Z',
    ]);
    expect(
      suggested({ weekly: daily('09:00', '10:00') }, '2027-06-04T08:00Z', [
        suggestionRange(Date.parse('2027-06-04T08:00Z')),
      ]),
    ).toEqual([]);
  });

  it('stay with their buffers within the days whose busy time is given', () => {
    const requested = '2027-06-04T08:00Z';
    const schedule = { buffer_before_minutes: 60, buffer_after_minutes: 60 };
    const { startMs, endMs } = suggestionRange(Date.parse(requested));
    const allBut = (minutesFree: number) => [
      { startMs: startMs + minutesFree * MINUTE_MS, endMs: endMs - minutesFree * MINUTE_MS },
    ];
    expect(suggested(schedule, requested, allBut(179))).toEqual([]);
    expect(suggested(schedule, requested, allBut(180))).toEqual(['2027-06-03T01:00Z', '2027-06-11T22:00Z']);
  });
});
